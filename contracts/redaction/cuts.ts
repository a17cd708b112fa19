/** Where texts were cut, by the ellipsis that cutting leaves: there parts of secrets may stand. */

/**
 * A place at which a text was cut, where what stands before it began, and where what can be read of that ends: the cut
 * may have left a part of an escape. `isSeen`: an ellipsis tells of the cut.
 */
export interface Cut {
  readonly begin: number;
  readonly end: number;
  readonly to: number;
  readonly isSeen: boolean;
}

/** What a cut leaves of an escape. */
const broken = '(?:%[0-9a-f]?|\\\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&(?:#\\d{0,7}|#x[0-9a-f]{0,6}|[a-z]{0,4}))';
const brokenEscape = new RegExp(`${broken}$`, 'i');
const untilEnd = new RegExp(`${broken}?(?=$|["'<\\r\\n]|\\.{3})`, 'iy');
const longestEscape = 9;

/** Where a text was cut: before an ellipsis, or the closing quote before one; `isCut`: at its end, too. */
export function cutsOf(text: string, isCut: boolean): readonly Cut[] {
  const cuts: Cut[] = [];
  const add = (begin: number, to: number, isSeen: boolean): void => {
    cuts.push({ begin, end: to, to, isSeen });
    const before = text.slice(Math.max(begin, to - longestEscape), to);
    const rest = brokenEscape.exec(before)?.[0].length ?? 0;
    if (rest > 0) cuts.push({ begin, end: to - rest, to, isSeen });
  };
  // No spelling holds an ellipsis: what stands before one is looked at once.
  let begin = 0;
  for (const { index: end } of text.matchAll(/…/g)) {
    add(begin, end, true);
    if (text[end - 1] === '"') add(begin, end - 1, true);
    begin = end + 1;
  }
  if (isCut) add(0, text.length, false);
  return cuts;
}

/** The end of a text, of a line, of what stands in quotes or before three dots, where it follows at a place, or what a cut left of an escape before it. */
export function endAfter(text: string, at: number): number | undefined {
  untilEnd.lastIndex = at;
  return untilEnd.exec(text) === null ? undefined : untilEnd.lastIndex;
}

/** What stands behind an ellipsis, up to the next one: its beginning was cut off, and its end too where `isCut`. */
export interface Rest {
  readonly begin: number;
  readonly end: number;
  readonly isCut: boolean;
}

/** What stands behind each ellipsis of a text. */
export function restsOf(text: string): readonly Rest[] {
  const places = [...text.matchAll(/…/g)].map(({ index }) => index);
  return places.map((place, index) => {
    const next = places[index + 1];
    return { begin: place + 1, end: next ?? text.length, isCut: next !== undefined };
  });
}
