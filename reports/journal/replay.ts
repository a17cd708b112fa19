import { compact } from '../../contracts/present.ts';
import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { type ReportedFinding, timelineLines } from '../text/finding-text.ts';
import {
  counted,
  type Display,
  entry,
  firstOf,
  type Line,
  pageWidth,
  paint,
  proseWidth,
  type Style,
  styled,
  wrapped,
} from '../text/page.ts';
import { type Cause, causesWithFindings } from './causes.ts';
import { replayed } from './check-report.ts';
import { checksOf } from './selections.ts';

/** A finding of a report, and how to send its case again. */
export interface Replay {
  readonly check: CheckReport;
  readonly finding: ReportedFinding;
  /** The `endpoint/check` of its case. */
  readonly unit: string;
  /** The selection for `--only`: that unit, or the whole endpoint if no case shows the finding. */
  readonly only: string;
  /** The `--path` of the one case; undefined to send the whole selection. */
  readonly path: string | undefined;
}

/** Thrown if a report has no finding of that name; the message lists the existing ones. */
export class NoSuchFinding extends Error {}

/** Returns true for the id of a cause, such as `F3`. */
export const isCauseId = (id: string): boolean => /^[FW][1-9]\d*$/.test(id);

/** Returns the cause with an id. Throws `NoSuchFinding`. */
export function causeNamed(report: Report, id: string): Cause {
  const causes = causesWithFindings(report);
  const found = causes.find(cause => cause.id === id);
  if (found) return found;
  const names = causes.map(cause => cause.id).join(', ');
  throw new NoSuchFinding(`the report has no cause ${id}; it has ${names || 'none'}`);
}

/**
 * Returns the finding of a cause (`F3`: its first), or the one named `endpoint/check` (the first) or `endpoint/check#n`.
 * Throws `NoSuchFinding`.
 */
export function findingNamed(report: Report, given: string): Replay {
  const id = isCauseId(given) ? causeNamed(report, given).findings[0].name : given;
  const [name = '', number = '1'] = id.split('#', 2);
  const check = checksOf(report).find(one => one.id === name);
  const finding = /^[1-9]\d*$/.test(number) ? check?.findings[Number(number) - 1] : undefined;
  if (!check || !finding) {
    const failing = checksOf(report).filter(({ findings }) => findings.length > 0);
    const names = failing.map(one => `${one.id} (${one.findings.length})`);
    throw new NoSuchFinding(`the report has no finding ${id}; it has ${firstOf(names, 12) || 'none'}`);
  }
  const unit = finding.counterexample?.unit ?? check.id;
  return { check, finding, unit, ...replayed(unit, finding.counterexample) };
}

/** How a replayed finding compares with the recorded one; `unknown` if the replay proves nothing. */
type ReplayOutcome = 'same' | 'different' | 'gone' | 'unknown';

/** The outcome of a replay, and the findings that it made. */
interface JudgedReplay {
  readonly outcome: ReplayOutcome;
  readonly findings: readonly ReportedFinding[];
}

/**
 * Judges the replay of a finding: `same` if its check finds the same requirement broken, `different` if another one. A
 * refusal proves something only beside an accepted request: `accepted` says that the target accepts the minimal
 * request.
 */
export function replayOutcome({ check, finding, unit }: Replay, now: Report, accepted: boolean): JudgedReplay {
  const checks = checksOf(now);
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

/** Returns true if a check sent its case and was refused, and lacks only an accepted request beside it. */
export function isOnlyUnpaired({ verdict, stats, blockedBy }: CheckReport): boolean {
  return verdict === 'untested' && stats.requests > 0 && blockedBy !== undefined;
}

const outcomeWords = {
  same: ['✗ still fails', 'bad'],
  different: ['✗ fails differently now', 'bad'],
  gone: ['✓ no longer fails', 'good'],
  unknown: ['◐ could not be tested', 'careful'],
} as const satisfies Record<ReplayOutcome, readonly [string, Style]>;

/** Returns the recorded finding and the current ones, for a terminal. */
export function replayText(
  { check, finding, unit, only, path }: Replay,
  { outcome, findings }: JudgedReplay,
  now: Report,
  { colour, columns }: Display,
): string {
  const width = proseWidth(pageWidth(columns));
  const [word, style] = outcomeWords[outcome];
  const sent = checksOf(now).find(one => one.id === unit);
  const because = now.because ?? sent?.because;
  const tries = sent?.stats.cases ?? 1;
  const nothing = `it finds nothing against the target${path !== undefined && tries > 1 ? ` in ${tries} tries` : ''}`;
  // A case may fail only after what others have sent.
  const alone = path === undefined ? '' : `, sent alone; run --only ${only} sends what stood before it as well`;
  const lines = [
    [styled(style, word), `  ${check.id}: ${finding.requirement} (${finding.level})`],
    ...entry('case', [[finding.counterexample?.title ?? check.title]], 2),
    ...entry(
      'replayed',
      [[`${only}${path === undefined ? '' : `, case ${path}`}, ${counted(now.stats.requests, 'request')}`]],
      2,
    ),
    ...findingLines('then', finding, width),
    ...(findings.length > 0
      ? findings.slice(0, 3).flatMap(one => findingLines('now', one, width))
      : entry('now', wrapped(outcome === 'gone' ? `${nothing}${alone}` : (because ?? nothing), width), 2)),
  ];
  return paint(lines, colour);
}

function findingLines(label: string, finding: ReportedFinding, width: number): Line[] {
  const { requirement, pointer, expected, actual, exchange, seen } = finding;
  const at = pointer === '' || actual.startsWith(pointer) ? '' : `${pointer}: `;
  const answer = exchange?.response;
  const lines = compact([
    ...wrapped(`${requirement}: expected ${expected}, got ${at}${actual}`, width),
    seen && [`seen ${seen.times} of ${seen.of} times`],
    ...timelineLines(finding).map(line => [line]),
    exchange && [`${exchange.request.method} ${exchange.request.url}`],
    exchange?.request.body && [beginning(exchange.request.body.text)],
    answer && [`${answer.status} ${beginning(answer.body.text)}`],
    exchange?.failure !== undefined && [`no answer: ${exchange.failure}`],
  ]);
  return entry(label, lines, 2);
}

function beginning(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
