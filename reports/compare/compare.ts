import { type EndpointId, endpointIds } from '../../contracts/endpoint.ts';
import type { Verdict } from '../../contracts/report/journal.ts';
import type { CheckReport, EndpointVerdict, Report } from '../../contracts/report/report.ts';
import { failingRequirements } from '../journal/findings.ts';

/** A run to compare, under the name that its readers know it by. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** A check of which the last run shows something else than an earlier one. Verdicts stand run by run; null where a run did not have the check. */
export interface CheckChange {
  readonly id: string;
  readonly verdicts: readonly (Verdict | null)[];
  /** Where it fails: the requirements that the last run breaks and that one before it did not, or the other way round. */
  readonly requirements: readonly string[];
}

/** What a target does where the specification leaves it open, where not all runs show the same. */
export interface ObservationChange {
  readonly requirement: string;
  /** The endpoints at which it is so; empty where it is about none. */
  readonly endpoints: readonly EndpointId[];
  readonly subject: string;
  /** Run by run: what was seen, sorted; empty where nothing was. */
  readonly values: readonly (readonly string[])[];
}

/** Several runs side by side. */
export interface Comparison {
  readonly runs: readonly NamedReport[];
  readonly endpoints: readonly { readonly id: EndpointId; readonly verdicts: readonly (EndpointVerdict | null)[] }[];
  readonly better: readonly CheckChange[];
  readonly worse: readonly CheckChange[];
  readonly observations: readonly ObservationChange[];
  /** Why the runs are less alike than their comparison supposes. */
  readonly cautions: readonly string[];
}

/**
 * Lays runs side by side, the oldest first. Better and worse is said of the last run: worse, if any run before it was better at that check; better, if none was
 * and any was worse. What is no longer tested is worse, for nobody knows any more; a failure is worse than not knowing. A check that fails for
 * a requirement for which it did not fail before is worse, although it failed before.
 */
export function compareRuns(runs: readonly NamedReport[]): Comparison {
  const reports = runs.map(({ report }) => report);
  const checks = reports.map(report => new Map(report.endpoints.flatMap(one => one.checks.map(it => [it.id, it]))));
  const ids = [...new Set(checks.flatMap(one => [...one.keys()]))];
  const changes = ids.map(id => changeOf(id, reports, checks));
  const of = (trend: Trend) => changes.filter(one => one.trend === trend).map(({ change }) => change);
  return {
    runs,
    endpoints: endpointIds
      .map(id => ({ id, verdicts: reports.map(report => verdictOf(report, id)) }))
      .filter(({ verdicts }) => verdicts.some(verdict => verdict !== null)),
    better: of('better'),
    worse: of('worse'),
    observations: observationChanges(reports),
    cautions: cautionsOf(runs),
  };
}

function verdictOf(report: Report, id: EndpointId): EndpointVerdict | null {
  return report.endpoints.find(one => one.id === id)?.verdict ?? null;
}

type Trend = 'better' | 'same' | 'worse';
type Known = 'pass' | 'warn' | 'fail' | 'unknown';

// biome-ignore format: a table
const trends: Record<Known, Record<Known, Trend>> = {
  //          after: pass            warn            fail           unknown
  pass:    { pass: 'same',   warn: 'worse',  fail: 'worse', unknown: 'worse' },
  warn:    { pass: 'better', warn: 'same',   fail: 'worse', unknown: 'worse' },
  fail:    { pass: 'better', warn: 'better', fail: 'same',  unknown: 'worse' },
  unknown: { pass: 'better', warn: 'better', fail: 'worse', unknown: 'same' },
};

function known(check: CheckReport | undefined): Known {
  const verdict = check?.verdict;
  return verdict === 'pass' || verdict === 'warn' || verdict === 'fail' ? verdict : 'unknown';
}

function changeOf(
  id: string,
  reports: readonly Report[],
  checks: readonly ReadonlyMap<string, CheckReport>[],
): { readonly trend: Trend; readonly change: CheckChange } {
  const row = checks.map(one => one.get(id));
  const broken = row.map((check, index) =>
    check === undefined ? [] : failingRequirements(check, reports[index] as Report),
  );
  const last = row.at(-1);
  const lastBroken = broken.at(-1) ?? [];
  const steps = row.slice(0, -1).map((before, index) => {
    const was = broken[index] ?? [];
    const gained = lastBroken.filter(one => !was.includes(one));
    const gone = was.filter(one => !lastBroken.includes(one));
    const trend = trends[known(before)][known(last)];
    if (trend !== 'same' || known(last) !== 'fail') return { trend, requirements: gained.length > 0 ? gained : gone };
    if (gained.length > 0) return { trend: 'worse' as const, requirements: gained };
    return { trend: gone.length > 0 ? ('better' as const) : trend, requirements: gone };
  });
  const trend = (['worse', 'better'] as const).find(one => steps.some(step => step.trend === one)) ?? 'same';
  const told = steps.filter(step => step.trend === trend).flatMap(step => step.requirements);
  const verdicts = row.map(check => check?.verdict ?? null);
  return { trend, change: { id, verdicts, requirements: [...new Set(told)].sort() } };
}

/** Endpoints at which the same is seen by all runs are told together: one cause is one row. */
function observationChanges(reports: readonly Report[]): ObservationChange[] {
  const rows = new Map<string, Set<string>[]>();
  reports.forEach((report, index) => {
    for (const { requirement, endpoint, subject, value } of report.observations) {
      const key = JSON.stringify([requirement, subject, endpoint ?? null]);
      const row = rows.get(key) ?? reports.map(() => new Set<string>());
      row[index]?.add(value);
      rows.set(key, row);
    }
  });
  const groups = new Map<string, EndpointId[]>();
  for (const [key, sets] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [requirement, subject, endpoint] = JSON.parse(key) as [string, string, EndpointId | null];
    const values = sets.map(set => [...set].sort());
    if (new Set(values.map(one => JSON.stringify(one))).size < 2) continue;
    const group = JSON.stringify({ requirement, subject, values });
    groups.set(group, [...(groups.get(group) ?? []), ...(endpoint === null ? [] : [endpoint])]);
  }
  return [...groups].map(([group, endpoints]) => ({
    ...(JSON.parse(group) as Omit<ObservationChange, 'endpoints'>),
    endpoints,
  }));
}

function cautionsOf(runs: readonly NamedReport[]): string[] {
  const unfinished = runs
    .filter(({ report }) => report.outcome !== 'complete')
    .map(({ name, report }) => `${name} did not come to its end (${report.outcome})`);
  // biome-ignore format: a table
  const settings: readonly (readonly [what: string, of: (report: Report) => unknown])[] = [
    ['profile',          report => report.profile],
    ['seed',             report => report.seed],
    ['selection',        report => [report.options.only, report.options.skip, report.options.shard, report.options.path]],
    ['--strict',         report => report.options.strict],
    ['--read-only',      report => report.options.readOnly],
    ['suite version',    report => report.tool.version],
  ];
  const differing = settings.flatMap(([what, of]) =>
    new Set(runs.map(({ report }) => JSON.stringify(of(report)))).size > 1 ? [what] : [],
  );
  return [...unfinished, ...(differing.length > 0 ? [`the runs differ in ${differing.join(', ')}`] : [])];
}
