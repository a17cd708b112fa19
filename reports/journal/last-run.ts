import type { CheckReport, Report } from '../../contracts/report/report.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { type Cause, causesWithFindings } from './causes.ts';
import { isOfNoCase } from './check-report.ts';
import { anyPosition, checksOf, countedAs } from './selections.ts';

/**
 * Returns what to run so that all that failed is tried again: the checks that failed, or at which the suite was at
 * fault, and those whose cases showed the failures; all of an operation where no case did. Ids `endpoint/check`, each once, in the order of the report.
 */
export function failedChecks(report: Report): string[] {
  const units = report.endpoints.flatMap(({ checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
      .flatMap(({ id, findings }) => [
        id,
        ...findings
          .filter(finding => countedAs(finding, report.options.strict) === 'fail')
          .flatMap(({ counterexample }) =>
            isOfNoCase(counterexample) ? checks.map(one => one.id) : (counterexample?.unit ?? []),
          ),
      ]),
  );
  return [...new Set(units)];
}

/** What stays the same of a finding from run to run: neither its number, nor the values that were drawn for it. */
const keyOf = (check: CheckReport, { requirement, pointer, counterexample }: ReportedFinding): string =>
  JSON.stringify([check.id, requirement, anyPosition(pointer), anyPosition(counterexample?.pointer ?? '')]);

const failures = (report: Report): readonly Cause[] => causesWithFindings(report).filter(({ kind }) => kind === 'fail');

const keysOf = ({ findings }: Cause): readonly string[] => findings.map(({ check, finding }) => keyOf(check, finding));

/**
 * Compares the failing causes of a run with those of the run before: how many it has no longer, has and had not, and still
 * has. A cause is fixed only where its checks were judged
 * again and show nothing of it: what was not tested is neither fixed nor still there.
 */
export function sinceLast(last: Report, now: Report) {
  const before = failures(last);
  const after = failures(now);
  const keysBefore = new Set(before.flatMap(keysOf));
  const keysAfter = new Set(after.flatMap(keysOf));
  const verdicts = new Map(checksOf(now).map(({ id, verdict }) => [id, verdict]));
  const isJudged = ({ findings }: Cause): boolean => {
    const seen = findings.map(({ check }) => verdicts.get(check.id));
    return !seen.includes('untested') && !seen.includes('error') && seen.some(verdict => verdict !== undefined);
  };
  const isGone = (cause: Cause): boolean => isJudged(cause) && !keysOf(cause).some(key => keysAfter.has(key));
  const isNew = (cause: Cause): boolean => !keysOf(cause).some(key => keysBefore.has(key));
  const fresh = after.filter(isNew).length;
  return { fixed: before.filter(isGone).length, fresh, same: after.length - fresh };
}

/** Returns `since last run: 3 fixed, 1 new, 2 as before`; what there is none of but the first two is left out. */
export function sinceLastText(last: Report, now: Report): string {
  const { fixed, fresh, same } = sinceLast(last, now);
  return `since last run: ${fixed} fixed, ${fresh} new${same > 0 ? `, ${same} as before` : ''}`;
}
