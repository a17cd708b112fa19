import { decoded } from '../../../contracts/decoded.ts';

/** A number of things in words: `1 request`, `2 requests`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const isDate = (time: number): boolean => Math.abs(time) <= 8.64e15;

/** The time of day, in UTC as all times of the server. */
export const timeOfDay = (time: number): string =>
  isDate(time) ? new Date(time).toISOString().slice(11, 23) : String(time);

/** Day and time, in UTC. */
export const dayAndTime = (time: number): string =>
  isDate(time) ? new Date(time).toISOString().replace('T', ' ').slice(0, -5) : String(time);

/** JSON with indentation, where a text is JSON; else the text. */
export const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A text that is cut where it is too long for a line. */
export const shortened = (text: string, most = 160): string => (text.length <= most ? text : `${text.slice(0, most)}…`);

/** The way that a fragment of the address tells: its parts, decoded. */
export const wayOf = (hash: string): readonly string[] => hash.replace(/^#\/?/, '').split('/').map(decoded);

/**
 * Looks for words, in whatever letter case: tells whether all of them stand in a text, which is made where there are any.
 * A quote or a backslash stands in a text of JSON as JSON spells it.
 */
export const searchFor = (typed: string): ((text: () => string) => boolean) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return text => {
    const held = words.length === 0 ? '' : text().toLowerCase();
    return words.every(word => held.includes(word) || held.includes(JSON.stringify(word).slice(1, -1)));
  };
};

/** The fragment that leads a way. */
export const fragmentOf = (...way: readonly string[]): string =>
  `#/${way.map(part => encodeURIComponent(part.toWellFormed())).join('/')}`;
