import type { ObservedHeaders } from '../exchange/exchange.ts';
import { listIn, valuesOf } from '../exchange/headers.ts';
import { type RequestHead, type ResponseHead, Unreadable } from './head.ts';

/** How a body ends (RFC 9112 section 6.3). */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

const none: Framing = { kind: 'none' };

/** Returns the stated length; undefined if there is none. Throws if it is no number, or if two differ. */
function statedLength(headers: ObservedHeaders): number | undefined {
  const stated = new Set(valuesOf(headers, 'content-length').flatMap(value => value.split(',').map(one => one.trim())));
  if (stated.size === 0) return undefined;
  const [length = ''] = stated;
  if (stated.size > 1 || !/^\d{1,15}$/.test(length)) throw new Unreadable('the length that the head states is none');
  return Number(length);
}

const ofLength = (bytes: number): Framing => (bytes === 0 ? none : { kind: 'length', bytes });

/** Returns how the body of a request ends. Throws `Unreadable` if two servers might read it differently. */
export function requestFraming({ headers }: RequestHead): Framing {
  const codings = listIn(headers, 'transfer-encoding');
  const length = statedLength(headers);
  if (codings.length === 0) return ofLength(length ?? 0);
  if (length !== undefined) throw new Unreadable('the request states a length and a transfer coding');
  if (codings.at(-1) !== 'chunked') throw new Unreadable('the request has a transfer coding without an end');
  return { kind: 'chunked' };
}

/** Returns how the body of an answer ends. Interim answers (1xx) and answers to HEAD have none. */
export function responseFraming({ status, headers }: ResponseHead, method: string): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return none;
  const codings = listIn(headers, 'transfer-encoding');
  if (codings.length > 0) return { kind: codings.at(-1) === 'chunked' ? 'chunked' : 'until-close' };
  const length = statedLength(headers);
  return length === undefined ? { kind: 'until-close' } : ofLength(length);
}
