import { boundingKeywords, type ConstrainingKeyword, type ObjectSchema, type Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { join } from '../../contracts/pointer.ts';
import { nodeOf } from './node.ts';

/** A place in the values of a schema, and the schema that holds there. */
export interface Place {
  readonly pointer: string;
  readonly schema: Schema;
}

/**
 * Returns the members of an object schema that no condition narrows: what holds of the others depends on the object.
 */
function members(schema: ObjectSchema): readonly (readonly [name: string, schema: Schema])[] {
  const conditional = new Set(
    (schema.allOf ?? []).flatMap(one => [...one.if.required, ...Object.keys(one.then.properties ?? {})]),
  );
  return Object.entries(schema.properties ?? {}).filter(([name]) => !conditional.has(name));
}

/** Returns every place of which a schema states something: members of objects, first items of lists, alternatives. */
export function placesOf(schema: Schema, pointer = ''): readonly Place[] {
  const node = nodeOf(schema);
  const here = { pointer, schema };
  if (node.kind === 'union') return node.schema.anyOf.flatMap(branch => placesOf(branch, pointer));
  if (node.kind === 'array')
    return [here, ...(node.schema.items === undefined ? [] : placesOf(node.schema.items, join(pointer, 0)))];
  if (node.kind !== 'object') return [here];
  return [here, ...members(node.schema).flatMap(([name, member]) => placesOf(member, join(pointer, name)))];
}

/** Returns every place of a value of which a schema states something, down to its alternatives. */
export function placesIn(schema: Schema, value: Json, pointer = ''): readonly Place[] {
  const node = nodeOf(schema);
  const here = { pointer, schema };
  if (node.kind === 'union' || value === null) return [];
  if (node.kind === 'array' && Array.isArray(value))
    return [
      here,
      ...(node.schema.items === undefined || value[0] === undefined
        ? []
        : placesIn(node.schema.items, value[0], join(pointer, 0))),
    ];
  if (node.kind !== 'object' || !isObject(value)) return [here];
  return [
    here,
    ...members(node.schema).flatMap(([name, member]) =>
      value[name] === undefined ? [] : placesIn(member, value[name], join(pointer, name)),
    ),
  ];
}

const lengthOf = (value: Json): number =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : Number.NaN;

type Bounding = (typeof boundingKeywords)[number];

/** True if a value breaks a keyword, by the specification of JSON Schema and not by what the generators know. */
const breaks: Readonly<Record<Bounding, (bound: never, value: Json) => boolean>> = {
  enum: (set: readonly Json[], value) => !set.includes(value),
  const: (one: Json, value) => value !== one,
  minLength: (least: number, value) => lengthOf(value) < least,
  maxLength: (most: number, value) => lengthOf(value) > most,
  pattern: (pattern: string, value) => typeof value === 'string' && !new RegExp(pattern, 'u').test(value),
  minimum: (least: number, value) => Number(value) < least,
  maximum: (most: number, value) => Number(value) > most,
  exclusiveMinimum: (below: number, value) => Number(value) <= below,
  exclusiveMaximum: (above: number, value) => Number(value) >= above,
  minItems: (least: number, value) => lengthOf(value) < least,
  maxItems: (most: number, value) => lengthOf(value) > most,
};

/** Returns the keywords that bound the values of a schema. */
export const boundsOf = (schema: Schema): readonly Bounding[] =>
  boundingKeywords.filter(keyword => schema[keyword as ConstrainingKeyword] !== undefined);

/** Returns the keywords of a schema that a value of the right type breaks. */
export const brokenIn = (schema: Schema, value: Json): readonly Bounding[] =>
  boundsOf(schema).filter(keyword => breaks[keyword](schema[keyword] as never, value));

/** Returns the keywords of a schema that some value of the right type breaks. */
export const breakable = (schema: Schema): readonly Bounding[] =>
  boundsOf(schema).filter(keyword => schema[keyword] !== 0 || !['minLength', 'minItems'].includes(keyword));
