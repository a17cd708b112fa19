import { distinct } from '../../contracts/grouped.ts';
import { anyPosition } from '../../contracts/pointer.ts';
import type { Verdict } from '../../contracts/report/journal.ts';
import type { BaselineReport, CheckReport, Report } from '../../contracts/report/report.ts';
import { endpointVerdict, isJudged, trafficVerdict } from '../../contracts/report/verdict.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { type Cause, causesWithFindings } from './causes.ts';
import { isOfNoCase } from './check-report.ts';
import { checksOf, countedAs, failuresOf } from './selections.ts';
import { verdictsOf } from './sides.ts';

/** Which findings and causes of a report its baseline knows. Without a baseline none is known. */

/** The parts of a run from which its remaining verdicts follow. */
interface Run extends Pick<Report, 'endpoints' | 'options' | 'outcome'> {
  readonly baseline?: Pick<BaselineReport, 'known' | 'behind'> | undefined;
}

/** Returns why each known finding is tolerated, by its name: the reason, and the issue in parentheses. */
export function knownReasons({ baseline }: Run): ReadonlyMap<string, string> {
  return new Map(
    (baseline?.known ?? []).map(({ finding, reason, issue }) => [
      finding,
      issue === undefined ? reason : `${reason} (${issue})`,
    ]),
  );
}

/** Returns the reasons of some failures in words, if each has one. */
const allReasons = (reasons: readonly (string | undefined)[]): string | undefined =>
  reasons.length === 0 || reasons.includes(undefined) ? undefined : distinct(reasons).join('; ');

/** Returns the failing checks all of whose failures are known, by id, each with its reasons. */
export function knownChecks(run: Run): ReadonlyMap<string, string> {
  const reasons = knownReasons(run);
  const failing = checksOf(run).filter(({ verdict, moreFindings = 0 }) => verdict === 'fail' && moreFindings === 0);
  return new Map(
    failing.flatMap(check => {
      const reason = allReasons(failuresOf(check, run).map(({ name }) => reasons.get(name)));
      return reason === undefined ? [] : [[check.id, reason] as const];
    }),
  );
}

/** Returns the verdicts of a run without its known failures. Checks left untested because of those do not apply. */
export function leftVerdicts(run: Run) {
  const known = knownChecks(run);
  const behind = new Set(run.baseline?.behind);
  const left = (id: string, verdict: Verdict): Verdict =>
    known.has(id) ? 'pass' : behind.has(id) ? 'not-applicable' : verdict;
  const rows = run.endpoints.map(({ id, checks }) => ({
    id,
    checks: checks.map(check => ({ ...check, verdict: left(check.id, check.verdict) })),
  }));
  const verdictOf = run.options.traffic ? trafficVerdict : endpointVerdict;
  const endpoints = new Map(rows.map(({ id, checks }) => [id, verdictOf(checks)] as const));
  const checks = rows.flatMap(row => row.checks);
  return {
    run: verdictsOf([...endpoints.values()], checks, run).forExit,
    endpoints,
    checks: checks.map(one => one.verdict),
  };
}

/** Returns why a cause is tolerated; undefined unless each of its failures is known. */
export function causeReason({ kind, findings }: Cause, report: Report): string | undefined {
  const reasons = knownReasons(report);
  return allReasons(
    findings
      .filter(({ finding }) => kind === 'fail' && countedAs(finding, report.options.strict) === 'fail')
      .map(({ name }) => reasons.get(name)),
  );
}

/**
 * Returns the checks to run so that every failure is tried again: those that failed or had an error, and those whose
 * cases showed the failures. A failure without a case takes all checks of its operation. Ids `endpoint/check`, each
 * once, in the order of the report.
 */
export function failedChecks(report: Report): string[] {
  const units = report.endpoints.flatMap(({ checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
      .flatMap(check => [
        check.id,
        ...failuresOf(check, report).flatMap(({ finding: { counterexample } }) =>
          isOfNoCase(counterexample) ? checks.map(one => one.id) : (counterexample?.unit ?? []),
        ),
      ]),
  );
  return distinct(units);
}

/** Returns the part of a finding that is stable between runs: neither its number nor its generated values. */
const keyOf = (check: CheckReport, { requirement, pointer, counterexample }: ReportedFinding): string =>
  JSON.stringify([check.id, requirement, anyPosition(pointer), anyPosition(counterexample?.pointer ?? '')]);

const failures = (report: Report): readonly Cause[] => causesWithFindings(report).filter(({ kind }) => kind === 'fail');

const keysOf = ({ findings }: Cause): readonly string[] => findings.map(({ check, finding }) => keyOf(check, finding));

/**
 * Compares the failing causes of a run with those of the previous run: how many are fixed, new, and unchanged. A cause
 * is fixed only if its checks were judged again and no longer show it. If they were not tested, it is neither fixed nor
 * unchanged.
 */
export function sinceLast(last: Report, now: Report) {
  const before = failures(last);
  const after = failures(now);
  const keysBefore = new Set(before.flatMap(keysOf));
  const keysAfter = new Set(after.flatMap(keysOf));
  const verdicts = new Map(checksOf(now).map(({ id, verdict }) => [id, verdict]));
  const wasJudged = ({ findings }: Cause): boolean => {
    const seen = findings.flatMap(({ check }) => verdicts.get(check.id) ?? []);
    return seen.length > 0 && seen.every(isJudged);
  };
  const isGone = (cause: Cause): boolean => wasJudged(cause) && !keysOf(cause).some(key => keysAfter.has(key));
  const isNew = (cause: Cause): boolean => !keysOf(cause).some(key => keysBefore.has(key));
  const fresh = after.filter(isNew).length;
  return { fixed: before.filter(isGone).length, fresh, same: after.length - fresh };
}

/** Returns `since last run: 3 fixed, 1 new, 2 as before`. The last part is left out if it is zero. */
export function sinceLastText(last: Report, now: Report): string {
  const { fixed, fresh, same } = sinceLast(last, now);
  return `since last run: ${fixed} fixed, ${fresh} new${same > 0 ? `, ${same} as before` : ''}`;
}
