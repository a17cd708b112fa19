import type { Json } from '../../contracts/json.ts';
import type { Backend, NamedState, NamedStates, Notes, World } from './backend.ts';
import { createMemoryStore } from './memory.ts';
import { freeze, type Snapshot, type Store } from './store.ts';

/** Notes whose revision is there at once. */
export interface MemoryNotes extends Notes {
  /** What `revision` says, at once: it is asked with every request. */
  readonly revisionNow: () => number;
}

/** A world that is there at once. */
interface MemoryWorld extends World {
  readonly notes: MemoryNotes;
}

/** A backend whose worlds are there at once, without waiting. */
export interface MemoryBackend extends Backend {
  /** What `world` does, at once. */
  readonly worldNow: (name: string, seed: Snapshot) => MemoryWorld;
}

const createNotes = (): MemoryNotes => {
  const values = new Map<string, Json>();
  let revision = 0;
  return {
    get: async key => values.get(key),
    list: async prefix =>
      [...values].filter(([key]) => key.startsWith(prefix)).sort(([one], [other]) => (one < other ? -1 : 1)),
    async put(key, value) {
      if (value === undefined) values.delete(key);
      else values.set(key, freeze(value));
      revision += 1;
    },
    async change(key, by) {
      const value = freeze(by(values.get(key)));
      values.set(key, value);
      return value;
    },
    revision: async () => revision,
    revisionNow: () => revision,
  };
};

const createStates = (store: Store): NamedStates => {
  const states = new Map<string, NamedState>();
  return {
    list: async () =>
      [...states].map(([name, { about }]) => [name, about] as const).sort(([one], [other]) => (one < other ? -1 : 1)),
    async save(name, aboutOf) {
      const state = freeze(await store.snapshot());
      const about = aboutOf(state);
      states.set(name, { about, state });
      return about;
    },
    put: async (name, about, state) => void states.set(name, { about, state: freeze(state) }),
    get: async name => states.get(name),
    remove: async name => void states.delete(name),
  };
};

/** Worlds in memory. Each holds what was changed of its seed, and shares the rest with all others of that seed. */
export const createMemoryBackend = (): MemoryBackend => {
  const worlds = new Map<string, MemoryWorld>();
  const worldNow = (name: string, seed: Snapshot): MemoryWorld => {
    const known = worlds.get(name);
    if (known !== undefined) return known;
    const store = createMemoryStore(seed);
    const world = { name, store, states: createStates(store), notes: createNotes() };
    worlds.set(name, world);
    return world;
  };
  return {
    worldNow,
    world: async (name, seed) => worldNow(name, seed),
    worlds: async () => [...worlds.keys()],
    forget: async name => void worlds.delete(name),
    check: async () => undefined,
    close: async () => worlds.clear(),
  };
};
