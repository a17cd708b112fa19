import type { ArraySchema, NumberSchema, Schema, StringSchema } from '../../contracts/dialect.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { lastResults, memoized } from '../../contracts/memoized.ts';
import { at, join, putMember, steps } from '../../contracts/pointer.ts';
import { codePoints } from './characters.ts';
import { capabilityMissing, companionOf, isGroups, isReference } from './context.ts';
import { freeMembers } from './free-form.ts';
import { grownList } from './grown-lists.ts';
import { memberSchemas, nodeOf, sendableBooleans } from './node.ts';
import { inRange } from './numbers.ts';
import { type OddNumber, oddNumber, tameNumber } from './odd-numbers.ts';
import {
  conditions,
  emptyText,
  formedTexts,
  isUnbounded,
  longText,
  marks,
  mayBeRefused,
  nullWord,
  type OddText,
  passage,
  words,
  zeroDigit,
} from './odd-texts.ts';
import type { WideBody, WideField } from './wide-body.ts';

/** A place of a body at which another value may stand. */
export interface Leaf {
  readonly field: WideField;
  /** JSON Pointer (RFC 6901) into the body; the first if several places carry the same. */
  readonly pointer: string;
  /** Returns the value made of some of its pieces; `ordinary` is the value without them. */
  made(pieces: readonly Json[], ordinary: Json): Json;
  /** Further places that carry the same. */
  readonly alike: readonly string[];
}

/**
 * The smallest piece into which a body with many odd values can be taken apart: one mark in a text, one member of a
 * free-form object, one number or one long list. Without a leaf it is a field at an ordinary value.
 */
export interface Part {
  readonly field: WideField;
  /** Describes the part in words. */
  readonly what: string;
  readonly leaf?: Leaf;
  readonly piece?: Json;
  /** True of a number that people send: it is tried at places that refuse odder ones. */
  readonly isTame?: boolean;
  /** True of a text that many targets refuse: where each acceptance leaves something, it is left out first. */
  readonly isBold?: boolean;
}

/** The kinds of odd values in a request. `flags`: booleans, no two alike in all requests; `set`: all of them true. */
// biome-ignore format: a list
export type PartKind =
  | 'marks' | 'words' | 'nulls' | 'long' | 'lists' | 'numbers' | 'negatives' | 'tame' | 'zeros' | 'free-form' | 'flags' | 'set';

/** The parts to make. `turn` chooses among the values of a place that has one at a time. */
export interface PartsInput {
  readonly kinds: readonly PartKind[];
  readonly turn: number;
  /** The length of long texts, in characters; `items` is that of long lists. */
  readonly length?: number;
  readonly items?: number;
  /** Index of the binary digit, in the number of each flag, that says whether the flag is true here. */
  readonly digit?: number;
}

const whole = (pieces: readonly Json[], ordinary: Json): Json => pieces[0] ?? ordinary;

/** Joins pieces between two own words: no mark stands at an end, and no two places have the same text. */
const between = (pieces: readonly Json[], ordinary: Json): Json => [ordinary, ...pieces, visibleEnd].join(' ');

/** Ends a text with a sign that is easily taken off. */
const visibleEnd = 'end.';

const around = (pieces: readonly Json[], query: Json): Json =>
  pieces.length === 0 ? query : `SELECT * FROM (${String(query)}) AS source WHERE ${pieces.join(' AND ')}`;

const members = (pieces: readonly Json[], ordinary: Json): Json =>
  Object.fromEntries([...Object.entries(isObject(ordinary) ? ordinary : {}), ...(pieces as [string, Json][])]);

/** Returns the marks for a text, as many as its length has room for. */
function marksFor(schema: StringSchema, ordinary: string): readonly OddText[] {
  let left = (schema.maxLength ?? Number.POSITIVE_INFINITY) - codePoints(ordinary) - visibleEnd.length - 1;
  return marks.filter(([, text]) => {
    const length = codePoints(text) + 1;
    if (length > left) return false;
    left -= length;
    return true;
  });
}

/** True of a place in the last of several items. */
function isInLast(pointer: string, body: JsonObject): boolean {
  const [, above = '', index] = /^(.*)\/(\d+)\/[^/]+$/.exec(pointer) ?? [];
  const list = index === undefined ? undefined : at(body, above);
  return Array.isArray(list) && list.length > 1 && list.length - 1 === Number(index);
}

/** Returns the fields of a wide body, as parts at ordinary values. */
export const fieldParts = ({ fields }: WideBody): readonly Part[] =>
  fields.map(field => ({ field, what: 'an ordinary value' }));

/** Returns the parts with odd values of a wide body, kind by kind, so that halving them separates the kinds first. */
export const oddParts = (wide: WideBody, input: PartsInput): readonly Part[] =>
  known(wide)(JSON.stringify(input), () => partsOf(wide, input));

/** Maximum number of inputs that are remembered of a body: more than one plan asks for. */
const mostInputs = 24;

/** Memoised, because a plan is made again when it is sent and by the next run, and long lists take long. */
const known = memoized((_: WideBody) => lastResults<readonly Part[]>(mostInputs));

/** A place of a body, with what it adds parts for. */
interface Place {
  readonly field: WideField;
  readonly schema: Schema;
  readonly value: Json;
  /** Adds pieces from which a value of this place is made. */
  add(made: Leaf['made'], pieces: readonly (readonly [what: string, piece: Json])[]): void;
}

function partsOf({ fields, body }: WideBody, input: PartsInput): readonly Part[] {
  const parts: Part[] = [];
  const beside = fields.flatMap(({ field }) => field.schema.annotation?.beside ?? []);
  /** What other fields stand beside: a flag among these stays. */
  const companions = new Set(beside.map(entry => companionOf(entry).pointer));
  let count = 0;
  let flags = 0;
  const has = (...kinds: readonly PartKind[]): boolean => kinds.some(kind => input.kinds.includes(kind));

  /** Adds the parts of the value at a pointer. */
  function visit(schema: Schema, pointer: string, field: WideField, alike: readonly string[] = []): void {
    const { compare, semantics, creates, examples } = schema.annotation ?? {};
    if (compare === 'never' || semantics === 'guarded' || creates === true || isReference(schema)) return;
    const value = at(body, pointer) ?? null;
    if (value === null || capabilityMissing(schema, field.field.context.capabilities)) return;
    const node = nodeOf(schema);
    const add: Place['add'] = (made, pieces) => {
      const leaf = { field, pointer, made, alike };
      const isTame = has('tame', 'zeros');
      for (const [what, piece] of pieces) parts.push({ field, what, leaf, piece, isTame, isBold: mayBeRefused(piece) });
    };
    const place = { field, schema, value, add };
    if (node.kind === 'string' || (node.kind === 'any' && (examples ?? []).every(one => typeof one === 'string'))) {
      if (typeof value === 'string')
        visitText(node.kind === 'string' ? node.schema : { type: 'string' }, value, pointer, add);
    } else if (node.kind === 'number') {
      const turn = has('negatives') ? 0 : input.turn + count;
      count += 1;
      const odd = numberFor(node.schema, Number(value), turn);
      if (odd !== undefined) add(whole, [odd]);
    } else if (typeof value === 'boolean' && node.kind === 'boolean') visitFlag(place, pointer);
    else if (node.kind === 'array' && Array.isArray(value) && node.schema.items !== undefined) {
      if (visitList(node.schema, place)) return;
      if (isGroups(schema)) visitGroups(node.schema.items, value, pointer, field);
      else for (const index of value.keys()) visit(node.schema.items, join(pointer, index), field);
    } else if (node.kind === 'object' && isObject(value)) {
      for (const [name, member] of memberSchemas(schema)) visit(member, join(pointer, name), field);
      if (schema.properties === undefined && schema.additionalProperties !== false && has('free-form'))
        add(
          members,
          freeMembers.map(([what, name, member]) => [what, [name, member]]),
        );
    }
  }

  function numberFor(schema: NumberSchema, ordinary: number, turn: number): OddNumber | undefined {
    if (has('zeros')) return inRange(schema, 0) ? ['zero', 0] : undefined;
    if (has('tame')) return tameNumber(schema, ordinary);
    return has('negatives', 'numbers') ? oddNumber(schema, turn) : undefined;
  }

  function visitText(schema: StringSchema, value: string, pointer: string, add: Place['add']): void {
    const { annotation, minLength = 0, maxLength } = schema;
    if (annotation?.formatHint === 'sql') {
      if (has('marks')) add(around, conditions);
      return;
    }
    const formed = formedTexts(schema);
    if (formed === undefined && !isUnbounded(schema)) return;
    const turn = input.turn + count;
    count += 1;
    const isPassage = annotation?.formatHint === 'sentence' && maxLength === undefined;
    const turned =
      isPassage && isInLast(pointer, body) ? emptyText : (formed ?? words)[turn % (formed ?? words).length];
    const word = has('nulls') ? nullWord : turned;
    if (word === undefined) return;
    if (formed !== undefined) {
      if (has('marks', 'words')) add(whole, [word]);
      return;
    }
    if (has('marks')) add(between, [...marksFor(schema, value), ...(isPassage ? [passage] : [])]);
    if (has('words', 'nulls') && minLength <= word[1].length) add(whole, [word]);
    const { length } = input;
    // Where no long text fits, the one that a language takes for false.
    if (has('zeros') && maxLength !== undefined && minLength <= 1) add(whole, [zeroDigit]);
    if (has('long') && length !== undefined && maxLength === undefined)
      add(whole, [[`a text of ${length} characters`, `${value} ${longText(length - value.length - 1)}`]]);
  }

  /** Sets a flag by the digit of its number; flags of living things, such as groups, stay. */
  function visitFlag({ field, schema, value, add }: Place, pointer: string): void {
    const { schema: top } = field.field;
    const isLiving = isGroups(top) || top.annotation?.varies !== undefined;
    if (isLiving || sendableBooleans(schema).length < 2 || companions.has(pointer)) return;
    flags += 1;
    const turned = ((flags >> (input.digit ?? 0)) & 1) === 1;
    const wanted = has('set') || turned;
    if (has('flags', 'set') && wanted !== value) add(whole, [[`${wanted}`, wanted]]);
  }

  /** Adds the list at greater length; returns true if it has other items then. */
  function visitList(schema: ArraySchema, { field, value, add }: Place): boolean {
    if (input.items === undefined || !has('lists') || schema.maxItems !== undefined || isGroups(schema)) return false;
    const grown = Array.isArray(value) ? grownList(schema, value, field.field.context, input.items) : undefined;
    if (grown !== undefined) add(whole, [[grown.what, grown.list]]);
    return grown?.isOther === true;
  }

  /** Adds the parts of groups. Members that must be alike get the same pieces, on ordinary values that differ. */
  function visitGroups(items: Schema, groups: readonly Json[], pointer: string, field: WideField): void {
    for (const [name, member] of memberSchemas(items)) {
      if (name === 'name' || name === 'size') continue;
      const places = [...groups.keys()].map(index => join(join(pointer, index), name));
      const [first = '', ...others] = places;
      if (member.annotation?.alike === true) visit(member, first, field, others);
      else for (const place of places) visit(member, place, field);
    }
  }

  for (const field of fields) visit(field.field.schema, field.field.pointer, field);
  return [...grouped(parts, ({ what }) => what).values()].flat();
}

/** Returns the template with the fields of some parts at ordinary values, and with their pieces at their places. */
export function bodyOfParts(parts: readonly Part[], { template, body: ordinary }: WideBody): JsonObject {
  let body: JsonObject = Object.assign({}, template, ...parts.map(({ field }) => field.changes));
  const pieces = parts.flatMap(({ leaf, piece }) => (leaf && piece !== undefined ? [{ leaf, piece }] : []));
  const byPlace = [...grouped(pieces, ({ leaf }) => leaf.pointer)];
  // Set outer values before those within them.
  byPlace.sort(([one], [other]) => steps(one).length - steps(other).length);
  for (const [pointer, own] of byPlace) {
    const { alike = [], made = whole } = own[0]?.leaf ?? {};
    const here = own.map(({ piece }) => piece);
    for (const place of [pointer, ...alike]) body = putMember(body, place, made(here, at(ordinary, place) ?? null));
  }
  return body;
}
