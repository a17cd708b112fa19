import { steps } from '../../contracts/pointer.ts';
import { compact } from '../../contracts/present.ts';
import type { BodyEvidence, Counterexample, Step } from '../../contracts/report/evidence.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import { indentedJson } from './folded-json.ts';
import { counted, type Line, type Style, styled, wrapped } from './page.ts';
import { isUnshowable, safeText } from './safe-text.ts';

/** A finding as it is reported, with the commands that send its case again. */
export type ReportedFinding = CheckReport['findings'][number];

/** The header fields of a request or response, in the order sent. */
export type HeaderFields = readonly { readonly name: string; readonly value: string }[];

/** Returns the requests of a finding: the steps of a sequence, or the accused one alone. */
export const stepsOf = ({ steps, exchange }: ReportedFinding): readonly (Partial<Step> & Pick<Step, 'exchange'>)[] =>
  steps ?? (exchange ? [{ exchange }] : []);

/** Returns a finding as plain lines: the violation, the case, the exchange, the commands. */
export function findingText(finding: ReportedFinding): string {
  const { counterexample, exchange, seen, occurrences } = finding;
  const { request, response, failure = '' } = exchange ?? {};
  return compact([
    `${finding.level} ${finding.requirement}${finding.notScored ? ` (not scored: ${finding.notScored})` : ''}`,
    `expected: ${finding.expected}`,
    `got:      ${finding.actual}`,
    `at:       ${finding.pointer || 'the whole answer'}`,
    counterexample && `case:     ${counterexample.title}`,
    occurrences > 1 && `seen:     ${occurrences} cases of this check`,
    ...timelineLines(finding),
    seen && `again:    ${seen.times} of ${seen.of} times`,
    request && `request:  ${request.method} ${request.url}`,
    request?.body?.text,
    exchange && (response ? `response: ${response.status}` : `no answer: ${failure}`),
    response?.body.text,
    finding.curl,
    finding.reproduce,
  ]).join('\n');
}

/** Returns the history of simultaneous requests, a line each; none for other findings. */
export const timelineLines = ({ timeline = [] }: ReportedFinding): readonly string[] =>
  timeline.map((line, index) => `${index === 0 ? 'history: ' : '         '} ${line}`);

/** Returns the actual value, after its pointer unless that is `status` or empty: `status 200`, `/data/isEnabled: 1`. */
export const gotText = ({ pointer, actual }: ReportedFinding): string =>
  pointer === '' || pointer === 'status' ? actual : `${pointer}: ${actual}`;

/** Returns the case in words, and how often it was seen. */
export function caseText({ counterexample, occurrences, seen }: ReportedFinding): string {
  return compact([
    counterexample?.title,
    occurrences > 1 && `${occurrences} cases of this check showed the same`,
    seen && `sent again, it was seen ${seen.times} of ${seen.of} times`,
  ]).join('; ');
}

/** Limits for a body in lines and columns, and the note for an empty one. */
interface BodyBounds {
  readonly lines: number;
  readonly columns: number;
  readonly empty: string;
}

/** Returns a body as lines, JSON indented, cut in height and width, with a note if lines are missing. */
export function boundedBody(
  { text, bytes, truncated }: BodyEvidence,
  most: BodyBounds,
): { readonly body: readonly string[]; readonly note?: string } {
  if (bytes === 0) return { body: [], note: most.empty };
  const lines = indentedJson(text, most.lines + 1);
  const body = lines.slice(0, most.lines).map(line => safeText(line, most.columns));
  return {
    body,
    ...(truncated || lines.length > most.lines ? { note: `… (${bytes.toLocaleString('en')} bytes in all)` } : {}),
  };
}

const most = { context: 24, odd: 160 } as const;

/** A value as JSON, split into the parts before, in and after a difference. */
export interface Marked {
  readonly before: string;
  readonly odd: string;
  readonly after: string;
}

/**
 * Marks the part in which a case and its accepted control differ, in both. Returns undefined if there is no control;
 * `sent` is absent if the field was left out.
 */
export function markedDifference({ sent, control }: Pick<Counterexample, 'sent' | 'control'>) {
  if (control === undefined) return undefined;
  const two = characters(control);
  if (sent === undefined) return { control: { before: '', odd: beginning(two), after: '' } };
  const one = characters(sent);
  const { head, tail } = sameEnds(one, two);
  return { sent: markedPart(one, head, tail), control: markedPart(two, head, tail) };
}

/**
 * Returns where two texts differ, in characters of the second, without the one at `to`. Undefined if they have little
 * in common, so that everything differs.
 */
export function differingPart(one: string, two: string): { readonly from: number; readonly to: number } | undefined {
  const [a, b] = [Array.from(one), Array.from(two)];
  const { head, tail } = sameEnds(a, b);
  if (head + tail < Math.min(a.length, b.length) / 2 || head + tail === 0) return undefined;
  return { from: head, to: Math.max(head + 1, b.length - tail) };
}

/** Returns how many characters two texts share at their beginnings and at their ends. */
export function sameEnds(one: readonly string[], two: readonly string[]): { head: number; tail: number } {
  // Compare characters: a mark must not split a surrogate pair.
  const shorter = Math.min(one.length, two.length);
  let head = 0;
  while (head < shorter && one[head] === two[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one[one.length - 1 - tail] === two[two.length - 1 - tail]) tail += 1;
  return { head, tail };
}

function characters(value: unknown) {
  return Array.from(JSON.stringify(value) ?? '');
}

/** Returns a value as JSON, split around its differing part. Long equal parts are cut. */
function markedPart(text: readonly string[], head: number, tail: number): Marked {
  const from = Math.max(0, head - most.context);
  const end = text.length - tail;
  const to = Math.min(text.length, end + most.context);
  return {
    before: (from > 0 ? '…' : '') + text.slice(from, head).join(''),
    odd: beginning(text.slice(head, end)),
    after: text.slice(end, to).join('') + (to < text.length ? '…' : ''),
  };
}

function beginning(text: readonly string[]) {
  if (text.length <= most.odd) return text.join('');
  return `${text.slice(0, most.odd).join('')}… (${counted(text.length, 'character')})`;
}

const mostCharacters = 60;

/** Returns a value in a few words: as JSON if it is short, else its beginning and its length. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') {
    const characters = Array.from(value);
    if (characters.length <= mostCharacters) return JSON.stringify(value);
    return `${JSON.stringify(`${characters.slice(0, 20).join('')}…`)} (${counted(characters.length, 'character')})`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) return 'nothing';
  if (text.length <= mostCharacters) return text;
  const length = Array.isArray(value) ? `list of ${value.length.toLocaleString('en')}: ` : '';
  return `${length}${safeText(text, mostCharacters)}`;
}

/**
 * Returns how a case differs from its accepted control, on one line:
 * `description: 1001 characters, its accepted control: 1000 characters`. Undefined if it has no control.
 */
export function differenceText({ pointer, sent, control }: Counterexample): string | undefined {
  if (control === undefined) return undefined;
  const field = pointer === '' ? 'the request' : steps(pointer).join('.');
  if (sent === undefined) return `${field}: left out, its accepted control: ${valueText(control)}`;
  const [one, other] = lengths(sent, control) ?? [valueText(sent), valueText(control)];
  return `${field}: ${one}, its accepted control: ${other}`;
}

/** Returns the lengths of two long texts that differ in length, because their beginnings would say less. */
function lengths(sent: unknown, control: unknown): [string, string] | undefined {
  if (typeof sent !== 'string' || typeof control !== 'string') return undefined;
  const [a, b] = [Array.from(sent).length, Array.from(control).length];
  return a !== b && Math.max(a, b) > mostCharacters ? [counted(a, 'character'), counted(b, 'character')] : undefined;
}

/** Two texts of which one is shown, with the part marked in which it differs from the other. */
interface Compared {
  /** The text to show; it ends in `own`. */
  readonly text: string;
  readonly own: string;
  readonly other: string;
  readonly style: 'good' | 'bad';
}

const markOf = { good: 'good-mark', bad: 'bad-mark' } as const satisfies Record<Compared['style'], Style>;

/**
 * Returns a line that begins at character `at` of a text, with the characters from `from` up to `to` of that text
 * marked.
 */
function splitLine(line: string, at: number, from: number, to: number, style: Compared['style']): Line {
  const [begin = 0, end = 0] = [from - at, to - at].map(one => Math.max(0, Math.min(line.length, one)));
  return [
    styled(style, line.slice(0, begin)),
    styled(markOf[style], line.slice(begin, end)),
    styled(style, line.slice(end)),
  ].filter(({ text }) => text !== '');
}

/**
 * Returns a text wrapped to lines of at most `width` characters, with its differing part marked by colour.
 * `underlined`: a single line is also underlined with `^^^`.
 */
export function markedLines({ text, own, other, style }: Compared, width: number, underlined: boolean): Line[] {
  const part = differingPart(other, own);
  // Columns are unknown if characters are written out, or are not one column wide.
  if (!part || isUnshowable(text) || !/^[ -~]*$/.test(text)) return wrapped(text, width, style);
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
  if (!underlined || lines.length > 1 || !only) return lines;
  return [only, [styled(style, `${' '.repeat(from)}${'^'.repeat(to - from)}`)]];
}
