/** Distinguishes a text read or written in a wrong character set from a different text. */

/** Non-ASCII characters, and a letter with its combining marks. */
const beyond = /(?:[\u0020-\u007e](?=[\u0300-\u036f])|[^\u0020-\u007e])+/gu;

/** Possible results for such characters: other non-ASCII ones, a question mark, an escape, or nothing. */
const garbled = /^(?:[^\u0020-\u007e]|\?|\\+u[0-9a-f]{4}|&#x?[0-9a-f]+;|%[0-9a-f]{2})*$/iu;

/** Returns the base letters of characters without their marks: `e` of `é`. */
const plain = (text: string): string => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');

/** True if a piece may be what is left of a run of such characters, with or without their base letters. */
const isLeftOf = (run: string, piece: string): boolean =>
  garbled.test(piece) || garbled.test([...piece].filter(one => !plain(run).includes(one)).join(''));

/** Returns true if two values differ only in characters beyond ASCII. */
export function differBeyondAscii(expected: unknown, got: unknown): boolean {
  const [should = '', is = ''] = [JSON.stringify(expected), JSON.stringify(got)];
  if (should === is || is === '') return false;
  const runs = should.match(beyond) ?? [];
  const [first = '', ...parts] = should.split(beyond);
  if (runs.length === 0 || !is.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next = isLast ? is.length - part.length : is.indexOf(part, at);
    if (next < at || !is.startsWith(part, next)) return false;
    if (!isLeftOf(runs[index] ?? '', is.slice(at, next))) return false;
    at = next + part.length;
  }
  return at === is.length;
}
