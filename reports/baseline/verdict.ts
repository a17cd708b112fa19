import type { Baseline, KnownFailure } from '../../contracts/report/baseline.ts';
import type { Verdict } from '../../contracts/report/journal.ts';
import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { endpointVerdict, exitCode, exitConditions, runVerdict } from '../../contracts/report/verdict.ts';
import { checksOf, failingRequirements } from '../journal/selections.ts';
import { counted, type Display, heading, indented, type Line, paint, styled } from '../text/page.ts';

/** An entry of the baseline that must be removed or changed, and why, in words that follow the name of its check. */
export interface StaleEntry {
  readonly entry: KnownFailure;
  readonly why: string;
}

/** How a run compares with its baseline. */
export interface BaselineVerdict {
  /** The exit code of the run, with known failures not counted and stale entries counted. */
  readonly exitCode: number;
  /** Entries whose checks fail as the entries say. */
  readonly known: readonly KnownFailure[];
  /** Checks that fail without an entry, each with the requirements it breaks. */
  readonly fresh: readonly { readonly check: string; readonly requirements: readonly string[] }[];
  readonly stale: readonly StaleEntry[];
  /** Checks that a known failure keeps from proving anything, as its `blockedBy` says. */
  readonly behind: readonly string[];
}

/**
 * Judges a run by its baseline. A known failure does not count; a new one does. An entry that no longer holds (its
 * check passes, fails for other requirements or was not run, or the entry has expired) is itself a failure, so that no
 * entry stays longer than it is needed. What a known failure keeps from being tested counts no more than the failure.
 *
 * @param today the day, as YYYY-MM-DD in UTC
 */
export function judgeBaseline(report: Report, baseline: Baseline, today: string): BaselineVerdict {
  const checks = new Map(checksOf(report).map(check => [check.id, check]));
  const judged = baseline.known.map(entry => ({
    entry,
    why: staleness(entry, checks.get(entry.check), report, today),
  }));
  const known = judged.filter(({ why }) => why === null).map(({ entry }) => entry);
  const stale = judged.flatMap(({ entry, why }) => (why === null ? [] : [{ entry, why }]));
  const forgiven = new Set(known.map(({ check }) => check));
  const listed = new Set(baseline.known.map(({ check }) => check));
  const fresh = [...checks.values()]
    .filter(({ id, verdict }) => verdict === 'fail' && !listed.has(id))
    .map(check => ({ check: check.id, requirements: failingRequirements(check, report) }));
  const behind = [...checks.values()]
    .filter(({ verdict, blockedBy }) => verdict === 'untested' && blockedBy !== undefined && forgiven.has(blockedBy))
    .map(({ id }) => id);
  return { exitCode: exitCodeWithout(forgiven, behind, report, stale.length > 0), known, fresh, stale, behind };
}

/** Why an entry no longer holds; null if it does. */
function staleness(entry: KnownFailure, check: CheckReport | undefined, report: Report, today: string): string | null {
  if (check === undefined) return 'was not run';
  if (check.verdict === 'pass' || check.verdict === 'warn') return `does not fail any more (${check.verdict})`;
  if (check.verdict !== 'fail') return `was not run (${check.verdict}${check.because ? `: ${check.because}` : ''})`;
  if (entry.expires !== undefined && entry.expires < today)
    return `may not fail any more: it expired on ${entry.expires}`;
  if (entry.requirements === undefined) return null;
  const now = failingRequirements(check, report);
  const gained = now.filter(one => !entry.requirements?.includes(one));
  const gone = entry.requirements.filter(one => !now.includes(one));
  const parts = [
    ...(gained.length > 0 ? [`now breaks ${gained.join(', ')} too`] : []),
    ...(gone.length > 0 ? [`no longer breaks ${gone.join(', ')}`] : []),
  ];
  return parts.length > 0 ? `fails differently: it ${parts.join(' and ')}` : null;
}

/** The exit code of the run if the forgiven checks had passed, and those `behind` them did not apply. */
function exitCodeWithout(
  forgiven: ReadonlySet<string>,
  behind: readonly string[],
  report: Report,
  isStale: boolean,
): number {
  const countedFor = (id: string, verdict: Verdict): Verdict =>
    forgiven.has(id) ? 'pass' : behind.includes(id) ? 'not-applicable' : verdict;
  const endpoints = report.endpoints.map(({ checks }) =>
    checks.map(({ id, level, verdict }) => ({ level, verdict: countedFor(id, verdict) })),
  );
  const verdict = runVerdict(endpoints.map(endpointVerdict), report.outcome);
  const checks = endpoints.flat().map(one => one.verdict);
  const conditions = exitConditions({ verdict, outcome: report.outcome, checks, coverage: report.coverage });
  return exitCode([...conditions, ...(isStale ? (['stale-baseline'] as const) : [])]);
}

/** The file of a baseline, and the line of it, counted from 1, that holds the entry of a check. */
export interface BaselineLines {
  readonly name: string;
  lineOf(check: string): number;
}

/** The most entries of each kind that are shown. */
const most = 40;

/** Returns the verdict for a terminal: the new failures, the lines of the file to remove and why, and the sum. */
export function baselineVerdictText(
  { known, fresh, stale, behind, exitCode }: BaselineVerdict,
  file: BaselineLines,
  { colour, columns }: Display,
): string {
  const counts = [
    counted(known.length, 'known failure'),
    counted(fresh.length, 'new one'),
    counted(stale.length, 'stale entry'),
    ...(behind.length > 0 ? [`${counted(behind.length, 'check')} untested behind known failures`] : []),
  ];
  const holds = fresh.length + stale.length === 0;
  const lines = [
    ...heading(`BASELINE ${file.name}`, holds ? 'good' : 'bad'),
    ...fresh
      .slice(0, most)
      .flatMap(({ check, requirements }): Line[] => [
        [styled('bad', `  ✗ ${check} is a new failure`)],
        ...indented(4, requirements.join(', '), columns),
      ]),
    ...stale.slice(0, most).flatMap(one => staleLines(one, file, columns)),
    ...(fresh.length > most || stale.length > most ? [['  … and more']] : []),
    [`  ${counts.join(', ')}; exit ${exitCode}`],
  ];
  return paint(lines, colour);
}

function staleLines({ entry, why }: StaleEntry, file: BaselineLines, columns: number | undefined): Line[] {
  const verb = why.startsWith('fails differently') ? 'remove or mend' : 'remove';
  return [
    [styled('bad', `  ✗ ${entry.check} ${why}`)],
    [styled('strong', `    → ${verb} line ${file.lineOf(entry.check)} of ${file.name}`)],
    ...indented(6, `its reason was: ${entry.reason}${entry.issue === undefined ? '' : ` (${entry.issue})`}`, columns),
  ];
}
