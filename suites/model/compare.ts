import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { same } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { propertiesOf } from '../judge/compared.ts';
import { compareEcho } from '../judge/echo.ts';
import { sameState } from '../state/difference.ts';
import type { Claim, Moment } from './knowledge.ts';
import { kinds } from './resources.ts';

/** How a field is compared: as a request documents it, and as an answer does. */
export interface Compared {
  readonly asked: Schema | undefined;
  readonly shown: Schema | undefined;
}

/** Whether a sent value is the one that is shown; order, letter case of tags and types are judged where it is answered. */
export const isAsSent = (sent: Json, got: unknown, asked: Schema | undefined): boolean =>
  compareEcho(sent, got, asked, '').every(({ kind }) => kind === 'soft' || kind === 'order' || kind === 'type');

/** Whether a value that is shown is the one that a claim allows. An open one allows any. */
export function agrees({ how, value }: Claim, got: unknown, { asked, shown }: Compared): boolean {
  if (how === 'open') return true;
  if (same(value as Json, got as Json)) return true;
  if (how === 'answered') return mayBeSame(value, got, shown);
  return how === 'sent'
    ? isAsSent(value as Json, got, asked) || sameState(value, got, asked, shown)
    : sameState(value ?? null, got ?? null, asked, shown);
}

/** Units, in milliseconds, to which a time may be rounded. */
const units = [1_000, 60_000, 3_600_000, 86_400_000];

/** Whether two numbers can be one time: either may be rounded, or be given in seconds (section 2.1 names no unit). */
function mayBeSameTime(one: number, other: number): boolean {
  const isRounded = (fine: number, coarse: number): boolean =>
    units.some(unit => coarse % unit === 0 && Math.abs(fine - coarse) < unit) || Math.abs(fine / 1_000 - coarse) < 1;
  return one === other || isRounded(one, other) || isRounded(other, one);
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/**
 * Whether what two operations show of one thing can be the same: either may leave members out, lists may stand in another
 * order, JSON in another layout, and times be rounded.
 */
export function mayBeSame(one: unknown, other: unknown, schema: Schema | undefined): boolean {
  if (one === null || other === null || one === undefined || other === undefined) return true;
  if (typeof one === 'string' && typeof other === 'string') return withoutSpace(one) === withoutSpace(other);
  if (typeof one === 'number' && typeof other === 'number' && schema?.annotation?.formatHint === 'timestamp')
    return mayBeSameTime(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    const left = [...other];
    for (const item of one) {
      const place = left.findIndex(it => mayBeSame(item, it, schema?.items));
      if (place < 0) return false;
      left.splice(place, 1);
    }
    return left.length === 0;
  }
  const properties = propertiesOf(schema);
  if (!isObject(one) || !isObject(other) || properties === undefined)
    return sameState(one, other, undefined, undefined);
  return Object.keys(properties).every(name => mayBeSame(one[name], other[name], properties[name]));
}

/**
 * Whether an answer that began later shows what a write sent that need not be kept, or what its answer showed: it was
 * kept, and stays.
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

/** Whether an answer may show a value of a field at all. */
export const isTyped = (got: unknown, { shown }: Compared): boolean =>
  got === undefined || shown === undefined || validatorFor(shown)(got).length === 0;

/** A value that anybody may have written, and written again: one of few. */
export const isCommon = (value: unknown, { asked, shown }: Compared): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.length === 0) ||
  (asked?.enum ?? shown?.enum) !== undefined;

/** The documented fields that the answers of an operation show of an entity, but for those that say nothing. */
export const comparedFields = memoized((row: Endpoint): ReadonlyMap<string, Compared> => {
  const kind = kinds[row.resource];
  const data = kind.set === undefined ? row.data : row.data.properties?.[kind.set]?.items;
  const asks = kind.set === undefined ? kind.row?.body : kind.row?.body?.properties?.[kind.set]?.items;
  return new Map(
    Object.entries(data?.properties ?? {})
      .filter(([name]) => !kind.leaveOut.includes(name))
      .map(([name, shown]) => [name, { asked: asks?.properties?.[name], shown }]),
  );
});
