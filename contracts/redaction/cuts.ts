/** Finds where texts were cut, by the ellipsis that cutting leaves: parts of secrets may be there. */

/**
 * A place `to` where a text was cut. `begin`: the start of the text before it. `end`: the end of its readable part,
 * because the cut may have left a broken escape. `isSeen`: an ellipsis marks the cut.
 */
export interface Cut {
  readonly begin: number;
  readonly end: number;
  readonly to: number;
  readonly isSeen: boolean;
}

/** A truncated escape. */
const broken = '(?:%[0-9a-f]?|\\\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&(?:#\\d{0,7}|#x[0-9a-f]{0,6}|[a-z]{0,4}))';
const brokenEscape = new RegExp(`${broken}$`, 'i');
const untilEnd = new RegExp(`${broken}?(?=$|["'<\\r\\n]|\\.{3})`, 'iy');
const longestEscape = 9;

/** Returns where a text was cut: before an ellipsis, or before a closing quote and one. `isCut`: also at its end. */
export function cutsOf(text: string, isCut: boolean): readonly Cut[] {
  const cuts: Cut[] = [];
  const add = (begin: number, to: number, isSeen: boolean): void => {
    cuts.push({ begin, end: to, to, isSeen });
    const before = text.slice(Math.max(begin, to - longestEscape), to);
    const rest = brokenEscape.exec(before)?.[0].length ?? 0;
    if (rest > 0) cuts.push({ begin, end: to - rest, to, isSeen });
  };
  // No spelling contains an ellipsis, so each section between two is scanned once.
  let begin = 0;
  for (const { index: end } of text.matchAll(/…/g)) {
    add(begin, end, true);
    if (text[end - 1] === '"') add(begin, end - 1, true);
    begin = end + 1;
  }
  if (isCut) add(0, text.length, false);
  return cuts;
}

/**
 * Returns the end of the text, line or quotation, or of text before three dots, if it follows at `at`, possibly after a
 * truncated escape; else undefined.
 */
export function endAfter(text: string, at: number): number | undefined {
  untilEnd.lastIndex = at;
  return untilEnd.exec(text) === null ? undefined : untilEnd.lastIndex;
}

/** The text after an ellipsis, up to the next one. Its beginning was cut off, and its end too if `isCut`. */
export interface Rest {
  readonly begin: number;
  readonly end: number;
  readonly isCut: boolean;
}

/** Returns the text after each ellipsis. */
export function restsOf(text: string): readonly Rest[] {
  const places = [...text.matchAll(/…/g)].map(({ index }) => index);
  return places.map((place, index) => {
    const next = places[index + 1];
    return { begin: place + 1, end: next ?? text.length, isCut: next !== undefined };
  });
}
