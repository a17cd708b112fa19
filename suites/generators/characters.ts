/**
 * Texts beyond ASCII, each of which must be kept code point for code point (RFC 8259 section 8). No NUL and no lone
 * surrogate: the specification does not say what becomes of those.
 */
export const unicodeTexts = [
  ['an emoji', 'launch 🚀 day'],
  ['an emoji joined of several', 'team 👩🏽‍🔬 lab'],
  ['a combining mark', 'cafe\u0301 menu'],
  ['characters beyond Latin-1', 'Ωμέγα 東京 Łódź'],
  ['right-to-left text', 'שלום עולם'],
  ['upper case that folds to another length', 'STRASSE İSTANBUL GROẞ'],
  ['signs of markup and of queries', `Q&A: <b>it's</b> "5 > 3" \\ 100%_`],
  ['several lines', 'one\n\ttwo\r\nthree'],
] as const;

/** Characters of the same kinds in one text, for nested fields. */
export const unicodeMixture = 'Aé 🚀 e\u0301 Ω東 שלום ẞ';

/** Characters of random texts, simplest first, because random picks shrink towards the first. */
export const plainCharacters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,'];

/** Characters that are legal and often mishandled. */
export const oddCharacters = [...'"\'\\/<>&%{}[]$#;|`~^éßΩ東ש🚀', 'e\u0301', '\u200d'];

/** Returns the number of code points, which is what JSON Schema calls length. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
