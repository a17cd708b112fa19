import type { Shown } from '../../contracts/redaction/shown.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { allUnits } from '../checks/units.ts';
import { RunStopped } from '../protocol/stop.ts';
import type { LearnedWord } from '../protocol/sut.ts';
import { tooShortText } from '../sut/target-secrets.ts';
import { configOf, type RunOptions } from './config.ts';
import { trimOf } from './fit.ts';
import { withKnownFirst } from './known-first.ts';
import { type PlannedLane, runLane } from './lane.ts';
import { learn } from './learn.ts';
import { planOf, runStart } from './plan.ts';
import { plannedEffects } from './planned-effects.ts';
import { preflight } from './preflight.ts';
import { restore } from './restore.ts';
import { openRun, type RunState } from './run-state.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { summarize } from './summary.ts';

/**
 * Runs the selected checks against a target and emits every step as an event, synchronously and in order. Throws
 * `NothingSelected` and `PathNeedsOneCheck` for a selection that cannot be run; whatever the target does ends as a
 * verdict, never as an exception.
 */
export async function run(options: RunOptions, emit: (event: Shown<RunEvent>) => void): Promise<void> {
  const config = configOf(options);
  const run = openRun(config, planOf(config), emit);
  run.emit(runStart(run));
  const effects = plannedEffects(run);
  if (effects !== null) run.emit(effects);
  const tooShort = tooShortText(config.target);
  if (tooShort !== undefined) run.emit({ event: 'notice', severity: 'info', text: tooShort });
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
 * Learns and runs the lanes. What ends either is returned, a fault of the suite too: what was written has to be put back
 * all the same.
 */
async function carryOut(run: RunState, snapshot: Snapshot): Promise<CarriedOut> {
  const { watch } = run.config;
  let lanes: readonly PlannedLane[] = [];
  try {
    const learned = await learn(run, snapshot);
    await watch?.beforeLanes?.(run, snapshot);
    lanes = await runLanes(run, snapshot, learned);
    const cut = lanes.find(lane => lane.cut !== null)?.cut ?? null;
    if (cut === null) {
      await Promise.all(lanes.map(lane => lane.extend()));
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
  /** What nobody expected. */
  readonly fault?: { readonly error: unknown };
}

/**
 * Runs the lanes side by side. Random cases beyond the plan begin when every lane has carried out its own: they would
 * take the target's time from what is planned.
 */
async function runLanes(
  run: RunState,
  snapshot: Snapshot,
  learned: readonly LearnedWord[],
): Promise<readonly PlannedLane[]> {
  const { units, config } = run;
  // A replayed case is judged whole: by the passive checks of its endpoint too, which were not selected.
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
  // Nothing is put back while another lane still writes.
  const ended = await Promise.allSettled(lanes.map(lane => runLane({ ...lane, trim })));
  return ended.map(lane => {
    if (lane.status === 'rejected') throw lane.reason;
    return lane.value;
  });
}
