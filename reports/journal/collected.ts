import type {
  CheckEnd,
  Learned,
  LeftBehind,
  Notice,
  Observation,
  PlannedCheck,
  PlannedEffect,
  RunEnd,
  RunEvent,
  RunStart,
} from '../../contracts/report/journal.ts';
import type { CellsEvent } from '../../contracts/report/ledger.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import type { TrafficSummary } from '../../contracts/report/traffic.ts';
import { type Scoring, scoringOf, setNamed } from '../../contracts/requirements/sets.ts';
import { endedCheck, unplannedRow } from './check-report.ts';

/** The most observations, planned effects, learned names, entries of residue and notices of a run that are kept. */
const bounds = { observations: 2_000, plannedEffects: 5_000, learned: 1_000, leftBehind: 5_000, notices: 100 } as const;

const worstVerdictFirst = ['fail', 'error', 'untested', 'warn', 'pass', 'not-applicable'] as const;

/** Returns what the events of a journal have told before the first of them. */
export const nothingCollected = () => ({
  starts: [] as RunStart[],
  ends: [] as RunEnd[],
  cells: [] as CellsEvent[],
  planned: new Map<string, PlannedCheck>(),
  ended: new Map<string, CheckReport>(),
  observations: new Map<string, Observation>(),
  plannedEffects: new Map<string, PlannedEffect>(),
  learned: new Map<string, Learned>(),
  leftBehind: new Map<string, LeftBehind>(),
  notices: new Map<string, Notice>(),
  traffic: undefined as TrafficSummary | undefined,
  scoring: undefined as Scoring | undefined,
});

/** What the events of a journal have told so far. */
export type Collected = ReturnType<typeof nothingCollected>;

/** Returns the first start of a run. Throws where there is none. */
export function startOf({ starts: [start] }: Collected): RunStart {
  if (start === undefined) throw new Error('The journal does not begin with a run-start.');
  return start;
}

/** Returns how requirements count in the run. */
export const scoringIn = (into: Collected): Scoring =>
  (into.scoring ??= scoringOf(setNamed(into.starts[0]?.requirementSet?.name ?? '')));

/** Adds one event. */
export function collect(into: Collected, event: RunEvent): void {
  switch (event.event) {
    case 'run-start':
      into.starts.push(event);
      for (const check of event.plan) if (!into.planned.has(check.id)) into.planned.set(check.id, check);
      break;
    case 'check-end':
      endCheck(into, event);
      break;
    case 'observation': {
      const key = JSON.stringify([event.requirement, event.endpoint, event.subject, event.value]);
      const count = (into.observations.get(key)?.count ?? 0) + (event.count ?? 1);
      keep(into.observations, key, { ...event, count }, bounds.observations);
      break;
    }
    case 'learned': {
      const key = JSON.stringify([event.kind, event.value, event.heldBy]);
      const refusedBy = [...new Set([...(into.learned.get(key)?.refusedBy ?? []), ...(event.refusedBy ?? [])])];
      keep(into.learned, key, { ...event, ...(refusedBy.length === 0 ? {} : { refusedBy }) }, bounds.learned);
      break;
    }
    case 'planned-effects':
      for (const effect of event.effects)
        keep(into.plannedEffects, JSON.stringify(effect), effect, bounds.plannedEffects);
      break;
    case 'left-behind':
      keep(into.leftBehind, JSON.stringify(event), event, bounds.leftBehind);
      break;
    case 'notice':
      keep(into.notices, JSON.stringify(event), event, bounds.notices);
      break;
    case 'cells':
      into.cells.push(event);
      break;
    case 'traffic':
      into.traffic = event;
      break;
    case 'run-end':
      into.ends.push(event);
  }
}

/** Of several ends of one check the worst counts, unless the last one replaces the others. */
function endCheck(into: Collected, event: CheckEnd): void {
  const start = startOf(into);
  // Report a check that was not planned all the same: a failure must not get lost.
  const plan = into.planned.get(event.id) ?? unplannedRow(event);
  into.planned.set(event.id, plan);
  const check = endedCheck(plan, event, start, scoringIn(into), into.learned.size > 0);
  const before = into.ended.get(event.id);
  const rank = ({ verdict }: CheckReport) => worstVerdictFirst.indexOf(verdict);
  if (event.replaces === true || before === undefined || rank(check) < rank(before)) into.ended.set(event.id, check);
}

function keep<T>(into: Map<string, T>, key: string, value: T, bound: number): void {
  if (into.has(key) || into.size < bound) into.set(key, value);
}
