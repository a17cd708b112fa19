import type { Json } from '../../contracts/json.ts';
import type { Backend, NamedState, NamedStates, Notes, World } from './backend.ts';
import { createMemoryStore, type Entity, type StoreChange } from './memory.ts';
import { freeze, type Snapshot } from './store.ts';

/** What a state is made of: another one, and what is written over it. */
export interface From {
  readonly state: Snapshot;
  readonly entities: readonly Entity[];
}

/** A change of a world: of its state, of its named states, or of its notes, of which one without a value is gone. */
export type Change =
  | StoreChange
  | { readonly do: 'save'; readonly name: string; readonly about: Json; readonly state: Snapshot; readonly from?: From }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'note'; readonly key: string; readonly value?: Json | undefined };

/** What keeps worlds in memory beyond the process. */
export interface Keeper {
  /** Keeps a change of a world before it is made; where it throws, nothing is changed. */
  readonly keep: (world: string, change: Change) => void;
  /** Keeps that a world is forgotten. */
  readonly forget: (world: string) => void;
  /** What an earlier process kept of a world, which begins with `seed` where it kept nothing; given out once. */
  readonly recall: (world: string, seed: Snapshot) => readonly Change[] | undefined;
}

/** Notes whose revision is there at once. */
export interface MemoryNotes extends Notes {
  /** What `revision` says, at once: it is asked with every request. */
  readonly revisionNow: () => number;
}

/** A world that is there at once. */
export interface MemoryWorld extends World {
  readonly notes: MemoryNotes;
  /** The changes that make it anew. */
  readonly changes: () => readonly Change[];
}

/** A backend whose worlds are there at once, without waiting. */
export interface MemoryBackend extends Backend {
  /** What `world` does, at once. */
  readonly worldNow: (name: string, seed: Snapshot) => MemoryWorld;
  /** The worlds that are known to this process. */
  readonly worldsNow: () => readonly MemoryWorld[];
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** A world of which nothing is known yet, and how it is changed; `keep` is told of each change before it is made. */
export const createWorld = (name: string, seed: Snapshot, keep: (change: Change) => void) => {
  const named = new Map<string, NamedState>();
  const values = new Map<string, Json>();
  let revision = 0;
  const store = createMemoryStore(seed, keep);

  /** Makes a change that is kept already. */
  const apply = (change: Change): void => {
    if (change.do === 'save') named.set(change.name, { about: change.about, state: change.state });
    else if (change.do === 'remove') named.delete(change.name);
    else if (change.do !== 'note') store.apply(change);
    else if (change.value === undefined) values.delete(change.key);
    else values.set(change.key, change.value);
  };

  const make = (change: Change): void => {
    keep(change);
    apply(change);
  };

  const states: NamedStates = {
    list: async () => [...named].map(([state, { about }]) => [state, about] as const).sort(byName),
    save: (state, aboutOf) =>
      store.inTurn(() => {
        const now = freeze(store.now());
        const about = freeze(aboutOf(now));
        const from = { state: store.begun(), entities: store.differences() };
        make({ do: 'save', name: state, about, state: now, from });
        return about;
      }),
    put: (state, about, value) => store.inTurn(() => make({ do: 'save', name: state, about, state: freeze(value) })),
    get: async state => named.get(state),
    remove: state => store.inTurn(() => make({ do: 'remove', name: state })),
  };

  const notes: MemoryNotes = {
    get: async key => values.get(key),
    list: async prefix => [...values].filter(([key]) => key.startsWith(prefix)).sort(byName),
    async put(key, value) {
      make({ do: 'note', key, value: freeze(value) });
      revision += 1;
    },
    async change(key, by) {
      const value = freeze(by(values.get(key)));
      make({ do: 'note', key, value });
      return value;
    },
    revision: async () => revision,
    revisionNow: () => revision,
  };

  const changes = (): readonly Change[] => [
    { do: 'begin', state: store.begun() },
    { do: 'write', entities: store.differences() },
    ...[...named].map(([state, value]): Change => ({ do: 'save', name: state, ...value })),
    ...[...values].map(([key, value]): Change => ({ do: 'note', key, value })),
  ];

  /** Back to the seed, without anything beside it. */
  const reset = (): void => {
    store.apply({ do: 'begin', state: seed });
    named.clear();
    values.clear();
    revision += 1;
  };

  return { world: { name, store, states, notes, changes }, named, apply, inTurn: store.inTurn, reset };
};

/** The fewest changes that come to the same as others, of which the first one begins with a state. */
export const summed = (changes: readonly Change[]): readonly Change[] => {
  // What it begins with, a world is told by its first change.
  const { world, apply } = createWorld('', {} as Snapshot, () => undefined);
  for (const change of changes) apply(change);
  return world.changes();
};

/** A world in memory, and how it is changed. */
export type Made = ReturnType<typeof createWorld>;

/**
 * Worlds in memory. Each holds what was changed of its seed, and shares the rest with all others of that seed. A world
 * that was forgotten is made anew by the first change of whoever still holds it, or when it is asked for.
 */
export const createMemoryBackend = (keeper?: Keeper): MemoryBackend => {
  const worlds = new Map<string, Made>();
  /** Those that were forgotten, and that somebody may still hold. */
  const forgotten = new Map<string, WeakRef<Made>>();

  const create = (name: string, seed: Snapshot): Made => {
    const made = createWorld(name, seed, change => {
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
    for (const change of before ?? [fresh]) made.apply(change);
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
    made.reset();
    for (const [other, reference] of forgotten) if (reference.deref() === undefined) forgotten.delete(other);
    forgotten.set(name, new WeakRef(made));
  };

  return {
    worldNow,
    worldsNow: () => [...worlds.values()].map(({ world }) => world),
    world: async (name, seed) => worldNow(name, seed),
    worlds: async () => [...worlds.keys()],
    forget: async name => worlds.get(name)?.inTurn(() => forget(name)) ?? forget(name),
    check: async () => undefined,
    close: async () => worlds.clear(),
  };
};
