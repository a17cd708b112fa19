/** How much a JSON text may hold before it is parsed. */
export interface TextBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Values, at all depths together. */
  readonly values: number;
}

/** True of a text that cannot pass a bound, by a cheap count of its length and all its opening brackets. */
function isShallow(text: string, { depth, values }: TextBounds): boolean {
  // A value and what parts it from the next take two characters at least.
  if (text.length >= 2 * values) return false;
  let openings = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      openings += 1;
      if (openings > depth) return false;
    }
  }
  return true;
}

/**
 * Which bound a JSON text passes, found without parsing it; null when it passes none. `JSON.parse` and everything after
 * it recurse, so an answer nested 200,000 deep has to be turned away while it is still text; and a text of `{},{},…`
 * takes twenty times its length once it is parsed. Brackets and commas inside strings do not count. Stops at the first
 * bound that is passed.
 */
export function passedBound(text: string, bounds: TextBounds): keyof TextBounds | null {
  return isShallow(text, bounds) ? null : scan(text, bounds).passed;
}

/** An upper bound of the values in a JSON text, exact but for empty containers. */
const valuesIn = (text: string): number =>
  scan(text, { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }).values;

/** The position of the quote that ends the string which begins at a position; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return text.length;
}

function scan(text: string, bounds: TextBounds): { passed: keyof TextBounds | null; values: number } {
  let depth = 0;
  // An opening bracket and a comma each come before a value at most; the outermost comes after neither.
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > bounds.depth) return { passed: 'depth', values };
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x2c) values += 1;
    if (values > bounds.values) return { passed: 'values', values };
  }
  return { passed: null, values };
}

/** Characters that a value of an average answer takes, its name and its brackets included. */
const averageValue = 16;
/** Shorter texts are not counted: they hold two values in three characters at most (`[],[],`). */
const shortest = 16_384;

/** The weight of a JSON text when parsed, in characters of an average one: its length, or what its values take. */
export function weightOf(text: string): number {
  return text.length < shortest ? text.length : Math.max(text.length, averageValue * valuesIn(text));
}
