import { checkOf } from '../checks/index.ts';
import { isOneShot, type Unit } from '../checks/units.ts';
import type { ActiveCheck, CheckContext } from '../protocol/check.ts';
import { GivenUp, RunStopped } from '../protocol/stop.ts';
import { backfillCoverage } from './coverage-backfill.ts';
import { checkEnd, type Ending, endingOf, noCases, untested } from './ending.ts';
import { extend, type FuzzedUnit } from './extended-fuzzing.ts';
import { findingOf } from './findings.ts';
import { contextOf, isEnding, type LaneInput } from './lane-input.ts';
import { type LaneState, notePassiveResult, openLaneState } from './lane-state.ts';
import { type OpenUnit, openUnit, unitSeed } from './unit.ts';

/** Of the first findings of a check the evidence is kept whole; of the others its beginning. */
const mostShownWhole = 10;

/** An active unit whose cases were tried. */
interface Running {
  readonly unit: Unit;
  readonly open: OpenUnit;
  durationMs: number;
  /** Why it could not go on, where the suite itself failed. */
  failure?: Ending;
}

/** What is told of the units of a lane, and how many findings of each were told. */
interface LaneEmitter {
  end(unit: Unit, ending: Ending): void;
  finish(running: Running): void;
  /** Tells anew of units that went on, and of the checks that watched them: where they have many more findings than were told, or `always`. */
  again(running: readonly Running[], always: boolean): void;
  hasEnded(unit: Unit): boolean;
}

function openLaneEmitter(input: LaneInput, state: LaneState): LaneEmitter {
  const { target, secrets } = input.wire;
  const told = new Map<string, number>();
  const end = (unit: Unit, ending: Ending): void => {
    const { groups } = state.collectorOf(unit.id);
    const findings = [...groups.values()]
      .sort((a, b) => a.source.index - b.source.index)
      .map((group, index) => findingOf(group, unit.id, target, secrets, index >= mostShownWhole));
    const event = checkEnd(unit, ending, findings);
    input.emit(told.has(unit.id) ? { ...event, replaces: true } : event);
    told.set(unit.id, groups.size);
  };
  const finish = ({ unit, open, durationMs, failure }: Running): void =>
    end(unit, failure ?? endingOf(open.outcome, durationMs, unit.endpoint, state.accepted.has(unit.endpoint)));
  // Told anew each time they have doubled, so that the journal stays short whatever the target does.
  const isDue = ({ id }: Unit): boolean => {
    const before = told.get(id) ?? 0;
    const { size } = state.collectorOf(id).groups;
    return size > before && size >= 2 * before;
  };
  return {
    end,
    finish,
    again(running, always) {
      for (const { unit, open } of running) if (open.outcome.accepted > 0) state.accepted.add(unit.endpoint);
      for (const one of running) if (always || isDue(one.unit)) finish(one);
      const endpoints = new Set(running.map(({ unit }) => unit.endpoint));
      for (const unit of input.units) {
        if (endpoints.has(unit.endpoint) && unit.check.kind === 'passive' && (always || isDue(unit)))
          end(unit, passiveEnding(unit, input, state));
      }
    },
    hasEnded: ({ id }) => told.has(id),
  };
}

/**
 * Runs the units of one collection one after another, so that no check disturbs another's subject, then judges what depends on the lane as a whole: the
 * passive checks, and refusals that prove something only because the minimal request was accepted. Where time is left, it then goes on with random cases. Returns
 * what cut it short before every unit was run, if anything did.
 */
export async function runLane(input: LaneInput): Promise<RunStopped | null> {
  const { units } = input;
  const state = openLaneState([...units, ...input.passiveUnits]);
  const emitter = openLaneEmitter(input, state);
  const running: Running[] = [];
  const pending: Running[] = [];
  let cut: RunStopped | null = null;

  const active = units.filter(unit => unit.check.kind === 'active');
  try {
    for (const unit of active) {
      const context = contextOf(unit, input);
      if (isEnding(context)) {
        emitter.end(unit, context);
        continue;
      }
      const finished = await runActive(unit, context, input, state);
      if ('verdict' in finished) emitter.end(unit, finished);
      else {
        running.push(finished);
        if (finished.open.outcome.provisional > 0) pending.push(finished);
        else emitter.finish(finished);
      }
    }
    if (input.path === undefined) await backfillCoverage(input, state);
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
    if (unit.check.kind === 'passive') emitter.end(unit, passiveEnding(unit, input, state));
  }
  for (const unit of input.passiveUnits) {
    if (state.collectorOf(unit.id).groups.size > 0) emitter.end(unit, passiveEnding(unit, input, state));
  }
  if (cut === null && input.onExtended !== null) await extendLane(running, input, input.onExtended, emitter);
  return cut;
}

/** Goes on with the random cases of the units that were run, but where an operation works only once and has been carried out. */
async function extendLane(
  running: readonly Running[],
  input: LaneInput,
  onExtended: (cases: number) => void,
  emitter: LaneEmitter,
): Promise<void> {
  const fuzzed = running.flatMap((unit): FuzzedUnit<Running>[] => {
    const { check, endpoint } = unit.unit;
    const draws = check.kind === 'active' ? check.draws : undefined;
    return draws === undefined || isOneShot(endpoint) ? [] : [{ unit, draws, open: unit.open }];
  });
  const casesTried = () => fuzzed.reduce((sum, { open }) => sum + open.outcome.cases, 0);
  let tried = casesTried();
  const count = (): void => {
    const now = casesTried();
    onExtended(now - tried);
    tried = now;
  };
  let since = performance.now();
  await extend(fuzzed, {
    isTimeUp: input.isTimeUp,
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
  if (casesTried() > tried) count();
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

/** Runs one active unit. An exception that is not the end of the run is a fault of the suite, and ends this unit only. */
async function runActive(
  unit: Unit,
  context: CheckContext,
  input: LaneInput,
  state: LaneState,
): Promise<Running | Ending> {
  input.emit({ event: 'check-start', id: unit.id });
  const start = performance.now();
  const open = openUnit({
    id: unit.id,
    check: unit.check as ActiveCheck<never>,
    context,
    wire: input.wire,
    seed: unitSeed(input.seed, unit.endpoint, unit.check.id),
    concurrency: input.concurrency,
    path: input.path,
    passive: state.passive,
    collectorOf: state.collectorOf,
    onPassiveResult: (watcher, result) => notePassiveResult(state, watcher, result),
    isTimeUp: input.isTimeUp,
  });
  try {
    await open.run();
    if (open.outcome.accepted > 0) state.accepted.add(unit.endpoint);
    return { unit, open, durationMs: performance.now() - start };
  } catch (error) {
    if (error instanceof RunStopped) throw error;
    return failureOf(error);
  }
}

function passiveEnding(unit: Unit, input: LaneInput, state: LaneState): Ending {
  const seen = state.passiveResults.get(unit.id);
  if (seen !== undefined) {
    const exercised = unit.check.reportsCoverage === true ? { exercised: [...seen.exercised].sort() } : {};
    return { verdict: 'pass', notExercised: [], stats: { ...noCases, cases: seen.count }, ...exercised };
  }
  const context = contextOf(unit, input);
  if (isEnding(context)) return context;
  // Where something was accepted and still nothing could be judged, the answers lack the frame that the envelope check reports.
  const blocker = checkOf(state.accepted.has(unit.endpoint) ? 'envelope' : 'minimal-request').id;
  return untested('no answer of this endpoint could be judged by it', { blockedBy: `${unit.endpoint}/${blocker}` });
}
