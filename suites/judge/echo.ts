import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { asText, isObject, type Json, type JsonObject, type Members } from '../../contracts/json.ts';
import { join, same } from '../../contracts/pointer.ts';
import { propertiesOf } from './compared.ts';

/** One way in which a returned value differs from the sent one. */
export interface Mismatch {
  readonly pointer: string;
  /**
   * `soft`: only order, letter case, duplicates or outer white space differ. `type`: another JSON type, which the
   * schema of the answer judges wherever it documents one.
   */
  readonly kind: 'wrong' | 'missing' | 'soft' | 'order' | 'free-form' | 'type';
  readonly sent: unknown;
  readonly got: unknown;
}

/**
 * Null is a value of its own, because it may be documented beside a type. Other types are left to the answer's schema.
 */
const otherType = (sent: Json, got: unknown, pointer: string): Mismatch => ({
  pointer,
  kind: got === null || sent === null ? 'wrong' : 'type',
  sent,
  got,
});

/** True if two lists agree in any order: agreeing items are struck out pairwise. */
export function agreeInAnyOrder<T>(
  one: readonly T[],
  other: readonly unknown[],
  agree: (item: T, other: unknown) => boolean,
): boolean {
  if (one.length !== other.length) return false;
  const left = [...other];
  return one.every(item => {
    // An equal item first: another may need the one that merely agrees.
    const equal = left.findIndex(candidate => same(item as Json, candidate as Json));
    const at = equal >= 0 ? equal : left.findIndex(candidate => agree(item, candidate));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Returns a list of texts as a set, whatever the letter case, the outer blanks and the order. */
export const folded = (list: readonly unknown[]): string =>
  JSON.stringify([...new Set(list.map(item => asText(item).trim().toLowerCase()))].sort());

/** Returns a text or a list of texts as a set: `a,b`, `["a","b"]` and `["b","a"]` say the same. */
const asSet = (value: unknown): string =>
  folded((Array.isArray(value) ? value : asText(value).split(',')).filter(item => asText(item).trim() !== ''));

/**
 * Members that a service sets anew with each write: ids, versions, times and authors. The `customID` of a condition
 * (section 2.1) is not one of them.
 */
const givenAnew = /^(id|version)$|(?<!^custom)ID$|(Id|_id|Time|_time|At|_at|By|_by)$/;

/**
 * Compares a value whose inside the specification does not show, by the members that were sent. No schema of an answer
 * judges their types, so another type is a wrong value here.
 */
const compareMembers = (sent: JsonObject, got: Members, schema: Schema | undefined, pointer: string): Mismatch[] =>
  Object.entries(sent)
    .filter(([name]) => !givenAnew.test(name))
    .flatMap(([name, value]) =>
      compareEcho(value, Object.hasOwn(got, name) ? got[name] : undefined, schema, join(pointer, name)),
    )
    .map(one => (one.kind === 'type' ? { ...one, kind: 'wrong' } : one));

function compareLists(sent: Json[], got: Json[], schema: Schema | undefined, pointer: string): Mismatch[] {
  const how = schema?.annotation?.compare;
  if (same(sent, got)) return [];
  if (how === 'tags') return [{ pointer, kind: folded(sent) === folded(got) ? 'soft' : 'wrong', sent, got }];
  if (sent.length !== got.length) return [{ pointer, kind: 'wrong', sent, got }];
  const items = how === 'members' ? schema : schema?.items;
  const mismatches = sent.flatMap((item, index) => compareEcho(item, got[index], items, join(pointer, index)));
  const isSame = (item: Json, candidate: unknown): boolean =>
    compareEcho(item, candidate, items, '').every(({ kind }) => kind === 'soft');
  if (mismatches.some(({ kind }) => kind !== 'soft') && agreeInAnyOrder(sent, got, isSame))
    return [{ pointer, kind: how === undefined ? 'order' : 'soft', sent, got }];
  return mismatches;
}

/** Names by which some languages make objects: a service may drop them. */
const reserved: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Returns a free-form value without the members that a service may drop, at every depth. */
function withoutReserved(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutReserved);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !reserved.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutReserved(member)]));
}

/**
 * Compares a sent value with the returned one (undefined: absent), guided by the schema of the request. Objects with
 * documented members are compared by the sent members, free-form objects and lists as a whole. Texts are compared by
 * code points, numbers as numbers (RFC 8259 has no negative zero worth telling from zero). Returns every difference
 * with its place.
 */
export function compareEcho(sent: Json, got: unknown, schema: Schema | undefined, pointer: string): Mismatch[] {
  const { compare: how, nullMeans } = schema?.annotation ?? {};
  if (how === 'never') return [];
  if (nullMeans !== undefined && got !== undefined && (sent === null) !== (got === null))
    return compareEcho(sent ?? [...nullMeans], got ?? nullMeans, schema, pointer);
  if (got === undefined) return sent === null ? [] : [{ pointer, kind: 'missing', sent, got }];
  if (how === 'faithful') return asSet(sent) === asSet(got) ? [] : [{ pointer, kind: 'wrong', sent, got }];
  if (Array.isArray(sent))
    return Array.isArray(got) ? compareLists(sent, got, schema, pointer) : [otherType(sent, got, pointer)];
  if (isObject(sent)) {
    if (!isObject(got)) return [otherType(sent, got, pointer)];
    if (how === 'members') return compareMembers(sent, got, schema, pointer);
    const properties = propertiesOf(schema);
    if (properties === undefined)
      return same(sent, got) || same(withoutReserved(sent), withoutReserved(got as Json))
        ? []
        : [{ pointer, kind: 'free-form', sent, got }];
    return Object.keys(sent).flatMap(key => {
      if (!Object.hasOwn(properties, key)) return [];
      const [one, other] = [sent[key] as Json, Object.hasOwn(got, key) ? got[key] : undefined];
      // Most members are equal: write no pointer for them.
      return one === other ? [] : compareEcho(one, other, properties[key], join(pointer, key));
    });
  }
  if (sent === got) return [];
  if (typeof sent !== typeof got || got === null) return [otherType(sent, got, pointer)];
  const isInstant = typeof sent === 'string' && schema?.annotation?.formatHint === 'iso-date-time';
  if (isInstant && isSameInstant(sent, asText(got))) return [];
  const isSoft = typeof sent === 'string' && typeof got === 'string' && sent.trim() === got.trim();
  return [{ pointer, kind: isSoft ? 'soft' : 'wrong', sent, got }];
}

/** A date and a time with an offset (RFC 3339 section 5.6). */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * True if two texts write one instant, with or without its fraction, in whatever zone: section 2.5 gives such a field no
 * format.
 */
const isSameInstant = (one: string, other: string): boolean =>
  instant.test(one) && instant.test(other) && Date.parse(one) === Date.parse(other);

/**
 * Compares the last sent fields of an entity with the entity as it was read back (`at` is its JSON Pointer), for the
 * fields in `shown`. Leaves out SHOULD differences (`soft`) and what the schema of the answer judges (`type`).
 */
export const storedMismatches = (
  sent: JsonObject,
  entity: Members,
  { body }: Endpoint,
  at = '/data',
  shown: Members = entity,
): Mismatch[] =>
  Object.entries(sent)
    .filter(([field]) => Object.hasOwn(shown, field))
    .flatMap(([field, value]) => compareEcho(value, entity[field], body?.properties?.[field], join(at, field)))
    .filter(({ kind }) => kind !== 'soft' && kind !== 'type');
