/** Tells a text that was read or written in a wrong character set from one that is another text. */

/** Characters that are no ASCII, and a letter with the marks that are joined to it. */
const beyond = /(?:[\u0020-\u007e](?=[\u0300-\u036f])|[^\u0020-\u007e])+/gu;

/** What such characters become: others of the kind, a question mark, an escape, or nothing. */
const garbled = /^(?:[^\u0020-\u007e]|\?|\\+u[0-9a-f]{4}|&#x?[0-9a-f]+;|%[0-9a-f]{2})*$/iu;

/** The letters that are left of characters whose marks were taken away: `e` of `é`. */
const plain = (text: string): string => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');

/** True of what a run of such characters may have become, with the letters that stood in it or without. */
const isLeftOf = (run: string, piece: string): boolean =>
  garbled.test(piece) || garbled.test([...piece].filter(one => !plain(run).includes(one)).join(''));

/** Returns true if two values differ in characters beyond ASCII, and in nothing else. */
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
