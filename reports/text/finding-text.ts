import type { CheckReport } from '../../contracts/report/report.ts';

type ReportedFinding = CheckReport['findings'][number];

/** A finding as plain lines, for reports that are not read on a terminal: what broke, how to see it, what was sent and what came back. */
export function findingText(finding: ReportedFinding): string {
  const { counterexample, exchange } = finding;
  const lines = [
    `${finding.level} ${finding.requirement}`,
    `expected: ${finding.expected}`,
    `got:      ${finding.actual}`,
    `at:       ${finding.pointer || 'the whole answer'}`,
  ];
  if (counterexample) lines.push(`case:     ${counterexample.title}`);
  if (finding.occurrences > 1) lines.push(`seen:     ${finding.occurrences} cases of this check`);
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
