import type { Json } from '../../contracts/json.ts';
import type { Backend, Notes, World } from './backend.ts';
import { createMemoryStore } from './memory.ts';
import { freeze, type Snapshot } from './store.ts';

/** A backend whose worlds are there at once, without waiting. */
export interface MemoryBackend extends Backend {
  /** What `world` does, at once. */
  readonly worldNow: (name: string, seed: Snapshot) => World;
}

const createNotes = (): Notes => {
  const values = new Map<string, Json>();
  let revision = 0;
  // Asked with every request: the promise of each number is made once.
  let asked = Promise.resolve(revision);
  return {
    get: async key => values.get(key),
    list: async prefix =>
      [...values].filter(([key]) => key.startsWith(prefix)).sort(([one], [other]) => (one < other ? -1 : 1)),
    async put(key, value) {
      if (value === undefined) values.delete(key);
      else values.set(key, freeze(value));
      revision += 1;
      asked = Promise.resolve(revision);
    },
    revision: () => asked,
  };
};

/** Worlds in memory. Each holds what was changed of its seed, and shares the rest with all others of that seed. */
export const createMemoryBackend = (): MemoryBackend => {
  const worlds = new Map<string, World>();
  const worldNow = (name: string, seed: Snapshot): World => {
    const known = worlds.get(name);
    if (known !== undefined) return known;
    const world = { name, store: createMemoryStore(seed), notes: createNotes() };
    worlds.set(name, world);
    return world;
  };
  return {
    worldNow,
    world: async (name, seed) => worldNow(name, seed),
    worlds: async () => [...worlds.keys()],
    forget: async name => void worlds.delete(name),
    close: async () => worlds.clear(),
  };
};
