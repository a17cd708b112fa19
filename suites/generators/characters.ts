/**
 * Texts beyond ASCII, each of which must be kept code point for code point (RFC 8259 section 8). No NUL and no lone
 * surrogate: what becomes of those is open.
 */
export const unicodeTexts = [
  { name: 'an emoji', text: 'launch 🚀 day' },
  { name: 'an emoji joined of several', text: 'team 👩🏽‍🔬 lab' },
  { name: 'a combining mark', text: 'cafe\u0301 menu' },
  { name: 'characters beyond Latin-1', text: 'Ωμέγα 東京 Łódź' },
  { name: 'right-to-left text', text: 'שלום עולם' },
  { name: 'upper case that folds to another length', text: 'STRASSE İSTANBUL GROẞ' },
  { name: 'signs of markup and of queries', text: `Q&A: <b>it's</b> "5 > 3" \\ 100%_` },
  { name: 'several lines', text: 'one\n\ttwo\r\nthree' },
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
