import { urlText } from '../url-text.ts';
import { underEscapes } from './escapes.ts';

/**
 * The spellings in which a target may echo a secret. Each is indexed by four of its characters, regardless of letter
 * case.
 */

/** Number of characters that index a spelling, and the minimum of a truncated secret before an ellipsis. */
export const gram = 4;

/** Returns a text as it would be written within a JSON string. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Spellings without escapes: unchanged, as in a form, backwards, as hexadecimal bytes. Letter case never matters. */
const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => text.replaceAll(' ', '+'),
  text => [...text].reverse().join(''),
  text => Buffer.from(text).toString('hex'),
];

/** The forms of a secret that Base64 may encode: the text itself, and as within a JSON string or a URL. */
const packed: readonly ((text: string) => string)[] = [text => text, inJson, urlText];

/** One spelling of a secret. `isExact`: letter case matters; then `+` and `/` equal `-` and `_`. */
export interface Spelling {
  readonly text: string;
  readonly mark: string;
  readonly isExact: boolean;
  /** The character before it, or the one after it with its padding, also holds some of its bits. */
  readonly sharesFirst: boolean;
  readonly sharesLast: boolean;
  /** The sort key, from `orderOf`. */
  readonly order: string;
}

/** Returns the sort key of a spelling or its beginning. Exact ones sort apart; equal characters are unified. */
export const orderOf = (text: string, isExact: boolean): string =>
  isExact
    ? `!${text.replaceAll('+', '-').replaceAll('/', '_')}`
    : ` ${text.replace(/[A-Z]+/g, capitals => capitals.toLowerCase())}`;

/** Returns the Base64 (RFC 4648 sections 4 and 5) of a text at each of three offsets, without shared characters. */
function base64Of(text: string, mark: string): Spelling[] {
  return [0, 1, 2].map(offset => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const own = bytes.toString('base64url').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    const sharesLast = bytes.length % 3 > 0;
    return { text: own, mark, isExact: true, sharesFirst: offset > 0, sharesLast, order: orderOf(own, true) };
  });
}

/** Returns every spelling of a secret to look for within texts. */
export function spellingsOf(secret: string, mark: string): Spelling[] {
  const plain = { mark, isExact: false, sharesFirst: false, sharesLast: false };
  const within = [...new Set(packed.map(spell => spell(secret)))];
  return [
    // The secret itself may contain escapes, which are undone with those around it.
    ...[...new Set([...spellings.map(spell => spell(secret)), ...underEscapes(secret)])].map(text => ({
      ...plain,
      text,
      order: orderOf(text, false),
    })),
    ...within.flatMap(text => base64Of(text, mark)),
  ];
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const urlSafe = (code: number): number => (code === 43 ? 45 : code === 47 ? 95 : code);
/** The first 128 characters in the form in which all comparisons treat them as equal. */
const folded = Uint8Array.from({ length: 128 }, (_, code) => urlSafe(lower(code)));
/** Adds a character to the hash of the last four; older ones are shifted out. */
export const rolled = (hash: number, code: number): number =>
  ((hash << 4) ^ (code < 128 ? (folded[code] as number) : code)) & 0xffff;

/** Returns the hash of the characters that begin at a place. */
export function hashAt(text: string, from: number): number {
  let hash = 0;
  for (let at = from; at < from + gram; at += 1) hash = rolled(hash, text.charCodeAt(at));
  return hash;
}

/** Returns the hash at each place of a text, which must have at least `gram` characters. */
export const hashesOf = (text: string): readonly number[] =>
  Array.from({ length: text.length - gram + 1 }, (_, from) => hashAt(text, from));

/** Returns the index of the first sorted spelling that is not before a sort key. */
export function placeOf(order: string, ordered: readonly Spelling[]): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ordered[middle] as Spelling).order < order) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns how many characters of a spelling, from index `first` on, match the text at a place. */
export function lengthAt(text: string, at: number, { text: spelled, isExact }: Spelling, first = 0): number {
  const fold = isExact ? urlSafe : lower;
  let length = 0;
  while (
    first + length < spelled.length &&
    fold(text.charCodeAt(at + length)) === fold(spelled.charCodeAt(first + length))
  )
    length += 1;
  return length;
}
