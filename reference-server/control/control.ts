import { type BehaviourControl, behaviourControl } from '../behaviours/control.ts';
import type { RequestLog } from '../log/request-log.ts';
import { type ClockControl, clockControl } from '../worlds/clock.ts';
import type { ServedWorld } from '../worlds/served-world.ts';
import { type SnapshotControl, snapshotControl } from './snapshots.ts';
import { type StateControl, stateControl } from './state.ts';

/** What a reset puts back. */
export const resetParts = ['state', 'behaviours', 'clock', 'requests', 'snapshots'] as const;
export type ResetPart = (typeof resetParts)[number];

/** What a reset puts back that is not told. */
const usualReset: readonly ResetPart[] = ['state', 'behaviours', 'clock'];

/** A world in the hand, while it runs. What `/_reference/` does over HTTP. Refusals are `ControlError`s. */
export interface Control {
  readonly state: StateControl;
  readonly snapshots: SnapshotControl;
  readonly behaviours: BehaviourControl;
  readonly clock: ClockControl;
  readonly requests: RequestLog;
  /** Back to the seed: its state, without behaviours, with the clock of the server; or only the parts that are named. */
  reset(parts?: readonly ResetPart[]): Promise<void>;
}

/** The control of a world. `base` is the clock of the server. */
export const controlOf = (world: ServedWorld, base: () => number): Control => {
  const { store, states, notes, seed, log } = world;
  const snapshots = snapshotControl(store, states, world.settings.now);
  const behaviours = behaviourControl(notes, world.behaviours.metBy, world.catalogue);
  const clock = clockControl(notes, base);
  const resets: Readonly<Record<ResetPart, () => unknown>> = {
    state: () => store.restore(seed),
    behaviours: behaviours.clear,
    clock: () => clock.change({ real: true }),
    requests: log.clear,
    snapshots: async () => {
      for (const { name } of await snapshots.list()) await snapshots.remove(name);
    },
  };
  return {
    state: stateControl(store),
    snapshots,
    behaviours,
    clock,
    requests: log,
    async reset(parts = usualReset) {
      for (const part of parts) await resets[part]();
    },
  };
};
