import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { same } from '../../contracts/pointer.ts';
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
  return how === 'sent'
    ? isAsSent(value as Json, got, asked) || sameState(value, got, asked, shown)
    : sameState(value ?? null, got ?? null, asked, shown);
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/**
 * Whether what two operations show of one thing can be the same: either may leave members out, lists may stand in another
 * order, and JSON in another layout.
 */
export function mayBeSame(one: unknown, other: unknown, schema: Schema | undefined): boolean {
  if (one === null || other === null || one === undefined || other === undefined) return true;
  if (typeof one === 'string' && typeof other === 'string') return withoutSpace(one) === withoutSpace(other);
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

/** Whether an answer that began later shows what a write sent that need not be kept: it was kept, and stays. */
export const isKept = (claim: Claim, begun: Moment, got: unknown, { asked, shown }: Compared): boolean =>
  claim.how === 'open' &&
  claim.write?.outcome === 'accepted' &&
  claim.ended < begun.place &&
  asked?.annotation?.compare === 'never' &&
  claim.value !== undefined &&
  sameState(claim.value, got, asked, shown);

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
