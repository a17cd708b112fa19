import { urlText } from '../url-text.ts';
import { underEscapes } from './escapes.ts';

/**
 * The spellings in which a target may echo a secret, and how they are found: a spelling is known by four characters of
 * it, whatever their letter case.
 */

/** So many characters find a spelling; of a secret that was cut, so many before an ellipsis give it away. */
export const gram = 4;

/** A text as it stands within a text of JSON. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How a text may be written so that no escape tells: whole, in any letter case, backwards, as bytes, as a form has it. */
const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => text.replaceAll(' ', '+'),
  text => [...text].reverse().join(''),
  text => Buffer.from(text).toString('hex'),
];

/** What is written in Base64: the text itself, and as a JSON text or a URL within has it. */
const packed: readonly ((text: string) => string)[] = [text => text, inJson, urlText];

/** One spelling of a secret. `isExact`: in this letter case alone; then `+` and `/` are `-` and `_`. */
export interface Spelling {
  readonly text: string;
  readonly mark: string;
  readonly isExact: boolean;
  /** The sign before it, and the one after it with its padding, hold bits of it too. */
  readonly sharesFirst: boolean;
  readonly sharesLast: boolean;
  /** By which it is put in order. */
  readonly order: string;
}

/** What puts a spelling, or the beginning of one, in order: the exact ones by themselves, letter case and signs as they are compared. */
export const orderOf = (text: string, isExact: boolean): string =>
  isExact
    ? `!${text.replaceAll('+', '-').replaceAll('/', '_')}`
    : ` ${text.replace(/[A-Z]+/g, capitals => capitals.toLowerCase())}`;

/** Base64 (RFC 4648 sections 4 and 5) of a text as it stands at each of three offsets, without what it shares. */
function base64Of(text: string, mark: string): Spelling[] {
  return [0, 1, 2].map(offset => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const own = bytes.toString('base64url').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    const sharesLast = bytes.length % 3 > 0;
    return { text: own, mark, isExact: true, sharesFirst: offset > 0, sharesLast, order: orderOf(own, true) };
  });
}

/** Every spelling of a secret that is looked for within texts. */
export function spellingsOf(secret: string, mark: string): Spelling[] {
  const plain = { mark, isExact: false, sharesFirst: false, sharesLast: false };
  const within = [...new Set(packed.map(spell => spell(secret)))];
  return [
    // What looks like an escape in the secret itself is undone with those around it.
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
/** All that spellings do not tell apart, for the first 128 characters. */
const folded = Uint8Array.from({ length: 128 }, (_, code) => urlSafe(lower(code)));
/** Adds a sign to the hash of the four last ones: what is before them is shifted out. */
export const rolled = (hash: number, code: number): number =>
  ((hash << 4) ^ (code < 128 ? (folded[code] as number) : code)) & 0xffff;

/** The hash of the characters that begin at a place. */
export function hashAt(text: string, from: number): number {
  let hash = 0;
  for (let at = from; at < from + gram; at += 1) hash = rolled(hash, text.charCodeAt(at));
  return hash;
}

/** The hash at each place of a text of at least so many characters. */
export const hashesOf = (text: string): readonly number[] =>
  Array.from({ length: text.length - gram + 1 }, (_, from) => hashAt(text, from));

/** The place of the first of ordered spellings that is not before an order. */
export function placeOf(order: string, ordered: readonly Spelling[]): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ordered[middle] as Spelling).order < order) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** How many characters of a spelling, from one of them on, stand at a place. */
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
