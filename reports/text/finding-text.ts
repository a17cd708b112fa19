import type { BodyEvidence, Exchange } from '../../contracts/report/evidence.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import { indentedJson } from './indented-json.ts';
import { safeText } from './safe-text.ts';

/** A finding as it is reported, with the commands that send its case again. */
export type ReportedFinding = CheckReport['findings'][number];

/** The header fields of a request or response, in the order sent. */
export type HeaderFields = readonly { readonly name: string; readonly value: string }[];

/** Returns a finding in one line: the requirement, what was expected and what came. */
export function findingLine({ requirement, expected, actual }: ReportedFinding): string {
  return `${requirement}: expected ${expected}, got ${actual}`;
}

/** Returns a finding as plain lines: what broke, the case, the exchange, the commands. */
export function findingText(finding: ReportedFinding): string {
  const { counterexample, exchange } = finding;
  const lines = [
    `${finding.level} ${finding.requirement}${finding.notScored === undefined ? '' : ` (not scored: ${finding.notScored})`}`,
    `expected: ${finding.expected}`,
    `got:      ${finding.actual}`,
    `at:       ${finding.pointer || 'the whole answer'}`,
  ];
  if (counterexample) lines.push(`case:     ${counterexample.title}`);
  if (finding.occurrences > 1) lines.push(`seen:     ${finding.occurrences} cases of this check`);
  lines.push(...timelineLines(finding));
  if (finding.seen) lines.push(`again:    ${finding.seen.times} of ${finding.seen.of} times`);
  if (exchange) {
    lines.push(`request:  ${exchange.request.method} ${exchange.request.url}`);
    if (exchange.request.body) lines.push(exchange.request.body.text);
    lines.push(exchange.response ? `response: ${exchange.response.status}` : `no answer: ${exchange.failure ?? ''}`);
    if (exchange.response) lines.push(exchange.response.body.text);
  }
  if (finding.curl !== undefined) lines.push(finding.curl);
  if (finding.reproduce !== undefined) lines.push(finding.reproduce);
  return lines.join('\n');
}

/** Returns how requests that were sent at once went, a line each; none of other findings. */
export const timelineLines = ({ timeline = [] }: ReportedFinding): readonly string[] =>
  timeline.map((line, index) => `${index === 0 ? 'history: ' : '         '} ${line}`);

/** Returns what came, after its pointer where that is no part of it: `status 200`, `/data/isEnabled: 1`. */
export const gotText = ({ pointer, actual }: ReportedFinding): string =>
  pointer === '' || pointer === 'status' ? actual : `${pointer}: ${actual}`;

/** Returns the case in words, and how often it was seen. */
export function caseText({ counterexample, occurrences, seen }: ReportedFinding): string {
  return [
    ...(counterexample ? [counterexample.title] : []),
    ...(occurrences > 1 ? [`${occurrences} cases of this check showed the same`] : []),
    ...(seen ? [`sent again, it was seen ${seen.times} of ${seen.of} times`] : []),
  ].join('; ');
}

/** Headers that say nothing about a case. */
const uninformative = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'user-agent',
  'accept',
  'date',
  'transfer-encoding',
]);

/** The headers that may matter for a case, eight at most, as `name: value`. */
function informativeHeaders(headers: HeaderFields): string[] {
  const shown = headers.filter(({ name }) => !uninformative.has(name.toLowerCase())).slice(0, 8);
  return shown.map(({ name, value }) => `${name}: ${value.slice(0, 200)}`);
}

/** A request or a response: its first line, its informative headers, and its body in lines. */
export interface Message {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: readonly string[];
  readonly note?: string;
}

/** How much of a body is shown, in lines and columns, and the note for one that is empty. */
interface BodyBounds {
  readonly lines: number;
  readonly columns: number;
  readonly empty: string;
}

/** Returns the two messages of an exchange. If no answer came, the line of the response says why. */
export function messagesOf({ request, response, failure, durationMs }: Exchange, bounds: BodyBounds) {
  const took = `after ${Math.round(durationMs)} ms`;
  const message = (line: string, headers: HeaderFields, body: BodyEvidence | undefined): Message => ({
    line,
    headers: informativeHeaders(headers),
    ...(body === undefined ? { body: [] } : boundedBody(body, bounds)),
  });
  return {
    request: message(`${request.method} ${request.url}`, request.headers, request.body),
    response: response
      ? message(`${response.status} ${took}`, response.headers, response.body)
      : message(`no answer ${took}: ${failure ?? 'unknown'}`, [], undefined),
  };
}

/** Returns a body as lines, JSON indented, cut in height and width, with a note if lines are missing. */
export function boundedBody(
  { text, bytes, truncated }: BodyEvidence,
  most: BodyBounds,
): Pick<Message, 'body' | 'note'> {
  if (bytes === 0) return { body: [], note: most.empty };
  const lines = indentedJson(text, most.lines + 1);
  const body = lines.slice(0, most.lines).map(line => safeText(line, most.columns));
  return { body, ...(truncated || lines.length > most.lines ? { note: `… (${bytes} bytes in all)` } : {}) };
}
