import type { Json } from '../../contracts/json.ts';
import type { Backend, NamedState, Notes, World } from './backend.ts';
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
  | {
      readonly do: 'note';
      readonly key: string;
      readonly value?: Json | undefined;
      /** Of what is counted nobody is told. */
      readonly isCount?: true;
    };

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

/** What a world holds of which nothing is known yet, and how it is changed; `keep` is told of changes of its store. */
export const createContents = (seed: Snapshot, keep: (change: Change) => void = () => undefined) => {
  const named = new Map<string, NamedState>();
  const values = new Map<string, Json>();
  let revision = 0;
  const store = createMemoryStore(seed, keep);

  /** Makes a change that is kept already. */
  const apply = (change: Change): void => {
    if (change.do === 'save') named.set(change.name, { about: change.about, state: change.state });
    else if (change.do === 'remove') named.delete(change.name);
    else if (change.do !== 'note') store.apply(change);
    else {
      if (change.value === undefined) values.delete(change.key);
      else values.set(change.key, change.value);
      if (change.isCount !== true) revision += 1;
    }
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

  return { store, named, values, revision: () => revision, apply, changes, reset };
};

/** What a world holds. */
export type Contents = ReturnType<typeof createContents>;

/** What work on a world comes to, and the change that it asks for. */
export interface Asked<T> {
  readonly result: T;
  readonly change?: Change | undefined;
}

/** Asks for a change, and for nothing else. */
export const asking = (change: Change): Asked<undefined> => ({ result: undefined, change });

/** How a world is read and changed. */
interface Access {
  readonly now: () => Promise<Contents>;
  /** Keeps and makes the change that work asks for; while no other work of the kind is done. */
  readonly append: <T>(work: (contents: Contents) => Asked<T>) => Promise<T>;
  /** The same, whatever else is done: notes are written in the midst of transactions. */
  readonly note: Access['append'];
  readonly revision: () => Promise<number>;
}

/** The named states and the notes of a world. */
export const besideState = ({ now, append, note, revision }: Access): Pick<World, 'states' | 'notes'> => ({
  states: {
    list: async () => [...(await now()).named].map(([name, { about }]) => [name, about] as const).sort(byName),
    save: (name, aboutOf) =>
      append(({ store }) => {
        const state = freeze(store.now());
        const about = freeze(aboutOf(state));
        const from = { state: store.begun(), entities: store.differences() };
        return { result: about, change: { do: 'save', name, about, state, from } };
      }),
    put: (name, about, state) => append(() => asking({ do: 'save', name, about, state: freeze(state) })),
    get: async name => (await now()).named.get(name),
    remove: name => append(() => asking({ do: 'remove', name })),
  },
  notes: {
    get: async key => (await now()).values.get(key),
    list: async prefix => [...(await now()).values].filter(([key]) => key.startsWith(prefix)).sort(byName),
    put: (key, value) => note(() => asking({ do: 'note', key, value: freeze(value) })),
    change: (key, by) =>
      note(({ values }) => {
        const value = freeze(by(values.get(key)));
        return { result: value, change: { do: 'note', key, value, isCount: true } };
      }),
    revision,
  },
});

/** A world in memory; `keep` is told of each change before it is made. */
const createWorld = (name: string, seed: Snapshot, keep: (change: Change) => void) => {
  const contents = createContents(seed, keep);
  const { store, revision, changes } = contents;
  const note: Access['note'] = async work => {
    const { result, change } = work(contents);
    if (change !== undefined) {
      keep(change);
      contents.apply(change);
    }
    return result;
  };
  const { states, notes } = besideState({
    now: async () => contents,
    append: work => store.inTurn(() => note(work)),
    note,
    revision: async () => revision(),
  });
  return { ...contents, world: { name, store, states, notes: { ...notes, revisionNow: revision }, changes } };
};

/** The fewest changes that come to the same as others, of which the first one begins with a state. */
export const summed = (changes: readonly Change[]): readonly Change[] => {
  // What it begins with, a world is told by its first change.
  const contents = createContents({} as Snapshot);
  for (const change of changes) contents.apply(change);
  return contents.changes();
};

type Made = ReturnType<typeof createWorld>;

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
    forget: async name => worlds.get(name)?.store.inTurn(() => forget(name)) ?? forget(name),
    check: async () => undefined,
    close: async () => worlds.clear(),
  };
};
