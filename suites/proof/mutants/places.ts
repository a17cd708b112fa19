import type { Schema } from '../../../contracts/dialect.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';

/** Places in the JSON of a contract, and their values. */

/** The names of the members that lead to a place; a star is each item of a list. */
export type Path = readonly string[];

/** A place of a request or an answer. */
export interface Place {
  readonly path: Path;
  readonly schema: Schema;
  /** Whether the contract requires it in its object. */
  readonly isRequired: boolean;
}

/** Returns every place of a schema except the root. */
export const placesOf = memoized((schema: Schema): readonly Place[] => {
  const found = new Map<string, Place>();
  const add = (place: Place): void => {
    const name = nameOf(place.path);
    if (!found.has(name)) found.set(name, place);
  };
  const visit = (node: Schema, path: Path): void => {
    for (const branch of 'anyOf' in node ? (node.anyOf ?? []) : []) visit(branch, path);
    if ('items' in node && node.items !== undefined) {
      add({ path: [...path, '*'], schema: node.items, isRequired: true });
      visit(node.items, [...path, '*']);
    }
    const required = 'required' in node ? (node.required ?? []) : [];
    for (const [name, member] of Object.entries(('properties' in node && node.properties) || {})) {
      add({ path: [...path, name], schema: member, isRequired: required.includes(name) });
      visit(member, [...path, name]);
    }
  };
  visit(schema, []);
  return [...found.values()];
});

/** Returns a path in dotted form. */
export const nameOf = (path: Path): string => path.join('.');

/** Returns the types of a schema's values; for an enum those of its members. */
export function typesOf(schema: Schema): readonly string[] {
  if ('enum' in schema && schema.enum !== undefined) return [...new Set(schema.enum.map(typeOf))];
  if ('const' in schema) return [typeOf(schema.const as Json)];
  if ('anyOf' in schema && schema.anyOf !== undefined) return [...new Set(schema.anyOf.flatMap(typesOf))];
  if (!('type' in schema) || schema.type === undefined) return [];
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return types.map(type => (type === 'integer' ? 'number' : type));
}

/** Returns the JSON type of a value. */
export function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A member of an object or an item of a list, with its position. */
export interface Spot {
  readonly holder: Record<string, Json>;
  readonly name: string;
  /** The path from the root, with list indexes. */
  readonly at: Path;
}

/** Returns the spots of a path in a value, including absent members of existing objects. */
export function spotsOf(whole: Json | undefined, path: Path): readonly Spot[] {
  const found: Spot[] = [];
  const visit = (here: Json | undefined, [step, ...rest]: Path, at: Path): void => {
    if (step === undefined || typeof here !== 'object' || here === null) return;
    if ((step === '*') !== Array.isArray(here)) return;
    const holder = here as unknown as Record<string, Json>;
    for (const name of step === '*' ? Object.keys(here) : [step]) {
      if (rest.length === 0) found.push({ holder, name, at: [...at, name] });
      else if (Object.hasOwn(holder, name)) visit(holder[name], rest, [...at, name]);
    }
  };
  visit(whole, path, []);
  return found;
}

/** Returns the value at a spot; undefined if it is absent. */
export const valueAt = ({ holder, name }: Spot): Json | undefined =>
  Object.hasOwn(holder, name) ? holder[name] : undefined;

/** Sets the value at a spot, or removes it if undefined. */
export function putAt({ holder, name }: Spot, value: Json | undefined): void {
  if (value !== undefined)
    Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
  else if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
}

/** Returns a mutable copy of a JSON value. */
export const copyOf = <T extends Json | undefined>(value: T): T =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** True if two JSON values have the same text. */
export const alike = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the identity of the entity with a spot of an answer: from the path, or for a list as the contract defines.
 */
export function keyOfSpot(endpoint: EndpointId, param: string, body: JsonObject, { at }: Spot): string {
  const { list, itemKey } = endpointRow(endpoint);
  if (!list || at[0] !== 'data' || !Array.isArray(body.data)) return param;
  const item = body.data[Number(at[1])];
  const own = isObject(item) ? itemKey.map(name => item[name]) : [];
  return JSON.stringify([param, ...(own.length > 0 ? own : [at[1] ?? ''])]);
}
