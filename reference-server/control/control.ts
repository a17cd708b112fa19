import type { Naming } from '../../contracts/target.ts';
import { behaviourControl } from '../behaviours/control.ts';
import { InvalidSeed, seedOf } from '../seed/seed.ts';
import type { Snapshot } from '../store/store.ts';
import { ControlError } from '../tool/refusal.ts';
import { clockControl } from '../worlds/clock.ts';
import { expiryKey, type ServedWorld } from '../worlds/served-world.ts';
import { snapshotControl } from './snapshots.ts';
import { stateControl } from './state.ts';

/** What a reset puts back. */
export const resetParts = ['state', 'behaviours', 'clock', 'requests', 'snapshots'] as const;
export type ResetPart = (typeof resetParts)[number];

/** What a reset puts back that is not told. */
const usualReset: readonly ResetPart[] = ['state', 'behaviours', 'clock'];

/** What a seed describes. Throws a `ControlError` (400) with all that is wrong with it, if anything. */
export const seedFrom = (value: unknown, naming: Naming): Snapshot => {
  try {
    return seedOf(value, naming);
  } catch (error) {
    if (error instanceof InvalidSeed) throw new ControlError(400, 'This is no seed.', error.problems);
    throw error;
  }
};

/**
 * A world in the hand, while it runs: what `/_reference/` does over HTTP. Refusals are `ControlError`s. `base` is the clock
 * of the server.
 */
export const controlOf = (world: ServedWorld, base: () => number) => {
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
    /** Gives the world another seed (`serve --seed`) to hold, now and after a reset. A `ControlError` (400) for what is none. */
    seed: async (value: unknown): Promise<void> => world.reseed(seedFrom(value, world.settings.naming)),
    /** Until when the key of the world opens it, by its clock, in milliseconds since 1970; for ever where it is undefined. */
    expire: (time: number | undefined): Promise<void> => notes.put(expiryKey, time),
    /** Back to the seed: its state, without behaviours, with the clock of the server; or only the parts that are named. */
    async reset(parts = usualReset): Promise<void> {
      for (const part of parts) await resets[part]();
    },
  };
};

/** A world in the hand. */
export type Control = ReturnType<typeof controlOf>;
