import picocolors from 'picocolors';
import { safeText } from './safe-text.ts';

/** How a piece of a line looks. */
export type Style = 'good' | 'bad' | 'careful' | 'faint' | 'strong';

/** A piece of a line that is not plain. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line of a page. Nothing in it is trusted: `paint` makes every piece of it safe. */
export type Line = readonly (string | Span)[];

/** A piece of a line in a style. */
export function styled(style: Style, text: string): Span {
  return { text, style };
}

/**
 * Lines as the text to write, with a line end after each. Every piece goes through `safeText` here, the only way to the terminal, so that nothing from a
 * target can reach it unseen.
 */
export function paint(lines: readonly Line[], colour: boolean): string {
  const { green, red, yellow, dim, bold } = picocolors.createColors(colour);
  const styles = { good: green, bad: red, careful: yellow, faint: dim, strong: bold } as const;
  const piece = (one: string | Span) =>
    typeof one === 'string' ? safeText(one) : styles[one.style](safeText(one.text));
  return lines.map(line => `${line.map(piece).join('').trimEnd()}\n`).join('');
}

/** A heading with an empty line before it. */
export function heading(text: string, style: Style = 'strong'): Line[] {
  return [[], [styled(style, text)]];
}

/** A label and what stands beside it, line under line. An entry without lines takes no room. */
export function entry(label: string, lines: readonly Line[], indent = 4): Line[] {
  const name = styled('faint', label.padEnd(labelWidth));
  return lines.map((line, index) => [' '.repeat(indent), index === 0 ? name : ' '.repeat(labelWidth), ...line]);
}

const labelWidth = 13;

/** Words of a text on lines of at most `width` characters, in a style or plain; a longer word has a line of its own. */
export function wrapped(text: string, width: number, style?: Style): Line[] {
  const lines: string[] = [];
  for (const word of safeText(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map(line => [style === undefined ? line : styled(style, line)]);
}

/** Prose on lines that begin so many columns from the left. */
export function indented(by: number, text: string, columns?: number): Line[] {
  return wrapped(text, pageWidth(columns) - by).map(line => [' '.repeat(by), ...line]);
}

/** The columns that a page takes: those there are, within reason; 100 where that is not known. */
export function pageWidth(columns = 100): number {
  return Math.max(40, Math.min(columns, 120));
}

/** The columns of a page that prose beside a label may take. */
export function proseWidth(columns?: number): number {
  return pageWidth(columns) - labelWidth - 5;
}

/** `1 check`, `2 checks`, `1,204 requests`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
