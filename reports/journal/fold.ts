import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import {
  type CheckEnd,
  type Learned,
  type LeftBehind,
  type Notice,
  type Observation,
  type PlannedCheck,
  type PlannedEffect,
  type RunEvent,
  type RunStart,
  verdicts,
} from '../../contracts/report/journal.ts';
import type { CellsEvent } from '../../contracts/report/ledger.ts';
import {
  type CheckReport,
  type EndpointReport,
  type Outcome,
  type Report,
  requirementVerdicts,
  type TrafficReport,
} from '../../contracts/report/report.ts';
import type { TrafficSummary } from '../../contracts/report/traffic.ts';
import {
  countedRunVerdict,
  endpointVerdict,
  exitCode,
  exitConditions,
  runVerdict,
  trafficVerdict,
} from '../../contracts/report/verdict.ts';
import { sideOf } from '../../contracts/requirements/client.ts';
import { type Scoring, scoringOf, setNamed } from '../../contracts/requirements/sets.ts';
import { causesOf } from './causes.ts';
import { endedCheck, summedStats, unendedCheck, unplannedRow } from './check-report.ts';
import { coverageOf } from './coverage.ts';
import { judgeRequirements, type RequirementRow, unexercisedByTraffic } from './requirements.ts';
import { checksOf } from './selections.ts';

/** What a report says of the API besides the run: its endpoints and requirements. */
export interface ApiMetadata {
  readonly endpoints: Readonly<Record<EndpointId, Pick<Endpoint, 'method' | 'path' | 'title' | 'section'>>>;
  readonly requirements: readonly RequirementRow[];
}

/** The most observations, planned effects, learned names, entries of residue and notices of a run that are kept. */
const bounds = { observations: 2_000, plannedEffects: 5_000, learned: 1_000, leftBehind: 5_000, notices: 100 } as const;

/** If several journals are folded, the worst outcome counts. */
const worstOutcomeFirst: readonly Outcome[] = ['interrupted', 'error', 'truncated', 'unreachable', 'complete'];
const worstVerdictFirst = ['fail', 'error', 'untested', 'warn', 'pass', 'not-applicable'] as const;

/**
 * Folds the events of a journal, one at a time, to the report of the run. The report does not depend on the order in
 * which the checks ended: endpoints stand in the order of the table, checks in that of the plan. Add the journals of
 * several shards one after another. A check that was planned and did not end is untested. Call `report()` at any time;
 * it throws if no `run-start` has been added.
 */
export function foldJournal(api: ApiMetadata): { add(event: RunEvent): void; report(): Report } {
  const starts: RunStart[] = [];
  const outcomes: Outcome[] = [];
  let because: string | undefined;
  const totals = { requests: 0, cases: 0, extended: 0, durationMs: 0 };
  const retries = { closedConnections: 0, gatewayErrors: 0 };
  const planned = new Map<string, PlannedCheck>();
  const ended = new Map<string, CheckReport>();
  const observations = new Map<string, Observation>();
  const plannedEffects = new Map<string, PlannedEffect>();
  const leftBehind = new Map<string, LeftBehind>();
  const notices = new Map<string, Notice>();
  const learned = new Map<string, Learned>();
  const cells: CellsEvent[] = [];
  let traffic: TrafficSummary | undefined;

  let known: Scoring | undefined;
  const scoring = (): Scoring => (known ??= scoringOf(setNamed(starts[0]?.requirementSet?.name ?? '')));

  function end(event: CheckEnd): void {
    const start = starts[0];
    if (!start) throw new Error('The journal does not begin with a run-start.');
    // Report a check that was not planned all the same: a failure must not get lost.
    const plan = planned.get(event.id) ?? unplannedRow(event);
    planned.set(event.id, plan);
    const check = endedCheck(plan, event, start, scoring(), learned.size > 0);
    const before = ended.get(event.id);
    const rank = (verdict: CheckReport['verdict']) => worstVerdictFirst.indexOf(verdict);
    if (event.replaces === true || !before || rank(check.verdict) < rank(before.verdict)) ended.set(event.id, check);
  }

  function add(event: RunEvent): void {
    if (event.event === 'cells') cells.push(event);
    switch (event.event) {
      case 'run-start':
        starts.push(event);
        for (const check of event.plan) if (!planned.has(check.id)) planned.set(check.id, check);
        break;
      case 'check-end':
        end(event);
        break;
      case 'observation': {
        const key = JSON.stringify([event.requirement, event.endpoint, event.subject, event.value]);
        const seen = observations.get(key);
        const count = (seen?.count ?? 0) + (event.count ?? 1);
        if (seen || observations.size < bounds.observations) observations.set(key, { ...event, count });
        break;
      }
      case 'planned-effects':
        for (const effect of event.effects) keep(plannedEffects, effect, bounds.plannedEffects);
        break;
      case 'learned': {
        const key = JSON.stringify([event.kind, event.value, event.heldBy]);
        const refusedBy = [...new Set([...(learned.get(key)?.refusedBy ?? []), ...(event.refusedBy ?? [])])];
        if (learned.has(key) || learned.size < bounds.learned)
          learned.set(key, { ...event, ...(refusedBy.length === 0 ? {} : { refusedBy }) });
        break;
      }
      case 'left-behind':
        keep(leftBehind, event, bounds.leftBehind);
        break;
      case 'notice':
        keep(notices, event, bounds.notices);
        break;
      case 'traffic':
        traffic = event;
        break;
      case 'run-end':
        outcomes.push(event.outcome);
        because ??= event.because;
        totals.requests += event.stats.requests;
        totals.cases += event.stats.cases;
        totals.extended += event.stats.extended ?? 0;
        retries.closedConnections += event.stats.retries?.closedConnections ?? 0;
        retries.gatewayErrors += event.stats.retries?.gatewayErrors ?? 0;
        // Shards run in parallel.
        totals.durationMs = Math.max(totals.durationMs, event.stats.durationMs);
    }
  }

  function report(): Report {
    const start = starts[0];
    if (!start) throw new Error('The journal does not begin with a run-start.');
    const truncated = outcomes.length < starts.length;
    const outcome =
      worstOutcomeFirst.find(one => outcomes.includes(one) || (truncated && one === 'truncated')) ?? 'truncated';
    const checks = [...planned.values()].map(plan => ({
      plan,
      check: ended.get(plan.id) ?? unendedCheck(plan, scoring()),
    }));
    const isTraffic = start.options.traffic !== undefined;
    const endpoints = endpointIds.flatMap(id => {
      const own = checks.filter(({ plan }) => plan.endpoint === id).map(({ check }) => check);
      return own.length > 0 ? [reportOfEndpoint(id, api, own, isTraffic)] : [];
    });
    const all = checksOf({ endpoints });
    const verdict = runVerdict(
      endpoints.map(endpoint => endpoint.verdict),
      outcome,
      start.options.shard !== undefined,
    );
    // What binds a client is judged where its traffic is, and nowhere else.
    const rows = isTraffic ? api.requirements : api.requirements.filter(({ id }) => sideOf(id) === 'server');
    const { strict } = start.options;
    const judged = judgeRequirements(rows, all, { strict, profile: start.profile });
    const requirements = (isTraffic ? judged.map(unexercisedByTraffic) : judged).map(row => ({
      ...row,
      ...scoring()(row.id, row.level),
    }));
    // What was left out because enough was known says nothing of the target.
    const isCut = start.options.bail !== undefined && because !== undefined;
    const coverage = isCut ? undefined : coverageOf(cells, start);
    const conditions = exitConditions({
      verdict: countedRunVerdict(verdict, all, start.options),
      outcome,
      checks: all.map(check => check.verdict),
      coverage,
    });
    if (traffic?.expected.some(({ times }) => times === 0)) conditions.push('stale-baseline');
    const stats = truncated ? summedStats(all) : totals; // A journal that was cut off has none.
    return {
      version: 2,
      verdict,
      exitCode: exitCode(conditions),
      truncated,
      outcome,
      ...present({ because }),
      target: start.target,
      tool: start.tool,
      seed: start.seed,
      token: start.token,
      profile: start.profile,
      ...present({ requirementSet: start.requirementSet }),
      options: start.options,
      startedAt: start.startedAt,
      stats: {
        requests: stats.requests,
        ...(retries.closedConnections + retries.gatewayErrors === 0 ? {} : { retries: { ...retries } }),
        cases: stats.cases,
        ...(start.options.timeMs === undefined || truncated ? {} : { extended: totals.extended }),
        durationMs: stats.durationMs,
        checks: tally(
          verdicts,
          all.map(check => check.verdict),
        ),
        requirements: tally(
          requirementVerdicts,
          requirements.map(row => row.verdict),
        ),
      },
      ...present({ coverage }),
      ...(traffic === undefined ? {} : { traffic: { ...traffic, sides: sidesOf(all) } }),
      causes: causesOf({ endpoints, options: start.options }),
      endpoints,
      requirements,
      observations: sorted(observations, one => [one.requirement, position(one.endpoint), one.subject, one.value]),
      plannedEffects: [...plannedEffects.values()],
      learned: [...learned.values()],
      leftBehind: sorted(leftBehind, one => [position(one.endpoint), one.kind, one.id, one.what]),
      notices: sorted(notices, one => [one.severity === 'warning' ? '0' : '1', one.text]),
    };
  }

  return { add, report };
}

function reportOfEndpoint(id: EndpointId, api: ApiMetadata, checks: CheckReport[], isTraffic: boolean): EndpointReport {
  const { method, path, title, section } = api.endpoints[id];
  const verdict = isTraffic ? trafficVerdict(checks) : endpointVerdict(checks);
  return { id, method, path, title, section, verdict, checks, stats: summedStats(checks) };
}

/** The verdicts of who sent the traffic, and of who answered it. */
const sidesOf = (checks: readonly CheckReport[]): TrafficReport['sides'] => ({
  client: trafficVerdict(checks.filter(({ side }) => side === 'client')),
  server: trafficVerdict(checks.filter(({ side }) => side !== 'client')),
});

function tally<K extends string>(keys: readonly K[], found: readonly K[]): Record<K, number> {
  const counts = Object.fromEntries(keys.map(key => [key, 0])) as Record<K, number>;
  for (const one of found) counts[one] += 1;
  return counts;
}

function keep<T>(into: Map<string, T>, event: T, bound: number): void {
  if (into.size < bound) into.set(JSON.stringify(event), event);
}

function sorted<T>(map: ReadonlyMap<string, T>, by: (one: T) => readonly string[]): T[] {
  const keyed = [...map.values()].map(one => ({ one, key: by(one).join('\0') }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ one }) => one);
}

/** The position of an endpoint in the table, as a text that sorts; without an endpoint, before all others. */
function position(endpoint: EndpointId | undefined): string {
  return endpoint === undefined ? '' : String(endpointIds.indexOf(endpoint) + 1).padStart(3, '0');
}
