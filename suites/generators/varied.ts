import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, steps } from '../../contracts/pointer.ts';
import { belongs, companionOf, type GenerationContext, isGroups, isReference, wordsFor } from './context.ts';
import { exampleObject, exampleOf } from './examples.ts';
import { groupDetails } from './groups.ts';
import { exampleValues, nodeOf, sendableBooleans } from './node.ts';
import { inRange } from './numbers.ts';
import { realisticTexts } from './texts.ts';

/** So many items an ordinary list has. */
const someItems = 3;

/**
 * The `turn`-th ordinary value of a schema: neighbours in a list differ in every member that may differ, so that none
 * can be shown in the place of another. Undefined where no value can be sent.
 */
export function variedOf(schema: Schema, context: GenerationContext, turn: number): Json | undefined {
  const plain = exampleOf(schema, context);
  if (plain === undefined || plain === null || schema.annotation?.uncertain === true) return plain;
  const node = nodeOf(schema);
  if (node.kind === 'array') return isReference(schema) ? plain : listOf(node.schema, context, turn, someItems);
  if (node.kind === 'object' && isObject(plain)) {
    const words = isReference(schema) ? wordsFor(schema, context).filter(isObject) : [];
    const word = words[turn % Math.max(1, words.length)];
    return variedObject(node.schema, context, turn, plain, word);
  }
  if (isReference(schema)) {
    const words = wordsFor(schema, context).filter(word => typeof word === typeof plain);
    return words[turn % Math.max(1, words.length)] ?? plain;
  }
  const named = [...exampleValues(schema), ...((schema.annotation?.furtherExamples ?? []) as readonly Json[])];
  if (named.length > 1) return named[turn % named.length];
  switch (node.kind) {
    case 'enum': {
      const free = node.schema.enum.filter(value => schema.annotation?.valueNeeds?.[String(value)] === undefined);
      return named.length > 0 ? plain : free[turn % free.length];
    }
    case 'boolean': {
      const values = schema.annotation?.uncertain === undefined ? sendableBooleans(schema) : [];
      return values[turn % Math.max(1, values.length)] ?? plain;
    }
    case 'string': {
      const texts = realisticTexts(node.schema);
      return named.length > 0 ? plain : (texts[turn % texts.length] ?? plain);
    }
    case 'number':
    case 'integer': {
      const next = Number(plain) + (node.kind === 'integer' ? turn : turn / 4);
      return inRange(node.schema, next, node.kind === 'integer') ? next : plain;
    }
    default:
      return plain;
  }
}

function variedObject(
  schema: ObjectSchema,
  context: GenerationContext,
  turn: number,
  plain: JsonObject,
  word: JsonObject | undefined,
): JsonObject {
  const whole = word === undefined ? plain : (exampleObject(schema, context, { ...plain, ...word }) ?? plain);
  const members = Object.entries(whole).map(([name, value]): [string, Json] => {
    const member = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    if (member === undefined || (word !== undefined && Object.hasOwn(word, name))) return [name, value];
    return [name, (belongs(member, context) ? variedOf(member, context, turn) : undefined) ?? value];
  });
  return Object.fromEntries(members);
}

/** True of items that are objects which name something that exists. */
const namesThings = (items: Schema): boolean => {
  const node = nodeOf(items);
  return (
    isReference(items) || (node.kind === 'object' && Object.values(node.schema.properties ?? {}).some(isReference))
  );
};

/** A list of different items, so many as there are, up to a number; undefined where not one item can be sent. */
export function listOf(
  schema: ArraySchema,
  context: GenerationContext,
  turn: number,
  most: number,
): Json[] | undefined {
  const { items, minItems = 1, maxItems = most } = schema;
  const plain = exampleOf(schema, context);
  if (items === undefined || !Array.isArray(plain) || plain.length === 0)
    return Array.isArray(plain) ? plain : undefined;
  const within: GenerationContext = { ...context, inItem: true };
  const count = Math.max(minItems, Math.min(most, maxItems));
  const found = Array.from({ length: count }, (_, index) => variedOf(items, within, turn + index)).filter(
    item => item !== undefined,
  );
  // Two that name the same may be one too many.
  const isSame = namesThings(items) || nodeOf(items).kind === 'enum';
  const distinct = [...new Map(found.map(item => [JSON.stringify(item), item])).values()];
  return distinct.slice(0, isSame ? wordsCount(items, within) : most);
}

/** So many different things the items of a list can name. */
function wordsCount(items: Schema, context: GenerationContext): number {
  if (isReference(items)) return Math.max(1, wordsFor(items, context).length);
  const node = nodeOf(items);
  if (node.kind !== 'object') return someItems;
  const counts = Object.values(node.schema.properties ?? {})
    .filter(isReference)
    .map(member => wordsFor(member, context).length);
  return Math.max(1, Math.min(...counts.filter(count => count > 0), someItems));
}

/** The groups of a template, each with details of its own: what names them, and their shares, stays. */
export function variedGroups(schema: ArraySchema, context: GenerationContext, current: readonly Json[]): Json[] {
  const details = groupDetails(schema);
  return current.map((group, turn) => {
    const more = variedOf(details, context, turn);
    if (!isObject(group) || !isObject(more)) return group;
    const alike = Object.entries(details.properties ?? {}).flatMap(([name, member]): [string, Json][] => {
      const example = member.annotation?.alike === true ? exampleValues(member).at(-1) : undefined;
      return isObject(example) ? [[name, numbered(example, turn)]] : [];
    });
    return { ...group, ...more, ...Object.fromEntries(alike) };
  });
}

/** An object with the same members, the texts of which say whose it is. */
const numbered = (example: JsonObject, turn: number): JsonObject =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, typeof value === 'string' ? `${value} ${turn + 1}` : value]),
  );

/**
 * A list of which only some items may be varied: in each of those every flag turned, but the one that tells which may
 * be, and the whole in another order, in which an item is no longer known by its place. Undefined where nothing turns.
 */
export function turnedItems(schema: ArraySchema, current: readonly Json[]): Json[] | undefined {
  const { varies } = schema.annotation ?? {};
  const item = schema.items === undefined ? undefined : nodeOf(schema.items);
  if (varies === undefined || item?.kind !== 'object') return undefined;
  const { pointer, text } = companionOf(varies);
  const [telling] = steps(pointer);
  const flags = Object.entries(item.schema.properties ?? {})
    .filter(([name, member]) => name !== telling && nodeOf(member).kind === 'boolean')
    .map(([name]) => name);
  let isTurned = false;
  const turned = current.map(one => {
    if (!isObject(one) || String(at(one, pointer)) !== text) return one;
    const own = flags.filter(name => typeof one[name] === 'boolean');
    isTurned ||= own.length > 0;
    return { ...one, ...Object.fromEntries(own.map(name => [name, !one[name]])) };
  });
  return isTurned ? turned.toReversed() : undefined;
}

/** True of a field whose value in a template names things that exist, or of groups: its items stay. */
export const keepsItems = (schema: Schema, current: Json | undefined): current is Json[] =>
  Array.isArray(current) &&
  current.length > 0 &&
  (isGroups(schema) || (schema.items !== undefined && namesThings(schema.items)));
