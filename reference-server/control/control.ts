import type { Naming } from '../../contracts/target.ts';
import { type BehaviourControl, behaviourControl } from '../behaviours/control.ts';
import { InvalidSeed, seedOf } from '../seed/seed.ts';
import type { Snapshot } from '../store/store.ts';
import { ControlError } from '../tool/refusal.ts';
import { type ClockControl, clockControl } from '../worlds/clock.ts';
import { expiryKey, type ServedWorld } from '../worlds/served-world.ts';
import { type SnapshotControl, snapshotControl } from './snapshots.ts';
import { type StateControl, stateControl } from './state.ts';

/** The parts that a reset can restore. */
export const resetParts = ['state', 'behaviours', 'clock', 'requests', 'snapshots'] as const;
export type ResetPart = (typeof resetParts)[number];

/** The parts that a reset restores by default. */
const usualReset: readonly ResetPart[] = ['state', 'behaviours', 'clock'];

/** Returns the state that a seed describes. Throws a `ControlError` (400) with all its problems. */
export const seedFrom = (value: unknown, naming: Naming): Snapshot => {
  try {
    return seedOf(value, naming);
  } catch (error) {
    if (error instanceof InvalidSeed) throw new ControlError(400, 'This is no seed.', error.problems);
    throw error;
  }
};

/**
 * Returns the control of a running world: the operations behind `/_reference/`. They refuse with a `ControlError`.
 * `base` is the clock of the server.
 */
export const controlOf = (world: ServedWorld, base: () => number) => {
  const { store, states, notes, log } = world;
  const state: StateControl = stateControl(store);
  const snapshots: SnapshotControl = snapshotControl(store, states, world.settings.now);
  const behaviours: BehaviourControl = behaviourControl(notes, world.behaviours.metBy, world.catalogue);
  const clock: ClockControl = clockControl(notes, base);
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
    state,
    snapshots,
    behaviours,
    clock,
    requests: log,
    /**
     * Replaces the seed of the world, now and for later resets (`serve --seed`). Throws a `ControlError` (400) if it is
     * invalid.
     */
    seed: async (value: unknown): Promise<void> => world.reseed(seedFrom(value, world.settings.naming)),
    /** Sets when the key of the world expires, by the world's clock in milliseconds since 1970; never if undefined. */
    expire: (time: number | undefined): Promise<void> => notes.put(expiryKey, time),
    /**
     * Resets the parts that are named; by default the state to the seed, the behaviours to none and the clock to the
     * server's.
     */
    async reset(parts: readonly ResetPart[] = usualReset): Promise<void> {
      for (const part of parts) await resets[part]();
    },
  };
};

/** The control of a running world. */
export type Control = ReturnType<typeof controlOf>;
