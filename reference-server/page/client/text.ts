import { decoded } from '../../../contracts/decoded.ts';

/** Returns a count with its noun: `1 request`, `2 requests`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const isDate = (time: number): boolean => Math.abs(time) <= 8.64e15;

/** Returns the time of day, in UTC like all times of the server. */
export const timeOfDay = (time: number): string =>
  isDate(time) ? new Date(time).toISOString().slice(11, 23) : String(time);

/** Returns date and time, in UTC. */
export const dayAndTime = (time: number): string =>
  isDate(time) ? new Date(time).toISOString().replace('T', ' ').slice(0, -5) : String(time);

/** Indents a JSON text; returns any other text unchanged. */
export const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
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
export const fragmentOf = (...way: readonly string[]): string =>
  `#/${way.map(part => encodeURIComponent(part.toWellFormed())).join('/')}`;
