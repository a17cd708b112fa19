import { checkOf } from '../checks/index.ts';
import { isOneShot, type Unit } from '../checks/units.ts';
import type { CheckContext } from '../protocol/check.ts';
import { GivenUp, RunStopped, unlessGivenUp } from '../protocol/stop.ts';
import { backfillCoverage } from './coverage-backfill.ts';
import { checkEnd, type Ending, endingOf, noCases, untested } from './ending.ts';
import { type ActiveUnit, isActive } from './execution.ts';
import { extend, type FuzzedUnit } from './extended-fuzzing.ts';
import { findingOf } from './findings.ts';
import { investigate, readFixtures, tellRestored } from './investigation.ts';
import { contextOf, isEnding, type LaneInput, type LaneState, openLane, unshownBy } from './lane-state.ts';
import { type OpenUnit, openUnit } from './unit.ts';

/** Of the first findings of a check the evidence is kept whole; of the others its beginning. */
const mostShownWhole = 10;

/** An active unit whose cases were sent. */
interface Running {
  readonly unit: ActiveUnit;
  readonly open: OpenUnit;
  durationMs: number;
  /** Why it could not go on, where the suite itself failed. */
  failure?: Ending;
}

/** A lane whose plan was carried out, or cut short. */
export interface PlannedLane {
  /** What cut it short before every unit was run, or null. */
  readonly cut: RunStopped | null;
  /** With `--time`: goes on with random cases until the time is up. */
  extend(): Promise<void>;
  /** Tells what putting the fixtures back has shown to be broken. */
  restored(): void;
}

/** The check that judges the frame of answers, where no answer of an endpoint had a sound one: nothing else can be told. */
function frameBlocking({ endpoint }: Unit, lane: LaneState): string | undefined {
  const id = `${endpoint}/${checkOf('envelope').id}`;
  return !lane.accepted.has(endpoint) && lane.collectorOf(id).groups.size > 0 ? id : undefined;
}

/** An ending that names the broken frame where that is why nothing could be proved. */
function behindFrame(ending: Ending, unit: Unit, lane: LaneState): Ending {
  const blockedBy = frameBlocking(unit, lane);
  return ending.verdict === 'untested' && blockedBy !== undefined ? { ...ending, blockedBy } : ending;
}

/** Emits the ends of the units of a lane, and knows how many findings of each were emitted. */
function openLaneEmitter(lane: LaneState) {
  const { config, wire, emit } = lane.run;
  /** How many findings of each unit were emitted. */
  const emitted = new Map<string, number>();
  const end = (unit: Unit, ending: Ending): void => {
    const { groups } = lane.collectorOf(unit.id);
    const findings = [...groups.values()]
      .sort((a, b) => a.source.index - b.source.index)
      .map((group, index) => findingOf(group, unit.id, config.target, wire.secrets, index >= mostShownWhole));
    const event = checkEnd(unit, ending, findings);
    emit(emitted.has(unit.id) ? { ...event, replaces: true } : event);
    emitted.set(unit.id, groups.size);
  };
  const finish = ({ unit, open, durationMs, failure }: Running): void =>
    end(
      unit,
      failure ??
        behindFrame(endingOf(open.outcome, durationMs, unit.endpoint, lane.accepted.has(unit.endpoint)), unit, lane),
    );
  // Emitted anew each time they have doubled, so that the journal stays short whatever the target does.
  const isDue = ({ id }: Unit): boolean => {
    const before = emitted.get(id) ?? 0;
    const { size } = lane.collectorOf(id).groups;
    return size > before && size >= 2 * before;
  };
  function endPassive(endpoints: ReadonlySet<string>, always: boolean): void {
    for (const unit of lane.units) {
      if (endpoints.has(unit.endpoint) && unit.check.kind === 'passive' && (always || isDue(unit)))
        end(unit, passiveEnding(unit, lane));
    }
  }
  return {
    end,
    finish,
    /**
     * Emits the ends of units that went on anew, and those of the passive checks at their endpoints: where they have
     * many more findings than were emitted, or `always`.
     */
    again(running: readonly Running[], always: boolean): void {
      for (const one of running) if (always || isDue(one.unit)) finish(one);
      endPassive(new Set(running.map(({ unit }) => unit.endpoint)), always);
    },
    /** Emits the end of a unit whose cases were sent, and those of the passive checks beside it, as far as they found. */
    soon(unit: ActiveUnit, running: Running | null): void {
      if (running !== null && isDue(unit)) finish(running);
      endPassive(new Set([unit.endpoint]), false);
    },
    hasEnded: ({ id }: Unit): boolean => emitted.has(id),
  };
}

/**
 * Runs the units of one collection one after another, so that no check disturbs another's subject, then judges what
 * depends on the lane as a whole: the passive checks, and refusals that prove something only because the minimal
 * request was accepted.
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
      // While what was written since is known, and other fixtures are as they were.
      emitGained(lane, await investigate(lane), running, emitter);
      if (run.config.enough !== undefined) emitter.soon(unit, 'verdict' in finished ? null : finished);
    }
    if (run.config.path === undefined)
      await backfillCoverage(
        lane,
        pending.map(({ unit }) => unit.endpoint),
      );
    for (const one of running) if (await unlessGivenUp(one.open.afterwards(), false)) emitter.finish(one);
    if (run.config.path !== undefined) await readFixtures(lane);
    emitGained(lane, await investigate(lane), running, emitter);
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    cut = error;
    const waiting = new Set(pending.map(({ unit }) => unit.id));
    for (const unit of active) {
      if (!emitter.hasEnded(unit) && !waiting.has(unit.id)) emitter.end(unit, untested(error.message));
    }
  }
  for (const finished of pending) emitter.finish(finished);
  for (const unit of units) {
    if (unit.check.kind === 'passive') emitter.end(unit, passiveEnding(unit, lane));
  }
  for (const unit of input.passiveUnits) {
    if (lane.collectorOf(unit.id).groups.size > 0) emitter.end(unit, passiveEnding(unit, lane));
  }
  const { timeMs } = run.config;
  return {
    cut,
    async extend() {
      if (cut === null && timeMs !== undefined) await extendLane(running, lane, timeMs, emitter);
    },
    restored: () => emitGained(lane, tellRestored(lane), running, emitter),
  };
}

/** Emits the ends of the checks that have come to tell more. */
function emitGained(
  lane: LaneState,
  gained: ReadonlySet<Unit>,
  running: readonly Running[],
  emitter: ReturnType<typeof openLaneEmitter>,
): void {
  for (const unit of gained) {
    // What is still to be run tells it when it ends.
    if (lane.units.includes(unit) && !emitter.hasEnded(unit)) continue;
    const own = running.find(one => one.unit.id === unit.id);
    if (own !== undefined) emitter.finish(own);
    else emitter.end(unit, isActive(unit) ? untested('none of its cases was sent') : passiveEnding(unit, lane));
  }
}

/** Goes on with the random cases of the units that were run, except where an operation works only once. */
async function extendLane(
  running: readonly Running[],
  { run }: LaneState,
  timeMs: number,
  emitter: ReturnType<typeof openLaneEmitter>,
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
      emitter.again([one], false);
    },
    onFailure(one, error) {
      // What it showed before the target was given up stands.
      if (!(error instanceof GivenUp)) one.failure = failureOf(error);
    },
  });
  await Promise.all(fuzzed.map(({ open }) => open.close()));
  // The end of the run may have come in the middle of a portion.
  if (casesSent() > counted) count();
  emitter.again(
    fuzzed.map(({ unit }) => unit),
    true,
  );
}

/** How a unit ends that cannot go on: given up because of the target, or a fault of the suite. */
function failureOf(error: unknown): Ending {
  if (error instanceof GivenUp) return untested(error.message);
  const trace = (error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error);
  return untested(`the suite itself failed: ${trace}`, { verdict: 'error' });
}

/** Runs one active unit. An exception other than `RunStopped` ends this unit only. */
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

function passiveEnding(unit: Unit, lane: LaneState): Ending {
  const seen = lane.passiveResults.get(unit.id);
  if (seen !== undefined) {
    const exercised = [...seen.exercised].sort();
    return { verdict: 'pass', notExercised: unshownBy(seen), stats: { ...noCases, cases: seen.count }, exercised };
  }
  const context = contextOf(unit, lane);
  if (isEnding(context)) return context;
  // Where lists were answered and nothing could be judged, they have no items; where other answers were, they lack
  // what the envelope check reports.
  if (context.row.list && lane.accepted.has(unit.endpoint))
    return untested('the list shows no item that it could judge', { remedy: `give ${context.row.path} an item` });
  const blocker = checkOf(lane.accepted.has(unit.endpoint) ? 'envelope' : 'minimal-request').id;
  const blockedBy = frameBlocking(unit, lane) ?? `${unit.endpoint}/${blocker}`;
  return untested('no answer of this endpoint could be judged by it', { blockedBy });
}
