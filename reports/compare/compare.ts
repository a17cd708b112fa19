import { endpointIds } from '../../contracts/endpoints.ts';
import { alike, distinct, grouped } from '../../contracts/grouped.ts';
import type { CheckReport, Report, RequirementReport } from '../../contracts/report/report.ts';
import { isJudged } from '../../contracts/report/verdict.ts';
import { checksOf, failuresOf, unfinishedBecause } from '../journal/selections.ts';
import { differingIn } from '../journal/shards.ts';

/** The report of a run, with the name of its file. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** Several runs side by side. */
export type RunComparison = ReturnType<typeof compareRuns>;

/**
 * Compares runs, given from the oldest to the newest. The last run is worse at a check if any earlier run was better;
 * it is better if none was and some were worse. A check that is no longer tested is worse, even after a
 * failure. A check that fails for a new requirement is worse, even if it failed before.
 */
export function compareRuns(runs: readonly NamedReport[]) {
  const reports = runs.map(({ report }) => report);
  const checks = reports.map(report => new Map(checksOf(report).map(check => [check.id, check])));
  const ids = distinct(checks.flatMap(one => [...one.keys()]));
  const changes = ids.map(id =>
    changeOf(
      id,
      checks.map(one => one.get(id)),
      reports,
    ),
  );
  const of = (trend: Trend) => changes.filter(one => one.trend === trend);
  return {
    runs,
    endpoints: endpointIds
      .map(id => ({ id, verdicts: reports.map(one => one.endpoints.find(row => row.id === id)?.verdict ?? null) }))
      .filter(({ verdicts }) => verdicts.some(verdict => verdict !== null)),
    better: of('better'),
    worse: of('worse'),
    /** Requirements that an earlier run verified and the last one does not. */
    lost: lostCoverage(reports),
    observations: observationChanges(reports),
    /** Differences between the runs themselves that limit the comparison. */
    cautions: cautionsOf(runs),
  };
}

/** Returns true if the last run is worse than an earlier one at a check, or verifies less. */
export const isRegression = ({ worse, lost }: RunComparison): boolean => worse.length + lost.length > 0;

/** How the last run compares with the earlier ones at one check. */
export type Trend = 'better' | 'same' | 'worse';
type KnownVerdict = 'pass' | 'warn' | 'fail' | 'unknown';

// biome-ignore format: a table
const trends: Record<KnownVerdict, Record<KnownVerdict, Trend>> = {
  //          after: pass            warn            fail           unknown
  pass:    { pass: 'same',   warn: 'worse',  fail: 'worse', unknown: 'worse' },
  warn:    { pass: 'better', warn: 'same',   fail: 'worse', unknown: 'worse' },
  fail:    { pass: 'better', warn: 'better', fail: 'same',  unknown: 'worse' },
  unknown: { pass: 'better', warn: 'better', fail: 'worse', unknown: 'same' },
};

function known(check: CheckReport | undefined): KnownVerdict {
  const verdict = check?.verdict;
  return isJudged(verdict) ? verdict : 'unknown';
}

/** A check in each run, how the last run compares with the earlier ones, and the requirements concerned. */
export type CheckChange = ReturnType<typeof changeOf>;

function changeOf(id: string, checks: readonly (CheckReport | undefined)[], reports: readonly Report[]) {
  const broken = checks.map(
    (check, index) => check && failuresOf(check, reports[index] as Report).map(({ finding }) => finding.requirement),
  );
  const last = known(checks.at(-1));
  const steps = checks.slice(0, -1).map((check, index) => {
    const [was = [], is = []] = [broken[index], broken.at(-1)];
    const gained = is.filter(one => !was.includes(one));
    const gone = was.filter(one => !is.includes(one));
    const verdicts = trends[known(check)][last];
    const isStillFailing = verdicts === 'same' && last === 'fail';
    const trend: Trend = !isStillFailing ? verdicts : gained.length > 0 ? 'worse' : gone.length > 0 ? 'better' : 'same';
    return { trend, requirements: gained.length > 0 ? gained : gone };
  });
  const trend = (['worse', 'better'] as const).find(one => steps.some(step => step.trend === one)) ?? 'same';
  const requirements = steps.filter(step => step.trend === trend).flatMap(step => step.requirements);
  return { id, trend, checks, requirements: distinct(requirements).sort() };
}

/** Returns the observations in which the runs differ. Endpoints that differ in the same way share a row. */
function observationChanges(reports: readonly Report[]) {
  const seen = reports.flatMap((report, index) => report.observations.map(one => ({ ...one, index })));
  const subjects = grouped(seen, ({ requirement, subject, endpoint }) =>
    JSON.stringify([requirement, subject, endpoint]),
  );
  const rows = [...subjects]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => {
      const values = reports.map((_, index) =>
        distinct(own.flatMap(one => (one.index === index ? one.value : []))).sort(),
      );
      const differs = new Set(values.map(one => JSON.stringify(one))).size > 1;
      return differs ? own.slice(0, 1).map(one => ({ ...one, values })) : [];
    });
  return alike(rows, ({ requirement, subject, values }) => [requirement, subject, values]).map(group => {
    const [{ requirement, subject, values }] = group;
    return { requirement, endpoints: group.flatMap(({ endpoint }) => endpoint ?? []), subject, values };
  });
}

/** Returns the settings in which runs that are compared should not differ. */
const settingsOf = ({ profile, seed, options, tool, requirementSet: requirements }: Report) => ({
  profile,
  seed,
  selection: [options.only, options.skip, options.shard, options.path],
  '--strict': options.strict,
  '--read-only': options.readOnly,
  'suite version': tool.version,
  requirements,
});

function cautionsOf(runs: readonly NamedReport[]): string[] {
  const unfinished = runs.flatMap(({ name, report }) => {
    const why = unfinishedBecause(report);
    return why === undefined ? [] : [`${name} did not come to its end (${why})`];
  });
  const differing = differingIn(runs.map(({ report }) => settingsOf(report)));
  return [...unfinished, ...(differing.length > 0 ? [`the runs differ in ${differing.join(', ')}`] : [])];
}

/** Returns the letter of a run, which keeps columns narrow however long the file names are. */
export function letterOf(index: number): string {
  return index < 26 ? String.fromCodePoint(65 + index) : `R${index + 1}`;
}

/**
 * Returns the requirements that an earlier run verified and the last one does not, by reason, the most frequent first.
 * Excludes those that the last run breaks, as their checks fail, and those of which there was nothing to judge: what only
 * a wrongly accepted request shows is gone when the server is mended.
 */
function lostCoverage(reports: readonly Report[]) {
  const last = new Map(reports.at(-1)?.requirements.map(row => [row.id, row]));
  const before = reports
    .slice(0, -1)
    .flatMap(({ requirements }) => requirements.filter(row => row.verdict === 'verified'));
  const lost = distinct(before.map(({ id }) => id))
    .map(id => ({ id, ...last.get(id) }))
    .filter(({ verdict = 'untested' }) => !['verified', 'failed', 'warned', 'not-observed'].includes(verdict));
  return [...grouped(lost, lostText)]
    .map(([why, own]) => ({ why, requirements: own.map(({ id }) => id).sort() }))
    .sort((a, b) => b.requirements.length - a.requirements.length);
}

/** Returns why a requirement is no longer verified, in the words of the last run: `untested: no gate → name one`. */
function lostText({ verdict, because, remedy }: Partial<RequirementReport>): string {
  const why = because === undefined ? '' : `: ${because}`;
  return `${verdict ?? 'not in the last run'}${why}${remedy === undefined ? '' : ` → ${remedy}`}`;
}
