import { present } from '../../contracts/present.ts';
import type { Shown } from '../../contracts/redaction/shown.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { allUnits } from '../checks/units.ts';
import { type ActiveCheck, isNothingToDo } from '../protocol/check.ts';
import { RunStopped } from '../protocol/stop.ts';
import type { LearnedWord } from '../protocol/sut.ts';
import { tooShortText } from '../sut/target-secrets.ts';
import type { Rank } from './case-order.ts';
import { rankedCases, seedOfUnit } from './cases.ts';
import { configOf, type RunOptions } from './config.ts';
import { isActive } from './execution.ts';
import { allEnded } from './in-flight.ts';
import { type PlannedLane, runLane } from './lane.ts';
import { contextOf, isEnding, type LaneInput, openLane } from './lane-state.ts';
import { learn } from './learn.ts';
import { notice } from './notice.ts';
import { planOf, runStart } from './plan.ts';
import { plannedEffects } from './planned-effects.ts';
import { preflight } from './preflight.ts';
import { restore } from './restore.ts';
import { openRun, type RunState } from './run-state.ts';
import { type Snapshot, takeSnapshot, withKnownFirst } from './snapshot.ts';
import { profileTrim, type Trim, trimToFit } from './trim.ts';

/**
 * Runs the selected checks against a target and emits every step as an event, synchronously and in order. Throws
 * `NothingSelected` and `PathNeedsOneCheck` for an invalid selection. Whatever the target does ends as a verdict, never
 * as an exception.
 */
export async function run(options: RunOptions, emit: (event: Shown<RunEvent>) => void): Promise<void> {
  const config = configOf(options);
  const run = openRun(config, planOf(config), emit);
  run.emit(runStart(run));
  const effects = plannedEffects(run);
  if (effects !== null) run.emit(effects);
  const tooShort = tooShortText(config.target);
  if (tooShort !== undefined) run.emit(notice('info', tooShort));
  let cut: RunStopped | null = null;
  try {
    await preflight(run);
    const snapshot = await takeSnapshot(run);
    const carriedOut = await carryOut(withKnownFirst(run, snapshot), snapshot);
    cut = carriedOut.cut;
    await restore(run, snapshot, carriedOut.fault === undefined);
    for (const lane of carriedOut.lanes) lane.restored();
    if (carriedOut.fault !== undefined) throw carriedOut.fault.error;
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    cut = error;
  } finally {
    await run.wire.client.close();
  }
  summarize(run, cut);
}

/**
 * Learns and runs the lanes. Returns every error instead of throwing it, even a bug of the suite, because fixtures must
 * still be restored.
 */
async function carryOut(run: RunState, snapshot: Snapshot): Promise<CarriedOut> {
  const { watch } = run.config;
  let lanes: readonly PlannedLane[] = [];
  if (snapshot.cut) return { lanes, cut: snapshot.cut };
  try {
    const learned = await learn(run, snapshot);
    await watch?.beforeLanes?.(run, snapshot);
    lanes = await runLanes(run, snapshot, learned);
    const cut = lanes.find(lane => lane.cut !== null)?.cut ?? null;
    if (cut === null) {
      await allEnded(lanes.map(lane => lane.extend()));
      await watch?.beforeRestore?.(run, snapshot);
    }
    return { lanes, cut };
  } catch (error) {
    return error instanceof RunStopped ? { lanes, cut: error } : { lanes, cut: null, fault: { error } };
  }
}

/** The lanes of a run, and what cut the first of them short, if anything did. */
interface CarriedOut {
  readonly lanes: readonly PlannedLane[];
  readonly cut: RunStopped | null;
  /** An unexpected error. */
  readonly fault?: { readonly error: unknown };
}

/**
 * Runs the lanes side by side. Random cases beyond the plan begin when every lane has finished its plan: they would
 * take the target's time from it.
 */
async function runLanes(
  run: RunState,
  snapshot: Snapshot,
  learned: readonly LearnedWord[],
): Promise<readonly PlannedLane[]> {
  const { units, config } = run;
  // A replayed case is judged whole: also by the passive checks of its endpoint, which were not selected.
  const replayed = config.path === undefined ? undefined : units.find(({ check }) => check.kind === 'active')?.endpoint;
  const besides = allUnits().filter(
    unit => unit.endpoint === replayed && unit.check.kind === 'passive' && !units.includes(unit),
  );
  const lanes = run.lanes.map(lane => ({
    run,
    snapshot,
    learned,
    units: units.filter(unit => unit.lane === lane),
    passiveUnits: besides.filter(unit => unit.lane === lane),
  }));
  const trim = trimOf(run, lanes);
  // Nothing is restored while one still writes.
  return allEnded(lanes.map(lane => runLane({ ...lane, trim })));
}

/** Returns the ranked cases that the units of a lane would send. Sends nothing. */
function rankedUnits(input: LaneInput): readonly { readonly ranks: readonly Rank[] }[] {
  const lane = openLane(input);
  const { config } = input.run;
  return input.units.filter(isActive).flatMap(unit => {
    const context = contextOf(unit, lane);
    if (isEnding(context)) return [];
    const plan = (unit.check as unknown as ActiveCheck<unknown>).plan(context);
    if (isNothingToDo(plan)) return [];
    const draw = { seed: seedOfUnit(config.seed, unit), turn: config.seed, token: config.token };
    return [rankedCases(unit, plan, context.amounts, draw)];
  });
}

/** Requests reserved per unit, for those that no case counts and for shared controls. */
const keptPerUnit = 1.4;

/**
 * Returns which cases a run sends: those of its profile, trimmed in advance to a limit of requests, so that the most
 * telling cases fit. With `--time` or `--path` nothing more is left out.
 */
function trimOf(run: RunState, lanes: readonly LaneInput[]): Trim {
  const { config, health } = run;
  const { maxRequests, path, timeMs } = config;
  const trim = profileTrim(config);
  if (maxRequests === undefined || path !== undefined || timeMs !== undefined) return trim;
  const units = lanes.flatMap(rankedUnits);
  const left = maxRequests - health.admitted() - keptPerUnit * units.length;
  return trimToFit(units, trim, left, {
    because: `beyond the ${maxRequests} requests of the run`,
    remedy: 'a higher --max-requests, or none',
  });
}

/** Emitted if time is left and no check has random cases to use it. */
const nothingToExtend = notice(
  'info',
  'The checks that were run have no random cases to go on with, so the run ended before its --time was up.',
);

/** Returns why a run did not complete its plan, or null. A limit that only ended extended fuzzing does not count. */
function reasonOf({ health }: RunState, cut: RunStopped | null): RunStopped | null {
  const stopped = health.stopped();
  return stopped === null || stopped.reason === 'limit' ? cut : stopped;
}

/**
 * Emits the last events of a run: why it ended early, what every observer recorded, and its end.
 *
 * @param cut what ended a phase early, or null
 */
export function summarize(run: RunState, cut: RunStopped | null): void {
  const { config, wire, counts, emit } = run;
  const why = reasonOf(run, cut);
  const isIdle = config.timeMs !== undefined && counts.extended === 0 && run.health.stopped() === null;
  if (why === null && isIdle && !run.isTimeUp()) emit(nothingToExtend);
  const because = why?.message;
  if (because !== undefined && why?.remedy !== undefined) emit(notice('warning', because, why.remedy));
  for (const { all } of wire.observers) for (const event of all?.() ?? []) emit(event);
  for (const event of run.cells.events()) emit(event);
  emit({
    event: 'run-end',
    outcome: why === null || why.reason === 'limit' ? 'complete' : why.reason,
    ...present({ because }),
    stats: run.stats(),
  });
}
