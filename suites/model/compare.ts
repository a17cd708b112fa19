import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { same } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { propertiesOf } from '../judge/compared.ts';
import { agreeInAnyOrder, compareEcho, type Mismatch } from '../judge/echo.ts';
import { sameState } from '../state/difference.ts';
import type { Claim, Moment } from './knowledge.ts';
import { entitySchema, kinds } from './resources.ts';

/** The schema of a field in requests and in answers. */
export interface Compared {
  readonly asked: Schema | undefined;
  readonly shown: Schema | undefined;
}

/** True if a value differs from the sent one in nothing but what these kinds of mismatch say. */
const differsIn = (sent: Json, got: unknown, asked: Schema | undefined, kinds: readonly Mismatch['kind'][]): boolean =>
  compareEcho(sent, got, asked, '').every(({ kind }) => kinds.includes(kind));

/** True if a sent value is the one shown. Order, letter case of tags, and types are judged in the write's answer. */
export const isAsSent = (sent: Json, got: unknown, asked: Schema | undefined): boolean =>
  differsIn(sent, got, asked, ['soft', 'order', 'type']);

/**
 * True if a claim allows the value that is shown. An open claim allows any. An order that counts stays as it was sent:
 * if the answer to the write shows another one, that is a claim of its own.
 */
export function agrees(
  { how, value }: Pick<Claim, 'how' | 'value'>,
  got: unknown,
  { asked, shown }: Compared,
): boolean {
  if (how === 'open') return true;
  if (same(value as Json, got as Json)) return true;
  if (how === 'answered') return mayBeSame(value, got, shown);
  return how === 'sent'
    ? differsIn(value as Json, got, asked, ['soft', 'type']) || sameState(value, got, asked, shown)
    : sameState(value ?? null, got ?? null, asked, shown);
}

/** Units, in milliseconds, to which a time may be rounded. */
const units = [1_000, 60_000, 3_600_000, 86_400_000];

/** True if two numbers can be the same time: either may be rounded, or in seconds (section 2.1 names no unit). */
function mayBeSameTime(one: number, other: number): boolean {
  const isRounded = (fine: number, coarse: number): boolean =>
    units.some(unit => coarse % unit === 0 && Math.abs(fine - coarse) < unit) || Math.abs(fine / 1_000 - coarse) < 1;
  return one === other || isRounded(one, other) || isRounded(other, one);
}

/** Maximum number of list items that are compared each with each: a longer list has to be the same, in any order. */
const mostPaired = 500;

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/**
 * True if the values that two operations show can mean the same: either may leave members out, reorder lists, lay out
 * JSON differently or round times.
 */
export function mayBeSame(one: unknown, other: unknown, schema: Schema | undefined): boolean {
  if (one === null || other === null || one === undefined || other === undefined) return true;
  if (typeof one === 'string' && typeof other === 'string') return withoutSpace(one) === withoutSpace(other);
  if (typeof one === 'number' && typeof other === 'number' && schema?.annotation?.formatHint === 'timestamp')
    return mayBeSameTime(one, other);
  if (Array.isArray(one) && Array.isArray(other) && one.length <= mostPaired)
    return agreeInAnyOrder(one, other, (item, candidate) => mayBeSame(item, candidate, schema?.items));
  const properties = propertiesOf(schema);
  if (!isObject(one) || !isObject(other) || properties === undefined)
    return sameState(one, other, undefined, undefined);
  return Object.keys(properties).every(name => mayBeSame(one[name], other[name], properties[name]));
}

/**
 * True if a later answer shows a value that need not be kept: the write sent it, or its own answer showed it. The
 * service kept it, so it stays.
 */
export const isKept = (claim: Claim, begun: Moment, got: unknown, compared: Compared): boolean =>
  claim.ended < begun.place &&
  (claim.how === 'answered'
    ? agrees(claim, got, compared)
    : claim.how === 'open' &&
      claim.write?.outcome === 'accepted' &&
      compared.asked?.annotation?.compare === 'never' &&
      claim.value !== undefined &&
      sameState(claim.value, got, compared.asked, compared.shown));

/** True if an answer may show this value of a field at all. */
export const isTyped = (got: unknown, { shown }: Compared): boolean =>
  got === undefined || shown === undefined || validatorFor(shown)(got).length === 0;

/** True if others may well have written a value too, because few are possible. */
export const isCommon = (value: unknown, { asked, shown }: Compared): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.length === 0) ||
  (asked?.enum ?? shown?.enum) !== undefined;

/** Returns the documented fields of an entity in an operation's answers, without those that say nothing of writes. */
export const comparedFields = memoized((row: Endpoint): ReadonlyMap<string, Compared> => {
  const kind = kinds[row.resource];
  const asks = entitySchema(kind.row?.body, kind);
  return new Map(
    Object.entries(entitySchema(row.data, kind)?.properties ?? {})
      .filter(([name]) => !kind.leaveOut.includes(name))
      .map(([name, shown]) => [name, { asked: asks?.properties?.[name], shown }]),
  );
});
