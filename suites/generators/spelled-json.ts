import type { Json } from '../../contracts/json.ts';

/** Ways to write JSON that do not change what it says (RFC 8259 sections 2, 4, 6 and 7). */
export interface JsonSpelling {
  /** White space of every kind around each token. */
  readonly space?: true;
  /** The members of objects in the opposite order. */
  readonly turned?: true;
  /** Every second character of names and texts escaped. */
  readonly escaped?: true;
  /** A line break after the end. */
  readonly trailing?: true;
  /** Numbers with a fraction of zero, or an exponent. */
  readonly numbers?: true;
}

const escapedUnits = (text: string): string =>
  text
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Escapes every second character of a text, the first among them, and each beyond the basic plane as a pair. */
const escapedText = (text: string): string =>
  `"${[...text].map((one, at) => (at % 2 === 0 || one.length > 1 ? escapedUnits(one) : JSON.stringify(one).slice(1, -1))).join('')}"`;

/** Writes a number in another notation: `1.0`, `1.2e+1`. */
function otherNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 10 ? `${value}.0` : value.toExponential();
}

/** Writes a JSON value in other ways than most programs do. */
export function spelledJson(value: Json, spelling: JsonSpelling): string {
  const { space, turned, escaped, trailing, numbers } = spelling;
  const gap = space === true ? ' \t\r\n' : '';
  const text = (of: string): string => (escaped === true ? escapedText(of) : JSON.stringify(of));
  const list = (parts: readonly string[], open: string, close: string): string =>
    `${open}${gap}${parts.join(`${gap},${gap}`)}${gap}${close}`;
  const write = (of: Json): string => {
    if (Array.isArray(of)) return list(of.map(write), '[', ']');
    if (typeof of === 'object' && of !== null) {
      const members = Object.entries(of).map(([name, member]) => `${text(name)}${gap}:${gap}${write(member as Json)}`);
      return list(turned === true ? members.reverse() : members, '{', '}');
    }
    if (typeof of === 'string') return text(of);
    return typeof of === 'number' && numbers === true ? otherNumber(of) : JSON.stringify(of);
  };
  return `${gap}${write(value)}${gap}${trailing === true ? '\r\n' : ''}`;
}
