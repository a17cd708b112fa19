import type { BrokenKeyword } from '../../contracts/validation.ts';
import type { Said } from '../protocol/fault.ts';

/** Returns a number as people write it: `1,001`. */
const inDigits = (count: number): string => count.toLocaleString('en');

/** Maximum length of a value in a sentence of a finding, in characters. */
const longest = 120;

/**
 * Returns a value as JSON for a sentence, cut with a note at 120 characters. A long text becomes its length and
 * beginning.
 */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing (the member is absent)';
  if (typeof value === 'string' && [...value].length > longest) {
    const points = [...value];
    return `a text of ${inDigits(points.length)} characters (${JSON.stringify(points.slice(0, 40).join(''))}…)`;
  }
  const json = JSON.stringify(value) ?? String(value);
  return json.length > longest ? `${json.slice(0, longest)}… (${inDigits(json.length)} characters of JSON)` : json;
}

/** Numbers of characters to show before the first difference of two long values, and from there on. */
const around = { before: 12, after: 28 };

/** Returns a part of a text, with an ellipsis on each side that was cut. */
const cutOut = (points: readonly string[], from: number, to: number): string =>
  `${from > 0 ? '…' : ''}${points.slice(from, to).join('')}${to < points.length ? '…' : ''}`;

/** Describes a list by its length and its item at an index. */
const listInWords = (list: readonly unknown[], at: number): string =>
  `a list of ${inDigits(list.length)} ${list.length === 1 ? 'item' : 'items'}, ${at < list.length ? `item ${at + 1} ${inWords(list[at])}` : `none after item ${at}`}`;

/** Returns what a long value is, and its length. */
const sizeInWords = (points: readonly string[], value: unknown): string =>
  typeof value === 'string'
    ? `a text of ${inDigits(points.length)} characters`
    : `${inDigits(points.length)} characters of JSON`;

/**
 * Returns two differing values in words. If those are alike, because both are long and begin alike, it shows what stands
 * around the first difference, and not the beginning.
 */
export function inWordsApart(one: unknown, other: unknown): readonly [one: string, other: string] {
  const words = inWords(one);
  if (Array.isArray(one) && Array.isArray(other)) {
    const at = one.findIndex((item, index) => JSON.stringify(item) !== JSON.stringify(other[index]));
    const from = at === -1 ? one.length : at;
    const alike = Math.min(words.length, inWords(other).length) >= longest && from > 0;
    if (alike) return [listInWords(one, from), listInWords(other, from)];
  }
  if (beginningOf(one) !== beginningOf(other)) return [words, inWords(other)];
  const texts = [one, other].map(value => [...(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))]);
  const [first = [], second = []] = texts;
  const at = first.findIndex((point, index) => point !== second[index]);
  const from = Math.max(0, (at === -1 ? first.length : at) - around.before);
  const shown = (points: readonly string[], value: unknown): string =>
    `${sizeInWords(points, value)}, with ${JSON.stringify(cutOut(points, from, from + around.before + around.after))} at character ${from + 1}`;
  return [shown(first, one), shown(second, other)];
}

/** Returns what `inWords` shows of a value, without the length. */
const beginningOf = (value: unknown): string =>
  inWords(value).replace(/ of [\d,]+ characters | \([\d,]+ characters of JSON\)$/g, '');

/** Returns the JSON type of a value, with its article. */
export function typeInWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** Returns a value as expected or actual, followed by a note. */
export const said = (value: unknown, note = ''): Said => ({ words: `${inWords(value)}${note}`, value });

/** Returns two differing values, each worded beside the other; the note follows the first. */
export function saidApart(one: unknown, other: unknown, note = ''): readonly [one: Said, other: Said] {
  const [first, second] = inWordsApart(one, other);
  return [
    { words: `${first}${note}`, value: one },
    { words: second, value: other },
  ];
}

/** Returns the expectation of one of some JSON types, in these words. */
export const ofType = (words: string, ...types: readonly string[]): Said => ({
  words,
  kind: 'type',
  constraint: { keyword: 'type', limit: [...types] },
});

/** Returns what a keyword of a schema expects of a value that breaks it. */
export function saidConstraint({ keyword, limit, wanted }: BrokenKeyword): Said {
  if (keyword === 'required') return { words: 'the member, which must be there', kind: 'missing' };
  if (keyword === 'const') return { words: wanted, kind: 'value', value: limit };
  const types: readonly unknown[] = [limit].flat();
  const isType = ['type', 'anyOf'].includes(keyword) && types.every(type => typeof type === 'string');
  if (isType) return ofType(wanted, ...(types as readonly string[]));
  return { words: wanted, kind: 'constraint', constraint: { keyword, limit } };
}

/** Returns a value, worded by its type alone. */
export const typeSaid = (value: unknown): Said => ({ words: typeInWords(value), value });
