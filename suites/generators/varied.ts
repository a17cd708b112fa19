import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { topField } from './cases.ts';
import {
  belongs,
  companionOf,
  type GenerationContext,
  isGroups,
  isReference,
  variedIndexes,
  wordsFor,
} from './context.ts';
import { exampleObject, exampleOf } from './examples.ts';
import { groupDetails, sharesOf } from './groups.ts';
import { exampleValues, memberSchema, memberSchemas, nodeOf, sendableBooleans, valuesAlone } from './node.ts';
import { inRange } from './numbers.ts';
import { realisticTexts } from './texts.ts';

/** Number of items of an ordinary list. */
const someItems = 3;

/** Makes the `turn`-th value; undefined if no value can be sent. */
type Varied<T extends Json = Json> = (turn: number) => T | undefined;

/**
 * Returns the `turn`-th ordinary value of a schema. Neighbours in a list differ in every member that may differ, so
 * that none can be shown in the place of another. Undefined if no value can be sent.
 */
export const variedOf = (schema: Schema, context: GenerationContext, turn: number): Json | undefined =>
  variedBy(schema, context)(turn);

/** Returns the maker of a schema's ordinary values. It works out once what they share, because lists may be long. */
function variedBy(schema: Schema, context: GenerationContext): Varied {
  const plain = exampleOf(schema, context);
  const always: Varied = () => plain;
  if (plain === undefined || plain === null || schema.annotation?.uncertain === true) return always;
  const node = nodeOf(schema);
  if (node.kind === 'array') return isReference(schema) ? always : listBy(node.schema, context, someItems);
  if (node.kind === 'object' && isObject(plain)) {
    const words = isReference(schema) ? wordsFor(schema, context).filter(isObject) : [];
    const made = (words.length === 0 ? [undefined] : words).map(word => objectBy(node.schema, context, plain, word));
    return turn => made[turn % made.length]?.(turn);
  }
  if (isReference(schema))
    return inTurn(
      wordsFor(schema, context).filter(word => typeof word === typeof plain),
      plain,
    );
  const named = [...exampleValues(schema), ...((schema.annotation?.furtherExamples ?? []) as readonly Json[])];
  if (named.length > 1) return turn => named[turn % named.length];
  switch (node.kind) {
    case 'enum':
      return named.length > 0 ? always : inTurn(valuesAlone(node.schema), plain);
    case 'boolean':
      return inTurn(schema.annotation?.uncertain === undefined ? sendableBooleans(schema) : [], plain);
    case 'string':
      return named.length > 0 ? always : inTurn(realisticTexts(node.schema), plain);
    case 'number':
      return turn => {
        const next = near(Number(plain), turn);
        return inRange(node.schema, next) ? next : plain;
      };
    default:
      return always;
  }
}

/** Returns a number near another: whole if that is (it may count days), and below 1 if that is (a probability). */
function near(plain: number, turn: number): number {
  if (Number.isInteger(plain)) return plain + turn;
  return plain > 0 && plain < 1 ? Math.round((10_000 * plain) / (1 + turn / 64)) / 10_000 : plain + turn / 4;
}

/** Returns one value after another, or a plain one if there is none. */
const inTurn =
  (values: readonly Json[], plain: Json): Varied =>
  turn =>
    values[turn % Math.max(1, values.length)] ?? plain;

function objectBy(
  schema: ObjectSchema,
  context: GenerationContext,
  plain: JsonObject,
  word: JsonObject | undefined,
): Varied<JsonObject> {
  const whole = word === undefined ? plain : (exampleObject(schema, context, { ...plain, ...word }) ?? plain);
  const members = Object.entries(whole).map(([name, value]): [string, Varied] => {
    const member = memberSchema(schema, name);
    const isFixed = member === undefined || Object.hasOwn(word ?? {}, name);
    const varied = isFixed || !belongs(member, context) ? undefined : variedBy(member, context);
    return [name, turn => varied?.(turn) ?? value];
  });
  return turn => {
    const seen = new Set<Json>();
    return Object.fromEntries(
      members.map(([name, made]) => {
        const value = firstUnlike(made, turn, one => (seen.has(one) ? 1 : 0)) as Json;
        if (typeof value !== 'object') seen.add(value);
        return [name, value];
      }),
    );
  };
}

/** Maximum number of values to look at for one that is unlike others. */
const mostLookedAt = 12;

/** Returns the first value from a turn on that has nothing in common with others, or has least. */
export function firstUnlike(
  made: (turn: number) => Json | undefined,
  turn: number,
  inCommon: (value: Json) => number,
): Json | undefined {
  let found: { readonly value: Json | undefined; readonly count: number } | undefined;
  for (let next = turn; next < turn + mostLookedAt && found?.count !== 0; next += 1) {
    const value = made(next);
    const count = value === undefined ? 0 : inCommon(value);
    if (found === undefined || count < found.count) found = { value, count };
  }
  return found?.value;
}

/** Returns the members of a schema that name something that exists. */
export const namingMembers = (schema: Schema | undefined): [name: string, member: Schema][] =>
  memberSchemas(schema).filter(([, member]) => isReference(member));

/** True if items name something that exists, themselves or by a member. */
export const namesThings = (items: Schema): boolean => isReference(items) || namingMembers(items).length > 0;

/** Returns a list of different items, `most` of them at most; undefined if not one can be sent. */
export const listOf = (schema: Schema, context: GenerationContext, turn: number, most: number) =>
  listBy(schema, context, most)(turn);

function listBy(schema: Schema, context: GenerationContext, most: number): Varied<Json[]> {
  const { items, minItems = 1, maxItems = most } = schema;
  const plain = exampleOf(schema, context);
  if (items === undefined || !Array.isArray(plain)) return () => (Array.isArray(plain) ? plain : undefined);
  const within: GenerationContext = { ...context, inItem: true };
  const count = Math.max(minItems, Math.min(most, maxItems));
  const item = variedBy(items, within);
  // Two items that name the same thing may be one too many.
  const isSame = namesThings(items) || nodeOf(items).kind === 'enum';
  const longest = isSame ? wordsCount(items, within, most) : most;
  return turn => {
    const found = Array.from({ length: count }, (_, index) => item(turn + index)).filter(one => one !== undefined);
    return [...new Map(found.map(one => [JSON.stringify(one), one])).values()].slice(0, longest);
  };
}

/** Returns how many different things the items of a list can name, `most` of them at most. */
function wordsCount(items: Schema, context: GenerationContext, most: number): number {
  if (isReference(items)) return Math.max(1, wordsFor(items, context).length);
  const counts = namingMembers(items).map(([, member]) => wordsFor(member, context).length);
  return Math.max(1, Math.min(...counts.filter(count => count > 0), most));
}

/** Returns the groups of a template, each with details of its own; their names, references and shares stay. */
export function variedGroups(schema: Schema, context: GenerationContext, current: readonly Json[], first = 0): Json[] {
  const details = groupDetails(schema);
  return current.map((group, turn) => {
    const more = variedOf(details, context, first + turn);
    if (!isObject(group) || !isObject(more)) return group;
    const alike: JsonObject = {};
    for (const [name, member] of memberSchemas(details)) {
      const example = member.annotation?.alike === true ? exampleValues(member).at(-1) : undefined;
      if (isObject(example)) alike[name] = numbered(example, turn);
    }
    return { ...group, ...more, ...alike };
  });
}

/** Parts of a percent that add up to nothing, and that binary numbers hold exactly. */
const fractions = [0.125, 0.25, -0.375];

/** Returns the part of a percent that a group of several has more; those of all groups add up to nothing. */
function fractionOf(index: number, count: number): number {
  const place = index % fractions.length;
  const left = count - index + place;
  if (left >= fractions.length) return fractions[place] ?? 0;
  return left === 2 ? (place === 0 ? 0.125 : -0.125) : 0;
}

/**
 * Returns the groups of a template, no two alike in any detail or in size. No size is a whole number, unless there is
 * one group, or one is left after threes.
 */
export function unlikeGroups(schema: Schema, context: GenerationContext, current: readonly Json[]): Json[] {
  const shares = sharesOf(current.map((_, index) => index + 1));
  return variedGroups(schema, context, current).map((group, index) =>
    isObject(group) ? { ...group, size: (shares[index] ?? 0) + fractionOf(index, current.length) } : group,
  );
}

/** Numbers the texts of an object, so that they say whose it is. */
const numbered = (example: JsonObject, turn: number): JsonObject =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, typeof value === 'string' ? `${value} ${turn + 1}` : value]),
  );

/**
 * Returns a list of which only some items may be varied. In each of those every flag is turned, except the one that
 * tells which may be. The whole is in another order, so that an item is no longer known by its place. Undefined if
 * nothing turns.
 */
export function turnedItems(schema: Schema, current: readonly Json[]): Json[] | undefined {
  const { varies } = schema.annotation ?? {};
  if (varies === undefined) return undefined;
  const { pointer } = companionOf(varies);
  const varied = variedIndexes(schema, current);
  const flags = memberSchemas(schema.items).filter(
    ([name, member]) => name !== topField({ pointer }) && nodeOf(member).kind === 'boolean',
  );
  const turned = current.map((one, index) => {
    if (!isObject(one) || !varied.includes(index)) return one;
    const own = flags.filter(([name]) => typeof one[name] === 'boolean');
    return { ...one, ...Object.fromEntries(own.map(([name]) => [name, !one[name]])) };
  });
  return same(turned, [...current]) ? undefined : turned.toReversed();
}

/** True if a field's value in a template is groups, or names things that exist: its items stay. */
export const keepsItems = (schema: Schema, current: Json | undefined): current is Json[] =>
  Array.isArray(current) &&
  current.length > 0 &&
  (isGroups(schema) || (schema.items !== undefined && namesThings(schema.items)));
