import { isJson, isObject } from '../../../contracts/json.ts';
import type { ParsedBody } from '../../protocol/reply.ts';
import { endOfString } from '../../protocol/text-bounds.ts';
import { valuesWithin } from './values.ts';

/** Yields what stands between the texts of a JSON text: its numbers and signs. */
function* betweenTexts(text: string): Generator<string> {
  for (let at = 0; at <= text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    yield text.slice(at, end);
    at = endOfString(text, end) + 1;
  }
}

/** Returns the number of member names in a JSON text, duplicates included: a colon follows each of them. */
function namesWritten(text: string): number {
  let count = 0;
  for (const between of betweenTexts(text)) count += Number(between.includes(':'));
  return count;
}

/** Counts the members of a parsed value, and tells whether one of its numbers overflowed to infinity. */
function lookThrough(value: unknown): { names: number; hasEndless: boolean } {
  const found = { names: 0, hasEndless: false };
  for (const one of valuesWithin(value)) {
    if (typeof one === 'number' && !Number.isFinite(one)) found.hasEndless = true;
    if (isObject(one)) found.names += Object.keys(one).length;
  }
  return found;
}

/** The problem of a body that begins with a byte order mark; a server may ignore it (RFC 8259 section 8.1). */
export const mark = 'begins with a byte order mark, which JSON never does (RFC 8259 section 8.1)';

/** The problem of a body with a duplicate name; servers differ about which value counts (RFC 8259 section 4). */
export const twice = 'names a member twice (RFC 8259 section 4)';

/** NUL and unpaired surrogates as JSON escapes: it is open what servers store for them. */
const openCharacters =
  /\\u0000|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i;

/** Returns the significant digits of a number in its shortest form. */
const digitsOf = (value: number): string =>
  value
    .toExponential()
    .replace(/e.*|[-.]/g, '')
    .replace(/0+$/, '');

/** True if a number with a fraction or an exponent has more digits than a double keeps. */
function isFiner(number: string, whole: string, fraction: string): boolean {
  if (number === whole || number === `-${whole}`) return false;
  const digits = `${whole}${fraction}`.replace(/^0+|0+$/g, '');
  const value = Number(number);
  // A double keeps 15 digits of any number that is not too small for it.
  return digits.length > 15 ? digitsOf(value) !== digits : digits !== '' && value === 0;
}

/**
 * True if servers may read a number of a JSON text differently (RFC 8259 section 6): rounded to a double it is at a
 * bound, or is 0, but as written it is not. Integers never count: no stated bound is near those that doubles cannot
 * hold.
 */
export function hasFinerNumber(text: string): boolean {
  for (const between of betweenTexts(text))
    for (const [number, whole = '', fraction = ''] of between.matchAll(/-?(\d+)(?:\.(\d+))?(?:e[+-]?\d+)?/gi))
      if (isFiner(number, whole, fraction)) return true;
  return false;
}

/**
 * How open the meaning of a body is. `reason`: the client is to blame, and servers may treat the body as they like.
 * `unknown`: it holds values that servers may store in any way, such as unpaired surrogates or numbers that no double
 * holds (RFC 8259 section 6).
 */
type Openness = { readonly kind: 'reason'; readonly why: string } | { readonly kind: 'unknown' };

/** Returns why the meaning of a body is open; undefined if it is not. */
export function opennessOf(body: ParsedBody): Openness | undefined {
  if (body.kind === 'broken')
    return body.text.startsWith('\uFEFF') && isJson(body.text.slice(1)) ? { kind: 'reason', why: mark } : undefined;
  if (body.kind === 'empty') return undefined;
  const { names, hasEndless } = lookThrough(body.value);
  if (names !== namesWritten(body.text)) return { kind: 'reason', why: twice };
  return hasEndless || openCharacters.test(body.text) ? { kind: 'unknown' } : undefined;
}
