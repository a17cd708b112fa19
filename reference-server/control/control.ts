import type { Naming } from '../../contracts/target.ts';
import { type BehaviourControl, behaviourControl } from '../behaviours/control.ts';
import type { RequestLog } from '../log/request-log.ts';
import { InvalidSeed, seedOf } from '../seed/seed.ts';
import type { Snapshot } from '../store/store.ts';
import { ControlError } from '../tool/refusal.ts';
import { type ClockControl, clockControl } from '../worlds/clock.ts';
import { expiryKey, type ServedWorld } from '../worlds/served-world.ts';
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
  /** Gives the world another seed (`serve --seed`) to hold, now and after a reset. A `ControlError` (400) for what is none. */
  seed(value: unknown): Promise<void>;
  /** Until when the key of the world opens it, by its clock, in milliseconds since 1970; for ever where it is undefined. */
  expire(time: number | undefined): Promise<void>;
}

/** What a seed describes. Throws a `ControlError` (400) with all that is wrong with it, if anything. */
export const seedFrom = (value: unknown, naming: Naming): Snapshot => {
  try {
    return seedOf(value, naming);
  } catch (error) {
    if (error instanceof InvalidSeed) throw new ControlError(400, 'This is no seed.', error.problems);
    throw error;
  }
};

/** The control of a world. `base` is the clock of the server. */
export const controlOf = (world: ServedWorld, base: () => number): Control => {
  const { store, states, notes, log } = world;
  const snapshots = snapshotControl(store, states, world.settings.now);
  const behaviours = behaviourControl(notes, world.behaviours.metBy, world.catalogue);
  const clock = clockControl(notes, base);
  const resets: Readonly<Record<ResetPart, () => unknown>> = {
    state: async () => store.restore(await world.seed()),
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
    seed: async value => world.reseed(seedFrom(value, world.settings.naming)),
    expire: time => notes.put(expiryKey, time),
    async reset(parts = usualReset) {
      for (const part of parts) await resets[part]();
    },
  };
};
