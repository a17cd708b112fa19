import { compact } from '../present.ts';
import type { Finding } from './evidence.ts';
import type { Level, Verdict } from './journal.ts';
import type { CoverageReport, EndpointVerdict, Outcome, RunVerdict } from './report.ts';
import type { TrafficSummary } from './traffic.ts';

/**
 * Derives verdicts from one another: of a check from its findings, of an endpoint from its checks, of the run from its
 * endpoints, and the exit code from the run.
 */

/** Returns the verdict of a check that ran to its end: `fail` with a MUST finding, `warn` with others, else `pass`. */
export function verdictOfFindings(findings: readonly Pick<Finding, 'level'>[]): 'pass' | 'warn' | 'fail' {
  if (findings.some(finding => finding.level === 'MUST')) return 'fail';
  return findings.length > 0 ? 'warn' : 'pass';
}

/** True for the verdict of a check that came to one, of its target. */
export const isJudged = (verdict: Verdict | undefined): verdict is ReturnType<typeof verdictOfFindings> =>
  verdict === 'pass' || verdict === 'warn' || verdict === 'fail';

/** Returns the verdict of a check as this run counts it: under `--strict` a warning is a failure. */
export function countedVerdict(verdict: Verdict, strict: boolean): Verdict {
  return strict && verdict === 'warn' ? 'fail' : verdict;
}

/**
 * Returns the verdict of an endpoint from those of its checks (as counted). Conformant requires at least one pass, no
 * failure, no error of the suite, and no untested check at level MUST. Checks outside the requirement set do not count.
 * An endpoint without applicable checks is not applicable.
 */
export function endpointVerdict(
  all: readonly { readonly level: Level; readonly verdict: Verdict; readonly notScored?: true | undefined }[],
): EndpointVerdict {
  const checks = all.filter(({ notScored }) => !notScored);
  const has = (verdict: Verdict) => checks.some(check => check.verdict === verdict);
  if (has('fail')) return 'non-conformant';
  if (checks.every(check => check.verdict === 'not-applicable')) return 'not-applicable';
  const gap = checks.some(
    check => check.verdict === 'error' || (check.verdict === 'untested' && check.level === 'MUST'),
  );
  return gap || !has('pass') ? 'incomplete' : 'conformant';
}

/**
 * Returns the verdict of the run: non-conformant if any endpoint is, else incomplete if any is, else conformant if at
 * least one is, else incomplete. Neither an incomplete run nor a single shard is ever conformant.
 */
export function runVerdict(endpoints: readonly EndpointVerdict[], outcome: Outcome, isShard = false): RunVerdict {
  if (endpoints.includes('non-conformant')) return 'non-conformant';
  if (isShard || outcome !== 'complete' || endpoints.includes('incomplete')) return 'incomplete';
  return endpoints.includes('conformant') ? 'conformant' : 'incomplete';
}

/** The fields of a check from which the verdict of traffic follows. */
export interface SidedCheck {
  readonly verdict: Verdict;
  readonly side?: 'client' | 'server' | undefined;
}

/**
 * Returns the verdict of an endpoint, or of a side, in judged traffic. Unused or unjudgeable operations do not prevent
 * it from conforming.
 */
export function trafficVerdict(checks: readonly SidedCheck[]): EndpointVerdict {
  const has = (verdict: Verdict) => checks.some(check => check.verdict === verdict);
  if (has('fail')) return 'non-conformant';
  if (has('error')) return 'incomplete';
  return has('pass') || has('warn') ? 'conformant' : 'not-applicable';
}

/** The exit code of each condition; if several hold, the first one counts. */
const exitCodes = {
  interrupted: 130,
  'usage-error': 2,
  'suite-fault': 4,
  'non-conformant': 1,
  'stale-baseline': 1,
  incomplete: 3,
  'coverage-short': 3,
} as const;

/** A condition of a run that decides its exit code. */
export type ExitCondition = keyof typeof exitCodes;

/** Returns the exit code of the process: 0 if no condition holds. */
export function exitCode(conditions: readonly ExitCondition[]): number {
  const [first] = (Object.keys(exitCodes) as ExitCondition[]).filter(one => conditions.includes(one));
  return first ? exitCodes[first] : 0;
}

/** Returns the proven part of a weight in percent, rounded down to one decimal. */
export const coveragePercent = (proven: number, all: number): number =>
  all === 0 ? 0 : Math.floor((proven * 1000) / all) / 10;

/** The significant decimals of a minimum coverage. Integers avoid rounding: 94.96 % is less than 95 %, 95 % is not. */
const scale = 1_000_000;

/** True if less was proven than the requested minimum. */
export const isCoverageShort = ({ tenths: { proven, all }, min = 0 }: Pick<CoverageReport, 'tenths' | 'min'>) =>
  proven * 100 * scale < Math.round(min * scale) * all;

/**
 * Returns the conditions of a run, from its verdict, outcome, checks and coverage, and the breaches that were expected of
 * a client and did not occur. A truncated journal and an unreachable target are incomplete, unless a failure was found
 * before.
 */
export function exitConditions(run: {
  readonly verdict: RunVerdict;
  readonly outcome: Outcome;
  readonly checks: readonly Verdict[];
  readonly coverage?: Pick<CoverageReport, 'tenths' | 'min'> | undefined;
  readonly traffic?: Pick<TrafficSummary, 'expected'> | undefined;
}): ExitCondition[] {
  return compact<ExitCondition>([
    run.outcome === 'interrupted' && 'interrupted',
    (run.outcome === 'error' || run.checks.includes('error')) && 'suite-fault',
    run.verdict !== 'conformant' && run.verdict,
    run.coverage && isCoverageShort(run.coverage) && 'coverage-short',
    run.traffic?.expected.some(({ times }) => times === 0) && 'stale-baseline',
  ]);
}
