import { lastResults } from '../../contracts/memoized.ts';

/** The characters that a pattern of the dialect allows: one repeated class. */
export interface CharacterClass {
  /** True if at least one character is required (`+`). */
  readonly nonEmpty: boolean;
  /** The printable ASCII characters (space to tilde) of the class, in order. */
  readonly allowed: readonly string[];
  /** The printable ASCII characters outside it, in order. */
  readonly forbidden: readonly string[];
}

const printable: readonly string[] = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** Maximum number of patterns that are remembered: more than the contracts have. */
const mostPatterns = 50;

const parsed = lastResults<CharacterClass>(mostPatterns);

/**
 * Parses `^[class]*$` or `^[class]+$`: literals, ranges and backslash escapes of punctuation.
 * @throws if the pattern has another form; the dialect has no others.
 */
export const parsePattern = (pattern: string): CharacterClass => parsed(pattern, () => classOf(pattern));

function classOf(pattern: string): CharacterClass {
  const form = /^\^\[((?:\\.|[^\]\\])+)\]([*+])\$$/u.exec(pattern);
  const body = form?.[1];
  if (body === undefined || body.startsWith('^'))
    throw new Error(`pattern ${pattern} is not of the form ^[class]*$ or ^[class]+$`);
  const members = new Set<number>();
  for (const [from, to] of ranges(body, pattern)) for (let code = from; code <= to; code++) members.add(code);
  const inside = (character: string) => members.has(character.charCodeAt(0));
  return {
    nonEmpty: form?.[2] === '+',
    allowed: printable.filter(inside),
    forbidden: printable.filter(character => !inside(character)),
  };
}

/** Returns the ranges of a class body, as pairs of code points; a single character is a range of one. */
function ranges(body: string, pattern: string): [number, number][] {
  const atoms = [...body.matchAll(/\\(.)|([^\\])/gsu)].map(match => {
    const escaped = match[1];
    if (escaped !== undefined && /[a-zA-Z0-9]/.test(escaped)) throw new Error(`escape \\${escaped} in ${pattern}`);
    return { code: (escaped ?? match[2] ?? '').codePointAt(0) ?? 0, dash: match[2] === '-' };
  });
  const found: [number, number][] = [];
  for (let index = 0; index < atoms.length; index++) {
    const atom = atoms[index];
    const end = atoms[index + 2];
    if (!atom) continue;
    if (atoms[index + 1]?.dash && end) {
      if (end.code < atom.code) throw new Error(`range out of order in ${pattern}`);
      found.push([atom.code, end.code]);
      index += 2;
    } else found.push([atom.code, atom.code]);
  }
  return found;
}
