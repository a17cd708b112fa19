import { decoded } from '../../../contracts/decoded.ts';
import { parsedJson } from '../../../contracts/json.ts';
import { urlText } from '../../../contracts/url-text.ts';

/** Returns a count with its noun: `1 request`, `2 requests`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Returns a part of a date and time, in UTC like all times of the server. */
const partOf = (time: number, begin: number, end: number): string =>
  Math.abs(time) <= 8.64e15 ? new Date(time).toISOString().slice(begin, end) : String(time);

/** Returns the time of day. */
export const timeOfDay = (time: number): string => partOf(time, 11, 23);

/** Returns date and time. */
export const dayAndTime = (time: number): string => partOf(time, 0, -5).replace('T', ' ');

/** Indents a JSON text; returns any other text unchanged. */
export const indented = (text: string): string => {
  const value = parsedJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
};

/** Truncates a text to one line of `most` characters. */
export const shortened = (text: string, most = 160): string => (text.length <= most ? text : `${text.slice(0, most)}…`);

/** Returns the decoded parts of a URL fragment. */
export const wayOf = (hash: string): readonly string[] => hash.replace(/^#\/?/, '').split('/').map(decoded);

/**
 * Returns a case-insensitive search: true if all typed words occur in the text. The text is only built if there are
 * words. Quotes and backslashes also match in their JSON escapes.
 */
export const searchFor = (typed: string): ((text: () => string) => boolean) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return text => {
    const held = words.length === 0 ? '' : text().toLowerCase();
    return words.every(word => held.includes(word) || held.includes(JSON.stringify(word).slice(1, -1)));
  };
};

/** Returns the URL fragment for the given parts. */
export const fragmentOf = (...way: readonly string[]): string => `#/${way.map(urlText).join('/')}`;
