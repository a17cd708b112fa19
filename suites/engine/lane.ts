import type { EndpointId } from '../../contracts/endpoints.ts';
import { isOneShot, type Unit } from '../checks/units.ts';
import { isAccepted } from '../protocol/answer.ts';
import { type CheckContext, minimalApiRequest } from '../protocol/check.ts';
import { answerOrNull, GivenUp, RunStopped, unlessGivenUp } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import { askOnceMore, tellContradictions } from './contradictions.ts';
import { type Ending, untested } from './ending.ts';
import { type ActiveUnit, isActive } from './execution.ts';
import { attribute } from './findings.ts';
import { investigate, leaveSuspicions, readFixtures, tellRestored } from './investigation.ts';
import {
  emitGained,
  type LaneEmitter,
  openLaneEmitter,
  passiveEnding,
  type Running,
  tellLeftOut,
} from './lane-ends.ts';
import {
  contextOf,
  isEnding,
  type LaneInput,
  type LaneState,
  notePassiveResult,
  openLane,
  tellOfCase,
} from './lane-state.ts';
import { operationsOf } from './plan.ts';
import { tellDoubtful } from './telling.ts';
import { type OpenUnit, openUnit } from './unit.ts';
import { askAgain, tellUnplanned } from './unplanned.ts';

/** A unit that draws random cases, and can draw more. */
export interface FuzzedUnit<U> {
  readonly unit: U;
  readonly draws: 'scenario' | 'fuzz';
  readonly open: OpenUnit;
}

/** Cases per round: a scenario is several consecutive requests. */
const portion = { scenario: 20, fuzz: 100 } as const;

/** The clock and the callbacks of `extend`. */
interface FuzzingObserver<U> {
  isTimeUp(): boolean;
  /** Called after each portion of a unit. */
  onPortion(unit: U): void;
  /** Called if a unit fails with an error that does not end the run. It draws no more cases. */
  onFailure(unit: U, error: unknown): void;
}

/**
 * Draws more random cases of some units until the time is up, or there are no more. Each round takes a portion of every
 * scenario, then of every fuzz. `RunStopped` ends it too.
 */
export async function extend<U>(units: readonly FuzzedUnit<U>[], watch: FuzzingObserver<U>): Promise<void> {
  let going = (['scenario', 'fuzz'] as const).flatMap(kind => units.filter(({ draws }) => draws === kind));
  try {
    while (going.length > 0 && !watch.isTimeUp()) {
      for (const one of going) {
        if (watch.isTimeUp()) return;
        const cases = await one.open.extend(portion[one.draws]).catch((error: unknown) => {
          if (error instanceof RunStopped) throw error;
          watch.onFailure(one.unit, error);
          return 0;
        });
        watch.onPortion(one.unit);
        if (cases === 0) going = going.filter(other => other !== one);
      }
    }
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
  }
}

/** A lane whose plan was carried out or cut short. */
export interface PlannedLane {
  /** The cause if it was cut short before every unit ran, or null. */
  readonly cut: RunStopped | null;
  /** With `--time`: draws more random cases until the time is up. */
  extend(): Promise<void>;
  /** Reports the violations that restoring the fixtures has shown. */
  restored(): void;
}

/**
 * Runs the units of one collection one after another, so that no check disturbs another's subject. Then judges what
 * depends on the whole lane: the passive checks, and refusals that count only if the minimal request was accepted.
 */
export async function runLane(input: LaneInput): Promise<PlannedLane> {
  const { units, run } = input;
  const lane = openLane(input);
  const emitter = openLaneEmitter(lane);
  const running: Running[] = [];
  const pending: Running[] = [];
  let cut: RunStopped | null = null;

  const active = units.filter(isActive);
  try {
    for (const unit of active) {
      const context = contextOf(unit, lane);
      if (isEnding(context)) {
        emitter.end(unit, context);
        continue;
      }
      const finished = await runActive(unit, context, lane);
      if ('verdict' in finished) emitter.end(unit, finished);
      else {
        running.push(finished);
        if (finished.open.outcome.provisional > 0) pending.push(finished);
        else emitter.finish(finished);
      }
      // Investigate now, while recent writes are known and other fixtures are unchanged.
      await investigate(lane, false);
      emitGained(lane, running, emitter);
      if (run.config.enough !== undefined) emitter.again([unit.endpoint], 'verdict' in finished ? [] : [finished]);
    }
    if (run.config.path === undefined)
      await backfillCoverage(
        lane,
        pending.map(({ unit }) => unit.endpoint),
      );
    for (const one of running) if (await unlessGivenUp(one.open.afterwards(), false)) emitter.finish(one);
    if (run.config.path !== undefined) await readFixtures(lane);
    await investigate(lane, true);
    await askAgain(lane);
    await askOnceMore(lane);
    tellUnplanned(lane);
    tellContradictions(lane);
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    cut = error;
    leaveSuspicions(lane, cut);
    const waiting = new Set(pending.map(({ unit }) => unit.id));
    for (const unit of active) {
      if (!emitter.hasEnded(unit) && !waiting.has(unit.id)) emitter.end(unit, untested(error.message));
    }
  }
  // Report the findings made before the lane was cut short, too.
  tellDoubtful(lane);
  emitGained(lane, running, emitter);
  for (const finished of pending) emitter.finish(finished);
  for (const unit of units) {
    if (unit.check.kind === 'passive') emitter.end(unit, passiveEnding(unit, lane, cut));
  }
  for (const unit of input.passiveUnits) {
    if (lane.collectorOf(unit.id).groups.size > 0) emitter.end(unit, passiveEnding(unit, lane, cut));
  }
  tellLeftOut(lane);
  const { timeMs } = run.config;
  return {
    cut,
    async extend() {
      if (cut === null && timeMs !== undefined) await extendLane(running, lane, timeMs, emitter);
    },
    restored() {
      tellRestored(lane);
      tellUnplanned(lane);
      emitGained(lane, running, emitter);
    },
  };
}

/** Draws more random cases of the units that ran, except for one-shot operations. */
async function extendLane(
  running: readonly Running[],
  { run }: LaneState,
  timeMs: number,
  emitter: LaneEmitter,
): Promise<void> {
  const fuzzed = running.flatMap((unit): FuzzedUnit<Running>[] => {
    const { check, endpoint } = unit.unit;
    const { draws } = check;
    return draws === undefined || isOneShot(endpoint) ? [] : [{ unit, draws, open: unit.open }];
  });
  const casesSent = () => fuzzed.reduce((sum, { open }) => sum + open.outcome.cases, 0);
  let counted = casesSent();
  const count = (): void => {
    const now = casesSent();
    run.counts.extended += now - counted;
    counted = now;
    const { requests, durationMs: elapsedMs } = run.stats();
    run.emit({ event: 'progress', requests, extended: run.counts.extended, elapsedMs, timeMs });
  };
  let since = performance.now();
  await extend(fuzzed, {
    isTimeUp: run.isTimeUp,
    onPortion(one) {
      const now = performance.now();
      one.durationMs += now - since;
      since = now;
      count();
      emitter.again([one.unit.endpoint], [one]);
    },
    onFailure(one, error) {
      // If the target was given up, the unit's earlier results stand.
      if (!(error instanceof GivenUp)) one.failure = failureOf(error);
    },
  });
  await Promise.all(fuzzed.map(({ open }) => open.close()));
  // The run may have ended in the middle of a portion.
  if (casesSent() > counted) count();
  const went = fuzzed.map(({ unit }) => unit);
  emitter.again(
    went.map(({ unit }) => unit.endpoint),
    went,
    true,
  );
}

/** Returns the ending of a unit that failed: given up because of the target, or a bug of the suite. */
function failureOf(error: unknown): Ending {
  if (error instanceof GivenUp) return untested(error.message);
  const trace = (error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error);
  return untested(`the suite itself failed: ${trace}`, { verdict: 'error' });
}

/** Runs one active unit. An exception other than `RunStopped` ends only this unit. */
async function runActive(unit: ActiveUnit, context: CheckContext, lane: LaneState): Promise<Running | Ending> {
  lane.run.emit({ event: 'check-start', id: unit.id });
  const start = performance.now();
  const open = openUnit({ unit, context, lane });
  try {
    await open.run();
    return { unit, open, durationMs: performance.now() - start };
  } catch (error) {
    if (error instanceof RunStopped) throw error;
    return failureOf(error);
  }
}

/**
 * Sends one minimal request to each endpoint that accepted nothing yet although a unit depends on it. Such units are
 * passive checks, one-shot operations, and provisional results of endpoints in `pending`.
 */
async function backfillCoverage(lane: LaneState, pending: readonly EndpointId[]): Promise<void> {
  const waiting = lane.units.filter(
    ({ check, endpoint }) => check.kind === 'passive' || isOneShot(endpoint) || pending.includes(endpoint),
  );
  for (const endpoint of operationsOf(waiting)) {
    if (lane.accepted.has(endpoint)) continue;
    const unit = waiting.find(one => one.endpoint === endpoint) as Unit;
    const context = contextOf(unit, lane);
    if (isEnding(context)) continue;
    const path = 'plain';
    const session = openSession(lane.run.wire, `${unit.id}#${path}`, lane.passive);
    const answer = await answerOrNull(session, minimalApiRequest(context));
    if (answer === null) continue;
    if (isAccepted(answer)) lane.accepted.add(endpoint);
    for (const result of session.passiveResults) {
      notePassiveResult(lane, result);
      const { unit: owner } = result;
      const found = attribute(owner, result, { title: 'the minimal request', pointer: '' }, false);
      tellOfCase(lane, found, { unit: owner, index: 0, path });
    }
  }
}
