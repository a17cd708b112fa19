import { differingPart } from './difference.ts';
import { type Line, type Style, styled, wrapped } from './page.ts';
import { isUnshowable } from './safe-text.ts';

/** Two texts of which one is shown: the part in which it differs from the other is marked. */
interface Compared {
  /** The text to show; it ends in `own`. */
  readonly text: string;
  readonly own: string;
  readonly other: string;
  readonly style: 'good' | 'bad';
}

const markOf = { good: 'good-mark', bad: 'bad-mark' } as const satisfies Record<Compared['style'], Style>;

/** A line that begins at character `at` of a text, with the characters from `from` up to `to` of that text marked. */
function splitLine(line: string, at: number, from: number, to: number, style: Compared['style']): Line {
  const [begin = 0, end = 0] = [from - at, to - at].map(one => Math.max(0, Math.min(line.length, one)));
  return [
    styled(style, line.slice(0, begin)),
    styled(markOf[style], line.slice(begin, end)),
    styled(style, line.slice(end)),
  ].filter(({ text }) => text !== '');
}

/**
 * Returns a text wrapped to lines of at most `width` characters, with the part marked by colour in which it differs from
 * another one; `underlined`: where it has one line, by `^^^` under it as well.
 */
export function markedLines({ text, own, other, style }: Compared, width: number, underlined: boolean): Line[] {
  const part = differingPart(other, own);
  // Where characters are written out, or are not one column wide each, nothing tells their columns.
  if (part === undefined || isUnshowable(text) || !/^[ -~]*$/.test(text)) return wrapped(text, width, style);
  const shift = text.length - own.length;
  const [from, to] = [part.from + shift, part.to + shift];
  let at = 0;
  const lines = wrapped(text, width).map(([piece]): Line => {
    const line = String(piece);
    const split = splitLine(line, at, from, to, style);
    at += line.length + 1;
    return split;
  });
  const [only] = lines;
  if (!underlined || lines.length > 1 || only === undefined) return lines;
  return [only, [styled(style, `${' '.repeat(from)}${'^'.repeat(to - from)}`)]];
}
