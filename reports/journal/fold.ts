import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import { type RunEnd, type RunEvent, verdicts } from '../../contracts/report/journal.ts';
import {
  type CheckReport,
  type EndpointReport,
  type Outcome,
  type Report,
  requirementVerdicts,
} from '../../contracts/report/report.ts';
import { endpointVerdict, exitCode, exitConditions, trafficVerdict } from '../../contracts/report/verdict.ts';
import { sideOf } from '../../contracts/requirements/client.ts';
import { allRequirements } from '../../contracts/requirements/index.ts';
import { scoringIn } from '../../contracts/requirements/sets.ts';
import { causesOf } from './causes.ts';
import { type Collected, collect, nothingCollected, startOf, summedStats, unendedCheck } from './check-report.ts';
import { coverageOf } from './coverage.ts';
import { judgeRequirements, type RequirementRow, unexercisedByTraffic } from './requirements.ts';
import { checksOf } from './selections.ts';
import { verdictsOf } from './sides.ts';

/** The API metadata of a report: its endpoints and requirements. Defaults to those of the contract. */
export interface ApiMetadata {
  readonly endpoints: Readonly<Record<EndpointId, Pick<Endpoint, 'method' | 'path' | 'title' | 'section'>>>;
  readonly requirements: readonly RequirementRow[];
}

/** If several journals are folded, the worst outcome counts. */
const worstOutcomeFirst: readonly Outcome[] = ['interrupted', 'error', 'truncated', 'unreachable', 'complete'];

/**
 * Folds the events of a journal, one at a time, into the report of the run. The report does not depend on the order in
 * which checks ended: endpoints follow the table, checks the plan. Add the journals of several shards one after
 * another. A check that was planned and did not end is untested. Call `report()` at any time; it throws if no
 * `run-start` has been added.
 */
export function foldJournal(api: ApiMetadata = { endpoints, requirements: allRequirements }): {
  add(event: RunEvent): void;
  report(): Report;
} {
  const collected = nothingCollected();
  return { add: event => collect(collected, event), report: () => reportOf(collected, api) };
}

function reportOf(collected: Collected, api: ApiMetadata): Report {
  const { starts, ends, traffic } = collected;
  const start = startOf(collected);
  const { target, tool, seed, token, profile, requirementSet, options, startedAt } = start;
  const truncated = ends.length < starts.length;
  const outcome =
    worstOutcomeFirst.find(one => (one === 'truncated' && truncated) || ends.some(end => end.outcome === one)) ??
    'truncated';
  const because = ends.find(end => end.because !== undefined)?.because;
  const endpoints = endpointReports(collected, api);
  const checks = checksOf({ endpoints });
  const requirements = requirementReports(collected, api, checks);
  const all = endpoints.map(endpoint => endpoint.verdict);
  const { verdict, forExit, sides } = verdictsOf(all, checks, { outcome, options });
  // A run that `--bail` ended left checks out, which says nothing about the target.
  const isCut = options.bail !== undefined && because !== undefined;
  const coverage = isCut ? undefined : coverageOf(collected.cells, start);
  const conditions = exitConditions({
    verdict: forExit,
    outcome,
    checks: checks.map(check => check.verdict),
    coverage,
    traffic,
  });
  return {
    version: 2,
    verdict,
    exitCode: exitCode(conditions),
    truncated,
    outcome,
    ...present({ because }),
    target,
    tool,
    seed,
    token,
    profile,
    ...present({ requirementSet }),
    options,
    startedAt,
    stats: statsOf(collected, checks, requirements),
    ...present({ coverage, traffic: traffic && { ...traffic, sides } }),
    causes: causesOf({ endpoints, options }),
    endpoints,
    requirements,
    observations: sorted(collected.observations, one => [
      one.requirement,
      position(one.endpoint),
      one.subject,
      one.value,
    ]),
    plannedEffects: [...collected.plannedEffects.values()],
    learned: [...collected.learned.values()],
    leftBehind: sorted(collected.leftBehind, one => [position(one.endpoint), one.kind, one.id, one.what]),
    notices: sorted(collected.notices, one => [one.severity === 'warning' ? '0' : '1', one.text]),
  };
}

/** Returns the endpoints with planned checks, in the order of the plan. */
function endpointReports(collected: Collected, api: ApiMetadata): EndpointReport[] {
  const { planned, ended } = collected;
  const start = startOf(collected);
  const scoring = scoringIn(start);
  const verdictOf = start.options.traffic ? trafficVerdict : endpointVerdict;
  return endpointIds.flatMap(id => {
    const plans = [...planned.values()].filter(({ endpoint }) => endpoint === id);
    const checks = plans.map(plan => ended.get(plan.id) ?? unendedCheck(plan, scoring));
    if (checks.length === 0) return [];
    const { method, path, title, section } = api.endpoints[id];
    return [{ id, method, path, title, section, verdict: verdictOf(checks), checks, stats: summedStats(checks) }];
  });
}

/** Returns the requirements, judged by the checks. Requirements on clients are judged only for recorded traffic. */
function requirementReports(
  collected: Collected,
  api: ApiMetadata,
  checks: readonly CheckReport[],
): Report['requirements'] {
  const start = startOf(collected);
  const { options, profile } = start;
  const isTraffic = options.traffic !== undefined;
  const rows = isTraffic ? api.requirements : api.requirements.filter(({ id }) => sideOf(id) === 'server');
  const judged = judgeRequirements(rows, checks, { strict: options.strict, profile });
  const scoring = scoringIn(start);
  return (isTraffic ? judged.map(unexercisedByTraffic) : judged).map(row => ({
    ...row,
    ...scoring(row.id, row.level),
  }));
}

/** Returns the figures of the run. A truncated journal has only those of its checks. */
function statsOf(
  collected: Collected,
  checks: readonly CheckReport[],
  requirements: Report['requirements'],
): Report['stats'] {
  const { starts, ends } = collected;
  const isTruncated = ends.length < starts.length;
  const sum = (of: (stats: RunEnd['stats']) => number | undefined) =>
    ends.reduce((total, { stats }) => total + (of(stats) ?? 0), 0);
  const retries = {
    closedConnections: sum(stats => stats.retries?.closedConnections),
    gatewayErrors: sum(stats => stats.retries?.gatewayErrors),
  };
  const { requests, cases, durationMs } = isTruncated
    ? summedStats(checks)
    : {
        requests: sum(stats => stats.requests),
        cases: sum(stats => stats.cases),
        // Shards run in parallel.
        durationMs: Math.max(...ends.map(({ stats }) => stats.durationMs)),
      };
  return {
    requests,
    ...(retries.closedConnections + retries.gatewayErrors === 0 ? {} : { retries }),
    cases,
    ...(startOf(collected).options.timeMs === undefined || isTruncated
      ? {}
      : { extended: sum(stats => stats.extended) }),
    durationMs,
    checks: tally(verdicts, checks),
    requirements: tally(requirementVerdicts, requirements),
  };
}

/** Returns how many rows have each verdict. */
function tally<V extends string>(all: readonly V[], rows: readonly { readonly verdict: V }[]): Record<V, number> {
  const counts = Object.fromEntries(all.map(verdict => [verdict, 0])) as Record<V, number>;
  for (const { verdict } of rows) counts[verdict] += 1;
  return counts;
}

function sorted<T>(map: ReadonlyMap<string, T>, by: (one: T) => readonly string[]): T[] {
  const keyed = [...map.values()].map(one => ({ one, key: by(one).join('\0') }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ one }) => one);
}

/** Returns the position of an endpoint in the table, as a sortable text; without an endpoint, before all others. */
function position(endpoint: EndpointId | undefined): string {
  return endpoint ? String(endpointIds.indexOf(endpoint) + 1).padStart(3, '0') : '';
}
