/** Limits on the content of a JSON text before it is parsed. */
interface TextBounds {
  /** Maximum number of nested levels. */
  readonly depth: number;
  /** Maximum number of values at all depths. */
  readonly values: number;
}

/** True if a text cannot exceed a limit, by a cheap count of its length and opening brackets. */
function isShallow(text: string, { depth, values }: TextBounds): boolean {
  // A value and its separator take at least two characters.
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
 * Returns the limit that a JSON text exceeds, found without parsing it; null if none. `JSON.parse` and later code
 * recurse, so an answer nested 200,000 deep must be rejected as text. And `{},{},…` takes twenty times its length once
 * parsed. Brackets and commas in strings do not count. Stops at the first exceeded limit.
 */
export function passedBound(text: string, bounds: TextBounds): keyof TextBounds | null {
  return isShallow(text, bounds) ? null : scan(text, bounds).passed;
}

/** Returns an upper bound of the values in a JSON text, exact except for empty containers. */
const valuesIn = (text: string): number =>
  scan(text, { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }).values;

/** Returns the position of the quote that ends the string starting at `start`; the end of the text if none does. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return text.length;
}

function scan(text: string, bounds: TextBounds): { passed: keyof TextBounds | null; values: number } {
  let depth = 0;
  // Each opening bracket and comma precedes at most one value; the outermost value follows neither.
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

/** Characters per value of an average answer, including its name and brackets. */
const averageValue = 16;
/** Shorter texts are not counted: they hold at most two values per three characters (`[],[],`). */
const shortest = 16_384;

/**
 * Returns the weight of a JSON text when parsed, in characters of an average one: its length, or what its values take.
 */
export function weightOf(text: string): number {
  return text.length < shortest ? text.length : Math.max(text.length, averageValue * valuesIn(text));
}
