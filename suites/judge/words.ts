import type { BrokenKeyword } from '../../contracts/validation.ts';
import type { Said } from '../protocol/fault.ts';

/** A number as people write it: `1,001`. */
const inDigits = (count: number): string => count.toLocaleString('en');

/** How long a value may be in a sentence of a finding. */
const longest = 120;

/** A value in a sentence: its JSON, cut (and said to be cut) at 120 characters; of a long text length and beginning. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing (the member is absent)';
  if (typeof value === 'string' && [...value].length > longest) {
    const points = [...value];
    return `a text of ${inDigits(points.length)} characters (${JSON.stringify(points.slice(0, 40).join(''))}…)`;
  }
  const json = JSON.stringify(value) ?? String(value);
  return json.length > longest ? `${json.slice(0, longest)}… (${inDigits(json.length)} characters of JSON)` : json;
}

/** So many characters are shown before the first in which two long values differ, and so many from there. */
const around = { before: 12, after: 28 };

/** What stands in a text between two places; where something stands before or after it, an ellipsis. */
const cutOut = (points: readonly string[], from: number, to: number): string =>
  `${from > 0 ? '…' : ''}${points.slice(from, to).join('')}${to < points.length ? '…' : ''}`;

/** A list in a sentence that is about its item at an index: its length, and that item. */
const listInWords = (list: readonly unknown[], at: number): string =>
  `a list of ${inDigits(list.length)} ${list.length === 1 ? 'item' : 'items'}, ${at < list.length ? `item ${at + 1} ${inWords(list[at])}` : `none after item ${at}`}`;

/**
 * Two values that differ, each in words; where those are alike, for both are long and begin alike, with what stands
 * around the first character, or the first item, in which they differ.
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
    `${inWords(value)}, with ${JSON.stringify(cutOut(points, from, from + around.before + around.after))} at character ${from + 1}`;
  return [shown(first, one), shown(second, other)];
}

/** What `inWords` shows of a value that it cuts; of a short one all of it. */
const beginningOf = (value: unknown): string =>
  inWords(value).replace(/ of [\d,]+ characters | \([\d,]+ characters of JSON\)$/g, '');

/** The JSON type of a value, with its article. */
export function typeInWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** A value as what an answer should show, or shows, with what is to be said after it. */
export const said = (value: unknown, note = ''): Said => ({ words: `${inWords(value)}${note}`, value });

/** Two values that differ, each as it is told beside the other, and what is to be said after the first. */
export function saidApart(one: unknown, other: unknown, note = ''): readonly [one: Said, other: Said] {
  const [first, second] = inWordsApart(one, other);
  return [
    { words: `${first}${note}`, value: one },
    { words: second, value: other },
  ];
}

/** What has one of some JSON types, in these words. */
export const ofType = (words: string, ...types: readonly string[]): Said => ({
  words,
  kind: 'type',
  constraint: { keyword: 'type', limit: [...types] },
});

/** What a keyword of a schema wants of a value that breaks it. */
export function saidConstraint({ keyword, limit, wanted }: BrokenKeyword): Said {
  if (keyword === 'required') return { words: 'the member, which must be there', kind: 'missing' };
  if (keyword === 'const') return { words: wanted, kind: 'value', value: limit };
  const types: readonly unknown[] = [limit].flat();
  const isType = ['type', 'anyOf'].includes(keyword) && types.every(type => typeof type === 'string');
  if (isType) return ofType(wanted, ...(types as readonly string[]));
  return { words: wanted, kind: 'constraint', constraint: { keyword, limit } };
}

/** A value by its type alone. */
export const typeSaid = (value: unknown): Said => ({ words: typeInWords(value), value });
