import { compact } from '../../contracts/present.ts';
import type { BodyEvidence, Step } from '../../contracts/report/evidence.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import { indentedJson } from './folded-json.ts';
import { safeText } from './safe-text.ts';

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
  return { body, ...(truncated || lines.length > most.lines ? { note: `… (${bytes} bytes in all)` } : {}) };
}
