import type { ObservedHeaders } from '../exchange/exchange.ts';
import { listIn, valuesOf } from '../exchange/headers.ts';
import { type RequestHead, type ResponseHead, Unreadable } from './head.ts';

/** How the end of a body is told (RFC 9112 section 6.3). */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

const none: Framing = { kind: 'none' };

/** The length that the head states; undefined where it states none. Throws for one that is no number, or two. */
function statedLength(headers: ObservedHeaders): number | undefined {
  const stated = new Set(valuesOf(headers, 'content-length').flatMap(value => value.split(',').map(one => one.trim())));
  if (stated.size === 0) return undefined;
  const [length = ''] = stated;
  if (stated.size > 1 || !/^\d{1,15}$/.test(length)) throw new Unreadable('the length that the head states is none');
  return Number(length);
}

const ofLength = (bytes: number): Framing => (bytes === 0 ? none : { kind: 'length', bytes });

/** How the body of a request ends. Throws `Unreadable` where two servers might read it differently. */
export function requestFraming({ headers }: RequestHead): Framing {
  const codings = listIn(headers, 'transfer-encoding');
  const length = statedLength(headers);
  if (codings.length === 0) return ofLength(length ?? 0);
  if (length !== undefined) throw new Unreadable('the request states a length and a transfer coding');
  if (codings.at(-1) !== 'chunked') throw new Unreadable('the request has a transfer coding without an end');
  return { kind: 'chunked' };
}

/** How the body of an answer to a method ends. An interim answer (1xx) and one to HEAD have none. */
export function responseFraming({ status, headers }: ResponseHead, method: string): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return none;
  const codings = listIn(headers, 'transfer-encoding');
  if (codings.length > 0) return { kind: codings.at(-1) === 'chunked' ? 'chunked' : 'until-close' };
  const length = statedLength(headers);
  return length === undefined ? { kind: 'until-close' } : ofLength(length);
}
