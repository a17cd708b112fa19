import type { Baseline, KnownFailure } from '../../contracts/report/baseline.ts';
import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { endpointVerdict, exitCode, exitConditions, runVerdict } from '../../contracts/report/verdict.ts';
import { failingRequirements } from '../journal/findings.ts';

/** An entry of the baseline that must go or be changed, and why, in words that follow the name of its check. */
export interface StaleEntry {
  readonly entry: KnownFailure;
  readonly why: string;
}

/** How a run stands to its baseline. */
export interface Gate {
  /** The exit code of the run, known failures not counted and stale entries counted. */
  readonly exitCode: number;
  /** Entries whose checks fail as they are known to. */
  readonly known: readonly KnownFailure[];
  /** Checks that fail and are not known to, each with the requirements it breaks. */
  readonly fresh: readonly { readonly check: string; readonly requirements: readonly string[] }[];
  readonly stale: readonly StaleEntry[];
}

/**
 * Holds a run against its baseline. A known failure does not count; a new one does; an entry that holds no longer (its check passes, fails for
 * other requirements, was not run, or the entry has expired) is itself a failure, so that no baseline outlives what it is about.
 *
 * @param today the day, as YYYY-MM-DD in UTC
 */
export function gateOf(report: Report, baseline: Baseline, today: string): Gate {
  const checks = new Map(report.endpoints.flatMap(endpoint => endpoint.checks.map(check => [check.id, check])));
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
  return { exitCode: gatedExitCode(report, forgiven, stale.length > 0), known, fresh, stale };
}

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

/** The exit code of the run if the forgiven checks had passed. */
function gatedExitCode(report: Report, forgiven: ReadonlySet<string>, isStale: boolean): number {
  const counted = report.endpoints.map(({ checks }) =>
    checks.map(({ id, level, verdict }) => ({ level, verdict: forgiven.has(id) ? ('pass' as const) : verdict })),
  );
  const verdict = runVerdict(counted.map(endpointVerdict), report.outcome);
  const checks = counted.flat().map(one => one.verdict);
  const conditions = exitConditions({ verdict, outcome: report.outcome, checks });
  return exitCode([...conditions, ...(isStale ? (['stale-baseline'] as const) : [])]);
}

/** A baseline made anew from a run, and what became of its entries. */
export interface BaselineUpdate {
  readonly baseline: Baseline;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/** Why a run is not whole enough to write a baseline from; null where it is. */
export function partialBecause({ outcome, truncated, options }: Report): string | null {
  if (truncated) return 'its journal was cut off';
  if (outcome !== 'complete') return `it did not come to its end (${outcome})`;
  if (options.only.length > 0 || options.skip.length > 0) return 'it was filtered (--only or --skip)';
  if (options.path !== undefined) return 'it replayed one case (--path)';
  if (options.shard !== undefined) return 'it is a shard of a run (--shard)';
  return null;
}

/**
 * The baseline that a complete run asks for: an entry for each failing check, with the requirements it breaks. Reasons, issues and dates of entries
 * that stay are kept; new ones get the given reason.
 */
export function updatedBaseline(before: Baseline, report: Report, reason: string): BaselineUpdate {
  const old = new Map(before.known.map(entry => [entry.check, entry]));
  const failing = report.endpoints.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === 'fail'));
  const known = failing.map((check): KnownFailure => {
    const { expires, issue, ...was } = old.get(check.id) ?? { check: check.id, reason };
    return {
      check: check.id,
      reason: was.reason,
      ...(issue === undefined ? {} : { issue }),
      ...(expires === undefined ? {} : { expires }),
      requirements: failingRequirements(check, report),
    };
  });
  const ids = new Set(known.map(({ check }) => check));
  return {
    baseline: { ...before, known },
    added: [...ids].filter(id => !old.has(id)),
    kept: [...ids].filter(id => old.has(id)),
    removed: [...old.keys()].filter(id => !ids.has(id)),
  };
}

/** A baseline as the text of its file: each entry is one line, the line to remove when it is stale. */
export function baselineText({ known, ...head }: Baseline): string {
  const entries = known.map(entry => `    ${JSON.stringify(entry)}`).join(',\n');
  const members = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const list = known.length === 0 ? '  "known": []' : `  "known": [\n${entries}\n  ]`;
  return `{\n${[...members, list].join(',\n')}\n}\n`;
}
