import type { Verdict } from '../../contracts/report/journal.ts';
import type { BaselineReport, CheckReport, Report } from '../../contracts/report/report.ts';
import { countedRunVerdict, endpointVerdict, runVerdict, trafficVerdict } from '../../contracts/report/verdict.ts';
import type { Cause } from './causes.ts';
import { checksOf, countedAs } from './selections.ts';

/** What of a report its baseline knows. Without a baseline nothing is known. */

/** What a baseline says of a run, as far as the verdicts that are left follow from it. */
type Judged = Pick<BaselineReport, 'known' | 'behind'>;
type Run = Pick<Report, 'endpoints' | 'options' | 'outcome'>;

/** Returns why each known finding may be there, by its name: its reason, and the issue in parentheses. */
export function knownReasons({ baseline }: { readonly baseline?: Judged | undefined }): ReadonlyMap<string, string> {
  return new Map(
    (baseline?.known ?? []).map(({ finding, reason, issue }) => [
      finding,
      issue === undefined ? reason : `${reason} (${issue})`,
    ]),
  );
}

/** Returns the failing checks all of whose failures are known, by id, each with its reasons. */
export function knownChecks(run: Run & { readonly baseline?: Judged | undefined }): ReadonlyMap<string, string> {
  const reasons = knownReasons(run);
  const reasonsOf = ({ id, verdict, findings, moreFindings = 0 }: CheckReport): [string, string][] => {
    const own = findings.flatMap((finding, index) =>
      countedAs(finding, run.options.strict) === 'fail' ? [reasons.get(`${id}#${index + 1}`)] : [],
    );
    const known = own.filter(reason => reason !== undefined);
    const isKnown = verdict === 'fail' && moreFindings === 0 && own.length > 0 && known.length === own.length;
    return isKnown ? [[id, [...new Set(known)].join('; ')]] : [];
  };
  return new Map(reasons.size === 0 ? [] : checksOf(run).flatMap(reasonsOf));
}

/** Returns the verdicts of a run that are left if what its baseline knows is not counted, and what waits behind it does not apply. */
export function leftVerdicts(run: Run & { readonly baseline?: Judged | undefined }) {
  const known = knownChecks(run);
  const behind = new Set(run.baseline?.behind);
  const left = (id: string, verdict: Verdict): Verdict =>
    known.has(id) ? 'pass' : behind.has(id) ? 'not-applicable' : verdict;
  const rows = run.endpoints.map(({ id, checks }) => ({
    id,
    checks: checks.map(({ id: check, level, verdict, notScored, side }) => ({
      level,
      verdict: left(check, verdict),
      notScored,
      side,
    })),
  }));
  const isTraffic = run.options.traffic !== undefined;
  const endpoints = new Map(
    rows.map(({ id, checks }) => [id, isTraffic ? trafficVerdict(checks) : endpointVerdict(checks)] as const),
  );
  const verdict = runVerdict([...endpoints.values()], run.outcome, run.options.shard !== undefined);
  return {
    run: countedRunVerdict(
      verdict,
      rows.flatMap(({ checks }) => checks),
      run.options,
    ),
    endpoints,
    checks: rows.flatMap(({ checks }) => checks.map(({ verdict }) => verdict)),
  };
}

/** Returns why a cause may be there; undefined unless each of its failures is known. */
export function causeReason({ kind, findings }: Cause, report: Report): string | undefined {
  const reasons = knownReasons(report);
  const own = findings
    .filter(({ finding }) => kind === 'fail' && countedAs(finding, report.options.strict) === 'fail')
    .map(({ name }) => reasons.get(name));
  const known = own.filter(reason => reason !== undefined);
  return own.length > 0 && known.length === own.length ? [...new Set(known)].join('; ') : undefined;
}
