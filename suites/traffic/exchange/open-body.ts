import { isJson, isObject } from '../../../contracts/json.ts';
import type { ParsedBody } from '../../protocol/reply.ts';
import { valuesWithin } from './values.ts';

/** Where the text that begins at a quote ends: its closing quote; -1 where there is none. */
function closingQuote(text: string, opening: number): number {
  for (let end = text.indexOf('"', opening + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** So many members a JSON text names, those that it names twice counted twice. */
function namesWritten(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; ) {
    const end = closingQuote(text, at);
    if (end < 0) break;
    let next = end + 1;
    while (text[next] === ' ' || text[next] === '\n' || text[next] === '\r' || text[next] === '\t') next += 1;
    if (text[next] === ':') count += 1;
    at = text.indexOf('"', end + 1);
  }
  return count;
}

/** So many members the parsed value has, and whether a number of it was too large for any double. */
function lookThrough(value: unknown): { names: number; hasEndless: boolean } {
  const found = { names: 0, hasEndless: false };
  for (const one of valuesWithin(value)) {
    if (typeof one === 'number' && !Number.isFinite(one)) found.hasEndless = true;
    if (isObject(one)) found.names += Object.keys(one).length;
  }
  return found;
}

/** Says of a body that begins with it; a server may ignore it (RFC 8259 section 8.1). */
export const mark = 'begins with a byte order mark, which JSON never does (RFC 8259 section 8.1)';

/** Says of a body that names a member twice; servers differ about which of the two counts (RFC 8259 section 4). */
export const twice = 'names a member twice (RFC 8259 section 4)';

/** NUL, and one half of a pair of surrogates without the other, as JSON writes them: what servers store then is open. */
const openCharacters =
  /\\u0000|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i;

/** The significant digits of a number, as briefly as it can be written. */
const digitsOf = (value: number): string =>
  value
    .toExponential()
    .replace(/e.*|[-.]/g, '')
    .replace(/0+$/, '');

/** Whether a number with a fraction or an exponent is written more finely than doubles tell numbers apart. */
function isFiner(number: string, whole: string, fraction: string): boolean {
  if (number === whole || number === `-${whole}`) return false;
  const digits = `${whole}${fraction}`.replace(/^0+|0+$/g, '');
  const value = Number(number);
  // A double keeps 15 digits of every number that is not too small for it.
  return digits.length > 15 ? digitsOf(value) !== digits : digits !== '' && value === 0;
}

/**
 * True of a JSON text with a number that servers take for two: a double is at a bound, or is 0, where what is written is
 * beyond (RFC 8259 section 6). Whole numbers are none: no stated bound is near those that doubles leave out.
 */
export function hasFinerNumber(text: string): boolean {
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    const numbers = text.slice(at, quote < 0 ? undefined : quote).matchAll(/-?(\d+)(?:\.(\d+))?(?:e[+-]?\d+)?/gi);
    for (const [number, whole = '', fraction = ''] of numbers) if (isFiner(number, whole, fraction)) return true;
    const end = quote < 0 ? -1 : closingQuote(text, quote);
    if (end < 0) return false;
    at = end + 1;
  }
}

/**
 * How open it is what a body means. `reason`: its client is to blame, and servers may make of it what they like.
 * `unknown`: it holds values of which nobody states what servers store (characters that are none; numbers that no double
 * holds, RFC 8259 section 6).
 */
export type Openness = { readonly kind: 'reason'; readonly why: string } | { readonly kind: 'unknown' };

/** Tells what of a body is open; undefined where nothing is. */
export function opennessOf(body: ParsedBody): Openness | undefined {
  if (body.kind === 'broken')
    return body.text.startsWith('\uFEFF') && isJson(body.text.slice(1)) ? { kind: 'reason', why: mark } : undefined;
  if (body.kind === 'empty') return undefined;
  const { names, hasEndless } = lookThrough(body.value);
  if (names !== namesWritten(body.text)) return { kind: 'reason', why: twice };
  return hasEndless || openCharacters.test(body.text) ? { kind: 'unknown' } : undefined;
}
