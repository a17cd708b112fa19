import type { ObjectSchema, Schema, StringSchema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { lastResults, memoized } from '../../contracts/memoized.ts';
import { at, join, putMember, steps } from '../../contracts/pointer.ts';
import { codePoints } from './characters.ts';
import { capabilityMissing, companionOf, isGroups, isReference } from './context.ts';
import { freeMembers } from './free-form.ts';
import { exampleValues, nodeOf, sendableBooleans } from './node.ts';
import { limits } from './numbers.ts';
import { oddNumber } from './odd-numbers.ts';
import { conditions, formedTexts, isUnbounded, longText, marks, nullWord, type OddText, words } from './odd-texts.ts';
import { listOf } from './varied.ts';
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
}

/** The kinds of odd values in a request; `flags`: booleans turned so that no two are alike in all requests. */
export type PartKind = 'marks' | 'words' | 'nulls' | 'long' | 'lists' | 'numbers' | 'negatives' | 'free-form' | 'flags';

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
const between = (pieces: readonly Json[], ordinary: Json): Json => [ordinary, ...pieces, 'end'].join(' ');

const around = (pieces: readonly Json[], query: Json): Json =>
  pieces.length === 0 ? query : `SELECT * FROM (${String(query)}) AS source WHERE ${pieces.join(' AND ')}`;

const members = (pieces: readonly Json[], ordinary: Json): Json =>
  Object.fromEntries([...Object.entries(isObject(ordinary) ? ordinary : {}), ...(pieces as [string, Json][])]);

/** Returns the marks for a text, as many as its length has room for. */
function marksFor(schema: StringSchema, ordinary: string): readonly OddText[] {
  let left = (schema.maxLength ?? Number.POSITIVE_INFINITY) - codePoints(ordinary) - ' end'.length;
  return marks.filter(([, text]) => {
    const length = codePoints(text) + 1;
    if (length > left) return false;
    left -= length;
    return true;
  });
}

/** Makes the parts of the places of a body, in the order of its fields. */
class Places {
  readonly parts: Part[] = [];
  private readonly body: JsonObject;
  private readonly input: PartsInput;
  private count = 0;
  private flags = 0;
  private readonly companions: ReadonlySet<string>;

  /** @param companions what other fields stand beside, by JSON Pointer: a flag among these stays. */
  constructor(body: JsonObject, input: PartsInput, companions: ReadonlySet<string>) {
    this.body = body;
    this.input = input;
    this.companions = companions;
  }

  private add(leaf: Leaf, pieces: readonly (readonly [what: string, piece: Json])[]): void {
    for (const [what, piece] of pieces) this.parts.push({ field: leaf.field, what, leaf, piece });
  }

  private has(kind: PartKind): boolean {
    return this.input.kinds.includes(kind);
  }

  /** Adds the parts of the value at a pointer. */
  visit(schema: Schema, pointer: string, field: WideField, alike: readonly string[] = []): void {
    const { annotation } = schema;
    const { context } = field.field;
    if (annotation?.compare === 'never' || annotation?.semantics === 'guarded' || annotation?.creates === true) return;
    if (isReference(schema) || capabilityMissing(schema, context.capabilities ?? ({ has: () => true } as never)))
      return;
    const value = at(this.body, pointer);
    if (value === undefined || value === null) return;
    const node = nodeOf(schema);
    const leaf = (made: Leaf['made']): Leaf => ({ field, pointer, made, alike });
    const turn = this.input.turn + this.count;
    const isText = typeof value === 'string';
    if (node.kind === 'string' && isText) this.visitText(node.schema, value, leaf, turn);
    else if (node.kind === 'number' || node.kind === 'integer') {
      this.count += 1;
      const which = this.has('negatives') ? 0 : this.has('numbers') ? turn : undefined;
      const odd = which === undefined ? undefined : oddNumber(node.schema, node.kind === 'integer', which);
      if (odd !== undefined) this.add(leaf(whole), [odd]);
    } else if (node.kind === 'boolean' && typeof value === 'boolean') this.visitFlag(schema, value, leaf(whole));
    else if (node.kind === 'any' && isText && exampleValues(schema).every(one => typeof one === 'string'))
      this.visitText({ type: 'string' }, value, leaf, turn);
    else if (node.kind === 'array' && Array.isArray(value)) {
      if (this.visitList(schema, field, leaf)) return;
      if (node.schema.items === undefined) return;
      if (isGroups(schema)) this.visitGroups(node.schema.items, value, pointer, field);
      else for (const index of value.keys()) this.visit(node.schema.items, join(pointer, index), field);
    } else if (node.kind === 'object' && isObject(value)) {
      const { properties } = node.schema;
      if (properties !== undefined)
        for (const [name, member] of Object.entries(properties)) this.visit(member, join(pointer, name), field);
      else if (this.has('free-form') && node.schema.additionalProperties !== false)
        this.add(
          leaf(members),
          freeMembers.map(([what, name, member]) => [what, [name, member]]),
        );
    }
  }

  private visitText(schema: StringSchema, value: string, leaf: (made: Leaf['made']) => Leaf, turn: number): void {
    const isQuery = schema.annotation?.formatHint === 'sql';
    if (isQuery && this.has('marks')) this.add(leaf(around), conditions);
    if (isQuery || !isUnbounded(schema)) return;
    this.count += 1;
    const formed = formedTexts(schema);
    if (formed !== undefined) {
      const one = formed[turn % formed.length];
      if (one !== undefined && (this.has('marks') || this.has('words'))) this.add(leaf(whole), [one]);
      return;
    }
    if (this.has('marks')) this.add(leaf(between), marksFor(schema, value));
    const word = this.has('nulls') ? nullWord : words[turn % words.length];
    if ((this.has('words') || this.has('nulls')) && word !== undefined && (schema.minLength ?? 0) <= word[1].length)
      this.add(leaf(whole), [word]);
    const { length } = this.input;
    if (this.has('long') && length !== undefined && schema.maxLength === undefined)
      this.add(leaf(whole), [[`a text of ${length} characters`, `${value} ${longText(length - value.length - 1)}`]]);
  }

  /** Sets a flag by the digit of its number; flags of living things, such as groups, stay. */
  private visitFlag(schema: Schema, value: boolean, leaf: Leaf): void {
    const { schema: top } = leaf.field.field;
    const isLiving = isGroups(top) || top.annotation?.varies !== undefined;
    if (isLiving || sendableBooleans(schema).length < 2 || this.companions.has(leaf.pointer)) return;
    this.flags += 1;
    const turned = ((this.flags >> (this.input.digit ?? 0)) & 1) === 1;
    if (this.has('flags') && turned !== value) this.add(leaf, [[`${turned}`, turned]]);
  }

  /** Adds the list at greater length; returns true if it did. */
  private visitList(schema: Schema, { field: { context } }: WideField, leaf: (made: Leaf['made']) => Leaf): boolean {
    const node = nodeOf(schema);
    const { items: count } = this.input;
    if (node.kind !== 'array' || node.schema.items === undefined || count === undefined) return false;
    if (!this.has('lists') || node.schema.maxItems !== undefined || isGroups(schema)) return false;
    const item = nodeOf(node.schema.items);
    if (item.kind === 'integer' && limits(item.schema, true).high !== undefined) return false;
    const list = listOf(node.schema, context, 0, count);
    const distinct = list === undefined ? [] : manyOf(list, node.schema.items, count);
    if (distinct.length < count) return false;
    this.add(leaf(whole), [[`${count} items`, distinct]]);
    return true;
  }

  /** Adds the parts of groups. Members that must be alike get the same pieces, on ordinary values that differ. */
  private visitGroups(items: Schema, groups: readonly Json[], pointer: string, field: WideField): void {
    const properties = nodeOf(items).kind === 'object' ? ((items as ObjectSchema).properties ?? {}) : {};
    for (const [name, member] of Object.entries(properties)) {
      if (name === 'name' || name === 'size') continue;
      const places = [...groups.keys()].map(index => join(join(pointer, index), name));
      const [first = '', ...others] = places;
      if (member.annotation?.alike === true) this.visit(member, first, field, others);
      else for (const place of places) this.visit(member, place, field);
    }
  }
}

/** Returns a list made longer with items of its own kind, each told apart by its number; empty if it cannot be. */
function manyOf(list: readonly Json[], items: Schema, count: number): Json[] {
  if (list.length >= count) return list.slice(0, count);
  const node = nodeOf(items);
  const member = node.kind === 'object' ? nameOfText(node.schema) : undefined;
  if (list.length === 0 || (node.kind === 'object' ? member === undefined : node.kind !== 'string')) return [];
  if (isReference(items)) return [];
  return Array.from({ length: count }, (_, index) => {
    const item = list[index % list.length] ?? null;
    const named = (text: Json | undefined): string => `${String(text)} ${index + 1}`;
    return isObject(item) && member !== undefined ? { ...item, [member]: named(item[member]) } : named(item);
  });
}

/** Returns the name of the first member of an object that may hold any text. */
const nameOfText = ({ properties = {} }: ObjectSchema): string | undefined =>
  Object.entries(properties).find(([, member]) => {
    const node = nodeOf(member);
    return (
      node.kind === 'string' &&
      !isReference(member) &&
      isUnbounded(node.schema) &&
      node.schema.annotation?.formatHint !== 'url'
    );
  })?.[0];

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

function partsOf({ fields, body }: WideBody, input: PartsInput): readonly Part[] {
  const beside = fields.flatMap(({ field }) => field.schema.annotation?.beside ?? []);
  const places = new Places(body, input, new Set(beside.map(entry => companionOf(entry).pointer)));
  for (const field of fields) places.visit(field.field.schema, field.field.pointer, field);
  const order = new Map<string, number>();
  for (const { what } of places.parts) if (!order.has(what)) order.set(what, order.size);
  return places.parts.toSorted((a, b) => (order.get(a.what) ?? 0) - (order.get(b.what) ?? 0));
}

/** Returns the template with the fields of some parts at ordinary values, and with their pieces at their places. */
export function bodyOfParts(parts: readonly Part[], { template, body: ordinary }: WideBody): JsonObject {
  let body: JsonObject = Object.assign({}, template, ...parts.map(({ field }) => field.changes));
  const byLeaf = new Map<string, { leaf: Leaf; pieces: Json[] }>();
  for (const { leaf, piece } of parts) {
    if (leaf === undefined || piece === undefined) continue;
    const known = byLeaf.get(leaf.pointer);
    if (known === undefined) byLeaf.set(leaf.pointer, { leaf, pieces: [piece] });
    else known.pieces.push(piece);
  }
  // Set outer values before those within them.
  const sorted = [...byLeaf.values()].sort((a, b) => steps(a.leaf.pointer).length - steps(b.leaf.pointer).length);
  for (const { leaf, pieces } of sorted)
    for (const place of [leaf.pointer, ...leaf.alike])
      body = putMember(body, place, leaf.made(pieces, at(ordinary, place) ?? null));
  return body;
}
