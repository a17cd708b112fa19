import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { asText, isObject, type Json, type JsonObject, type Members } from '../../contracts/json.ts';
import { join, same } from '../../contracts/pointer.ts';
import { propertiesOf } from './compared.ts';

/** One way in which what came back is not what was sent. */
export interface Mismatch {
  readonly pointer: string;
  /**
   * `soft`: only order, letter case, duplicates or white space at the ends differ. `type`: another JSON type, which the
   * schema of the answer judges wherever it documents one.
   */
  readonly kind: 'wrong' | 'missing' | 'soft' | 'order' | 'free-form' | 'type';
  readonly sent: unknown;
  readonly got: unknown;
}

/** A null is a value of its own (it may be documented beside a type); other types are left to the answer's schema. */
const otherType = (sent: Json, got: unknown, pointer: string): Mismatch => ({
  pointer,
  kind: got === null || sent === null ? 'wrong' : 'type',
  sent,
  got,
});

/** A list in any order: elements that agree are struck out pairwise. */
function sameElements(sent: readonly Json[], got: readonly unknown[], items: Schema | undefined): boolean {
  if (sent.length !== got.length) return false;
  const left = [...got];
  return sent.every(item => {
    const at = left.findIndex(other => compareEcho(item, other, items, '').length === 0);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}

/** A list of texts as a set, whatever the letter case, the blanks around them and the order. */
export const folded = (list: readonly unknown[]): string =>
  JSON.stringify([...new Set(list.map(item => asText(item).trim().toLowerCase()))].sort());

/** A text or a list of texts as a set: `a,b`, `["a","b"]` and `["b","a"]` say the same. */
const asSet = (value: unknown): string =>
  folded((Array.isArray(value) ? value : asText(value).split(',')).filter(item => asText(item).trim() !== ''));

/** Members that a service gives anew with each write: which thing it is, and when and by whom it was made. */
const givenAnew = /^(id|version)$|(ID|Id|_id|Time|_time|At|_at|By|_by)$/;

/** Compares what the specification does not show the inside of by the members that were sent. */
const compareMembers = (sent: JsonObject, got: Members, schema: Schema | undefined, pointer: string): Mismatch[] =>
  Object.entries(sent)
    .filter(([name]) => !givenAnew.test(name))
    .flatMap(([name, value]) =>
      compareEcho(value, Object.hasOwn(got, name) ? got[name] : undefined, schema, join(pointer, name)),
    );

function compareLists(sent: Json[], got: Json[], schema: Schema | undefined, pointer: string): Mismatch[] {
  const how = schema?.annotation?.compare;
  if (same(sent, got)) return [];
  if (how === 'tags') return [{ pointer, kind: folded(sent) === folded(got) ? 'soft' : 'wrong', sent, got }];
  if (sent.length !== got.length) return [{ pointer, kind: 'wrong', sent, got }];
  const items = how === 'members' ? schema : schema?.items;
  const mismatches = sent.flatMap((item, index) => compareEcho(item, got[index], items, join(pointer, index)));
  if (mismatches.some(({ kind }) => kind !== 'soft') && sameElements(sent, got, items))
    return [{ pointer, kind: how === undefined ? 'order' : 'soft', sent, got }];
  return mismatches;
}

/** Names by which an object is made, in some languages: a service may keep them out. */
const reserved: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** A free-form value without the members that a service may drop, at every depth. */
function withoutReserved(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutReserved);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !reserved.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutReserved(member)]));
}

/**
 * Compares a sent value with the one that came back (undefined: absent), guided by the schema of the request: objects
 * with documented members by the members that were sent, free-form objects and lists as a whole, texts code point for
 * code point, numbers as numbers (RFC 8259 has no negative zero worth telling from zero). Returns every difference with
 * its place.
 */
export function compareEcho(sent: Json, got: unknown, schema: Schema | undefined, pointer: string): Mismatch[] {
  const how = schema?.annotation?.compare;
  if (how === 'never') return [];
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
      // Most members are alike, and no pointer is written for them.
      return one === other ? [] : compareEcho(one, other, properties[key], join(pointer, key));
    });
  }
  if (sent === got) return [];
  if (typeof sent !== typeof got || got === null) return [otherType(sent, got, pointer)];
  const soft = typeof sent === 'string' && typeof got === 'string' && sent.trim() === got.trim();
  return [{ pointer, kind: soft ? 'soft' : 'wrong', sent, got }];
}

/**
 * Compares what was last sent of an entity with the entity as it was read back (`at` is its JSON Pointer), field by
 * field, for those that stand in `shown`. Leaves out what is SHOULD only (`soft`) and what the schema of the answer
 * judges (`type`).
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
