import picocolors from 'picocolors';
import { safeText } from './safe-text.ts';

/** How a piece of a line looks. */
export type Style = 'good' | 'bad' | 'careful' | 'faint' | 'strong' | 'good-mark' | 'bad-mark';

/** A piece of a line that is not plain. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line of a page. Its texts are untrusted: `paint` makes every piece safe. */
export type Line = readonly (string | Span)[];

/** The display on which a page is shown. */
export interface Display {
  readonly colour: boolean;
  /** The width in columns, if it is known. */
  readonly columns?: number;
}

/** How a report is shown on a display. */
export interface ReportDisplay extends Display {
  /** How many counting entries are shown in full; absent: the default of the report. */
  readonly maxFailures?: number;
  /** Show all evidence of entries, and the parts for readers who want more. */
  readonly verbose?: boolean;
  /** The written files, in the order to name them at the end. */
  readonly files?: readonly string[];
}

/** Returns a piece of a line in a style. */
export function styled(style: Style, text: string): Span {
  return { text, style };
}

/**
 * Returns lines as the text to write, with a line end after each. Every piece goes through `safeText` here, the only
 * way to the terminal, so that no text of a target reaches it unescaped.
 */
export function paint(lines: readonly Line[], colour: boolean): string {
  const { green, red, yellow, dim, bold, inverse } = picocolors.createColors(colour);
  const styles: Readonly<Record<Style, (text: string) => string>> = {
    good: green,
    bad: red,
    careful: yellow,
    faint: dim,
    strong: bold,
    'good-mark': text => inverse(green(text)),
    'bad-mark': text => inverse(red(text)),
  };
  const piece = (one: string | Span) =>
    typeof one === 'string' ? safeText(one) : styles[one.style](safeText(one.text));
  return lines.map(line => `${line.map(piece).join('').trimEnd()}\n`).join('');
}

/** Returns a heading with an empty line before it. */
export function heading(text: string, style: Style): Line[] {
  return [[], [styled(style, text)]];
}

/** Returns lines with a head before the first of them, and as much space before the others. */
export const headed = (head: Span, lines: readonly Line[]): Line[] =>
  lines.map((line, index) => [index === 0 ? head : ' '.repeat(head.text.length), ...line]);

/** Returns lines with a label before the first of them; nothing if there are no lines. */
export function entry(label: string, lines: readonly Line[], indent = 4): Line[] {
  return headed(styled('faint', label.padEnd(labelWidth)), lines).map(line => [' '.repeat(indent), ...line]);
}

const labelWidth = 13;

/** Wraps a text to lines of at most `width` characters, in a style or plain; a longer word gets a line of its own. */
export function wrapped(text: string, width: number, style?: Style): Line[] {
  const lines: string[] = [];
  for (const word of safeText(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map(line => [style ? styled(style, line) : line]);
}

/** Wraps a text to the width of a page, indented by a number of columns, in a style or plain. */
export function indented(by: number, text: string, page: number, style?: Style): Line[] {
  return wrapped(text, page - by, style).map(line => [' '.repeat(by), ...line]);
}

/** Returns the width of a page: the columns of the display, from 40 to 120; 100 if unknown. */
export function pageWidth(columns = 100): number {
  return Math.max(40, Math.min(columns, 120));
}

/** Returns the columns for text beside a label on a page of this width. */
export function proseWidth(page: number): number {
  return page - labelWidth - 5;
}

/** Returns a number with its noun: `1 check`, `2 checks`, `0 entries`, `1,204 requests`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`.replace(/([^aeiou])ys$/, '$1ies')}`;
}

/** Returns the counts of each kind: `2 failed, 1 warned`; zero counts are left out. */
export const tally = (kinds: Readonly<Record<string, number>>): string =>
  Object.entries(kinds)
    .flatMap(([what, count]) => (count > 0 ? [`${count.toLocaleString('en')} ${what}`] : []))
    .join(', ');

/** Returns the first names, and the number of the others: `a, b and 3 more`. */
export const firstOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/** Returns the path and query of an address. */
export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '');

/** Returns a text in at most `room` columns; a longer one ends in `…`. */
export function fitted(text: string, room: number): string {
  const shown = safeText(text, Number.POSITIVE_INFINITY);
  return shown.length <= room ? shown : `${shown.slice(0, Math.max(1, room - 1))}…`;
}

/** Number of path parts kept if there is no room for all: they name operation and entity. */
const keptParts = 2;

/**
 * Returns a request, `GET /path`, in at most `room` columns: method, path with query, and the beginning of its body. A
 * long path keeps its end, which names entity, operation and page.
 */
export function fittedRequest(brief: string, body: string, room: number): string {
  const sent = body === '' ? '' : ` ${body}`;
  const parts = brief.split('/');
  const isWhole = brief.length + sent.length <= room || parts.length <= keptParts + 2;
  const [method] = brief.split(' ', 1);
  return fitted(`${isWhole ? brief : `${method} …/${parts.slice(-keptParts).join('/')}`}${sent}`, room);
}
