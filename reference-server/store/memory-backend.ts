import type { Backend } from './backend.ts';
import type { Change } from './contents.ts';
import { createMemoryWorld, type MemoryWorld } from './memory.ts';
import type { Snapshot } from './store.ts';

/** What keeps worlds in memory beyond the process. */
interface Keeper {
  /** Keeps a change of a world before it is made; where it throws, nothing is changed. */
  readonly keep: (world: string, change: Change) => void;
  /** Keeps that a world is forgotten. */
  readonly forget: (world: string) => void;
  /** What an earlier process kept of a world, which begins with `seed` where it kept nothing; given out once. */
  readonly recall: (world: string, seed: Snapshot) => readonly Change[] | undefined;
}

/** A backend whose worlds are there at once, without waiting. */
export interface MemoryBackend extends Backend {
  /** What `world` does, at once. */
  readonly worldNow: (name: string, seed: Snapshot) => MemoryWorld;
  /** The worlds that are known to this process. */
  readonly worldsNow: () => readonly MemoryWorld[];
}

type Made = ReturnType<typeof createMemoryWorld>;

/**
 * Worlds in memory. Each holds what was changed of its seed, and shares the rest with all others of that seed. A world
 * that was forgotten is made anew by the first change of whoever still holds it, or when it is asked for.
 */
export const createMemoryBackend = (keeper?: Keeper): MemoryBackend => {
  const worlds = new Map<string, Made>();
  /** Those that were forgotten, and that somebody may still hold. */
  const forgotten = new Map<string, WeakRef<Made>>();

  const create = (name: string, seed: Snapshot): Made => {
    const made = createMemoryWorld(name, seed, change => {
      begin(made, seed);
      keeper?.keep(name, change);
    });
    return made;
  };

  /** Makes a world of its seed, where it is not made yet or was forgotten. */
  const begin = (made: Made, seed: Snapshot): void => {
    const { name } = made.world;
    if (worlds.get(name) === made) return;
    const fresh: Change = { do: 'begin', state: seed };
    const before = keeper?.recall(name, seed);
    if (before === undefined) keeper?.keep(name, fresh);
    for (const change of before ?? [fresh]) made.contents.apply(change);
    worlds.set(name, made);
    forgotten.delete(name);
  };

  const worldNow = (name: string, seed: Snapshot): MemoryWorld => {
    const made = worlds.get(name) ?? forgotten.get(name)?.deref() ?? create(name, seed);
    begin(made, seed);
    return made.world;
  };

  const forget = (name: string): void => {
    keeper?.forget(name);
    const made = worlds.get(name);
    if (made === undefined) return;
    worlds.delete(name);
    made.contents.reset();
    for (const [other, reference] of forgotten) if (reference.deref() === undefined) forgotten.delete(other);
    forgotten.set(name, new WeakRef(made));
  };

  return {
    worldNow,
    worldsNow: () => [...worlds.values()].map(({ world }) => world),
    world: async (name, seed) => worldNow(name, seed),
    worlds: async () => [...worlds.keys()],
    forget: async name => worlds.get(name)?.turns(() => forget(name)) ?? forget(name),
    check: async () => undefined,
    close: async () => worlds.clear(),
  };
};
