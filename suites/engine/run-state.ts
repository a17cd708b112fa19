import { setMaxListeners } from 'node:events';
import type { Collection } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { compact, present } from '../../contracts/present.ts';
import { redactedEvent } from '../../contracts/redaction/events.ts';
import type { Shown } from '../../contracts/redaction/shown.ts';
import type { RunEnd, RunEvent } from '../../contracts/report/journal.ts';
import type { Unit } from '../checks/units.ts';
import { createHttpClient } from '../client/client.ts';
import { createObservations } from '../observations/observers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import type { Observer } from '../sut/observer.ts';
import { isBack } from '../sut/probe-client.ts';
import { createWire, type Wire } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import { type CreationBudget, createBudget } from './budget.ts';
import type { RunConfig, RunWatch } from './config.ts';
import { createContradictions } from './contradictions.ts';
import { createCountedCells } from './counted-cells.ts';
import {
  createEffectiveness,
  createMisnamed,
  createRetryNotices,
  createSlowAnswers,
  retriesOf,
} from './effectiveness.ts';
import { createHealthMonitor, type HealthMonitor } from './health-monitor.ts';
import { createOtherRuns } from './other-runs.ts';
import { createRefusedFixtures } from './refused-fixtures.ts';
import { createResidue, createWrittenFields } from './residue.ts';
import { createSuspected } from './suspected.ts';
import { createUnplanned } from './unplanned.ts';
import { createWriteGuard, type WriteGuard } from './write-guard.ts';

/** The state that the phases of a run share. */
export type RunState = Readonly<ReturnType<typeof openRun>>;

/** True if the request limit comes from the target file, not the command line. */
const isLimitOfFile = ({ target: { limits }, maxRequests }: RunConfig): boolean =>
  limits?.requests !== undefined && limits.requests === maxRequests;

/** Admits a request if the guard, the budget and the health monitor allow it. */
function admission(health: HealthMonitor, budget: CreationBudget, guard: WriteGuard): Wire['admit'] {
  function askHealth(id: string, request: ApiRequest): Promise<void> | void {
    const release = (error: unknown): never => {
      budget.release(request);
      throw error;
    };
    try {
      return health.admit(id, request)?.catch(release);
    } catch (error) {
      return release(error);
    }
  }
  return (id, request) => {
    guard.admit(request);
    const afforded = budget.admit(request);
    return afforded === undefined ? askHealth(id, request) : afforded.then(() => askHealth(id, request));
  };
}

const watching = (watch: RunWatch): Observer => ({
  begun: one => watch.begun?.(one),
  note: answer => watch.answer(answer),
  answered(answer, arrival) {
    watch.answered?.(answer, arrival);
    return undefined;
  },
});

/** Opens the client of a run, which the caller closes, and the observers of its answers. Sends nothing yet. */
export function openRun(config: RunConfig, units: readonly Unit[], emit: (event: Shown<RunEvent>) => void) {
  const { target, token, timeoutMs, timeMs, clock } = config;
  const counts = { probes: 0, extended: 0 };
  const cases = new Map<string, number>();
  const { baseUrl, access } = target;
  const client = createHttpClient({ ...config, baseUrl, access, connections: config.concurrency });
  const health = createHealthMonitor({
    ...config,
    limit: isLimitOfFile(config) ? `limits.requests: ${2 * (target.limits?.requests ?? 0)}` : undefined,
    probe: () => isBack(target, timeoutMs, counts),
  });
  const writtenFields = createWrittenFields();
  const budget = createBudget(config);
  const guard = createWriteGuard(target, config);
  const suspected = createSuspected({ ...config, departures: client.departures });
  const otherRuns = createOtherRuns(token, target);
  const unplanned = createUnplanned(units);
  const contradictions = createContradictions();
  const cells = createCountedCells(config, units);
  const fixturesOf = (endpoint: EndpointId): readonly string[] => {
    const { fixture } = endpointRow(endpoint);
    return fixture === null ? [] : fixtureNames(target, fixture);
  };
  const observers: readonly Observer[] = [
    health,
    budget,
    guard,
    writtenFields,
    createEffectiveness(target),
    createObservations(),
    createResidue(token, fixturesOf),
    createRefusedFixtures(fixturesOf),
    createRetryNotices(client),
    createMisnamed(() => wire.bases),
    otherRuns,
    suspected,
    contradictions,
    cells,
    ...compact([
      config.maxResponseMs !== undefined && createSlowAnswers(config.maxResponseMs),
      config.watch && watching(config.watch),
    ]),
  ];
  // Every request in flight or waiting listens to the signal.
  if (config.signal !== undefined) setMaxListeners(0, config.signal);
  const start = clock();
  const wire = createWire({
    client,
    target,
    token,
    clock,
    admit: admission(health, budget, guard),
    observers,
    unplanned: unplanned.judge,
    trace: config.trace === true ? { on: true, token } : undefined,
  });
  return {
    config,
    units,
    /** The collections of the units, in the order in which their lanes begin. */
    lanes: [...new Set(units.map(({ lane }) => lane))] as readonly Collection[],
    wire,
    health,
    writtenFields,
    /** Holds back writes that could not be undone. */
    guard,
    /** Suspicions: answers that contradict what is known. */
    suspected,
    /** The ledger cells that the exchanges exercised. */
    cells,
    /** Violations in answers that belong to no case. */
    unplanned,
    contradictions,
    /** Other runs that write to the same fixtures. */
    otherRuns,
    /** Numbers that the client does not count: probe requests, and random cases beyond the profile. */
    counts,
    /** Emits an event, after redacting secrets in its texts. */
    emit(event: RunEvent): void {
      // The end of a continued unit replaces the previous one, with all its cases.
      if (event.event === 'check-end') {
        cases.set(event.id, event.stats.cases);
        cells.ended(event);
      }
      emit(redactedEvent(event, wire.secrets));
    },
    /** True if the run's time is up: no further case may begin. */
    isTimeUp: (): boolean => timeMs !== undefined && clock() - start >= timeMs,
    /** Returns what was sent and tried so far. */
    stats: (): RunEnd['stats'] => ({
      requests: client.sent() + counts.probes,
      ...retriesOf(client),
      cases: [...cases.values()].reduce((sum, count) => sum + count, 0),
      ...present({ extended: timeMs === undefined ? undefined : counts.extended }),
      durationMs: Math.round(clock() - start),
    }),
  };
}
