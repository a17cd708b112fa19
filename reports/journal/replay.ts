import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { counted, type Line, paint, proseWidth, type Style, styled, wrapped } from '../text/page.ts';
import { replayPath } from './reproduce.ts';

type ReportedFinding = CheckReport['findings'][number];

/** A finding of a report, and what sends its case again. */
export interface Replay {
  readonly check: CheckReport;
  readonly finding: ReportedFinding;
  /** The `endpoint/check` whose case it is. */
  readonly unit: string;
  /** The one case; absent: the whole check. */
  readonly path: string | undefined;
}

/** There is no finding of that name; the message says which there are. */
export class NoSuchFinding extends Error {}

/** The finding that `endpoint/check` (its first) or `endpoint/check#n` names, counted from 1. Throws `NoSuchFinding`. */
export function findingNamed(report: Report, id: string): Replay {
  const [name = '', number = '1'] = id.split('#', 2);
  const checks = report.endpoints.flatMap(endpoint => endpoint.checks);
  const check = checks.find(one => one.id === name);
  const finding = /^[1-9]\d*$/.test(number) ? check?.findings[Number(number) - 1] : undefined;
  if (check === undefined || finding === undefined) {
    const held = checks.filter(({ findings }) => findings.length > 0).map(one => `${one.id} (${one.findings.length})`);
    const shown = held.length > 12 ? [...held.slice(0, 12), '…'] : held;
    throw new NoSuchFinding(`the report has no finding ${id}; it has ${shown.join(', ') || 'none'}`);
  }
  const unit = finding.counterexample?.unit ?? check.id;
  return { check, finding, unit, path: replayPath(finding.counterexample) };
}

/** What became of a finding that was sent again: `unknown` where nothing could be sent, or what was sent proves nothing. */
export type ReplayOutcome = 'same' | 'different' | 'gone' | 'unknown';

/**
 * Judges the replay of a finding: the same, if its check finds the same requirement broken; different, if it finds another one broken. A refusal that proves
 * something only beside an accepted request is taken for one when `accepted` says that the target accepts the minimal request.
 */
export function replayOutcome(
  { check, finding, unit }: Replay,
  now: Report,
  accepted: boolean,
): { readonly outcome: ReplayOutcome; readonly findings: readonly ReportedFinding[] } {
  const checks = now.endpoints.flatMap(endpoint => endpoint.checks);
  const findings = checks.find(one => one.id === check.id)?.findings ?? [];
  const same = findings.filter(({ requirement }) => requirement === finding.requirement);
  if (same.length > 0) return { outcome: 'same', findings: same };
  if (findings.length > 0) return { outcome: 'different', findings };
  const sent = checks.find(one => one.id === unit);
  const proves =
    sent !== undefined && sent.verdict !== 'error' && (sent.verdict !== 'untested' || isOnlyUnpaired(sent));
  const isWhole = now.outcome === 'complete' && proves && (sent.verdict !== 'untested' || accepted);
  return { outcome: isWhole ? 'gone' : 'unknown', findings: [] };
}

/** True for a check that sent its case and was refused, and lacks nothing but an accepted request beside it. */
export function isOnlyUnpaired({ verdict, stats, blockedBy }: CheckReport): boolean {
  return verdict === 'untested' && stats.requests > 0 && blockedBy !== undefined;
}

const words = {
  same: ['✗ still fails', 'bad'],
  different: ['✗ fails differently now', 'bad'],
  gone: ['✓ no longer fails', 'good'],
  unknown: ['◐ could not be tested', 'careful'],
} as const satisfies Record<ReplayOutcome, readonly [string, Style]>;

/** What was found then and what is found now, for a person. Nothing of it is trusted. */
export function replayText(
  replay: Replay,
  { outcome, findings }: { readonly outcome: ReplayOutcome; readonly findings: readonly ReportedFinding[] },
  now: Report,
  place: { readonly colour: boolean; readonly columns?: number },
): string {
  const { check, finding, unit, path } = replay;
  const width = proseWidth(place.columns);
  const [word, style] = words[outcome];
  const sent = now.endpoints.flatMap(endpoint => endpoint.checks).find(one => one.id === unit);
  const nothing =
    [now.because, sent?.because].find(text => text !== undefined) ?? 'it found nothing against the target';
  const lines: Line[] = [
    [styled(style, word), `  ${check.id}: ${finding.requirement} (${finding.level})`],
    [`  case      ${finding.counterexample?.title ?? check.title}`],
    [`  replayed  ${unit}${path === undefined ? '' : `, case ${path}`}, ${counted(now.stats.requests, 'request')}`],
    ...findingLines('then', finding, width),
    ...(findings.length > 0
      ? findings.slice(0, 3).flatMap(one => findingLines('now', one, width))
      : labelled('now', wrapped(outcome === 'gone' ? 'it finds nothing against the target' : nothing, width))),
  ];
  return paint(lines, place.colour);
}

function findingLines(
  label: string,
  { requirement, expected, actual, pointer, exchange }: ReportedFinding,
  width: number,
): Line[] {
  const place = pointer === '' || actual.startsWith(pointer) ? '' : `${pointer}: `;
  const answer = exchange?.response;
  return labelled(label, [
    ...wrapped(`${requirement}: expected ${expected}, got ${place}${actual}`, width),
    ...(exchange === undefined ? [] : [[`${exchange.request.method} ${exchange.request.url}`]]),
    ...(exchange?.request.body === undefined ? [] : [[cut(exchange.request.body.text)]]),
    ...(answer === undefined ? [] : [[`${answer.status} ${cut(answer.body.text)}`]]),
    ...(exchange?.failure === undefined ? [] : [[`no answer: ${exchange.failure}`]]),
  ]);
}

function labelled(label: string, lines: readonly Line[]): Line[] {
  return lines.map((line, index) => [index === 0 ? `  ${label.padEnd(10)}` : ' '.repeat(12), ...line]);
}

function cut(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
