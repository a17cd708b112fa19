import type { Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import type { NamedState } from './backend.ts';
import { type Entity, groundOf, layerOver, stateOf } from './layered.ts';
import type { Snapshot, Transaction } from './store.ts';

/** How a state was made: a base state, and the entities written over it. */
export interface From {
  readonly state: Snapshot;
  readonly entities: readonly Entity[];
}

/** A change to a world: its state, its named states or its notes. A note without a value is removed. */
export type Change =
  | { readonly do: 'begin'; readonly state: Snapshot }
  | { readonly do: 'write'; readonly entities: readonly Entity[] }
  | { readonly do: 'save'; readonly name: string; readonly about: Json; readonly state: Snapshot; readonly from?: From }
  | { readonly do: 'remove'; readonly name: string }
  | {
      readonly do: 'note';
      readonly key: string;
      readonly value?: Json | undefined;
      /** A counter: it does not change the revision. */
      readonly isCount?: true;
    };

/** The result of work on a world, and the change that it requests. */
export interface Asked<T> {
  readonly result: T;
  readonly change?: Change | undefined;
}

/** Returns the ground for a state, cached so that worlds share it. */
const sharedGround = memoized(groundOf);

/**
 * Returns the contents of a world, which only hold its changes to `seed`. The frozen seed is shared by any number of
 * worlds. Every kind of storage changes the contents through `apply` alone.
 */
export const createContents = (seed: Snapshot) => {
  const named = new Map<string, NamedState>();
  const values = new Map<string, Json>();
  let revision = 0;
  let begun = seed;
  let layer = layerOver(sharedGround(seed));

  const begin = (state: Snapshot): void => {
    begun = state;
    layer = layerOver(sharedGround(state));
  };

  /** Returns the latest initial state, and the entities written over it since, in order. */
  const from = (): From => ({ state: begun, entities: layer.differences() });

  /** Runs work on a draft. Returns its result and the change that it requests, without applying it. */
  const attempt = async <T>(work: (transaction: Transaction) => Promise<T>): Promise<Asked<T>> => {
    const draft = layerOver(layer);
    const result = await work({
      get: async (collection, id) => draft.get(collection, id),
      list: async collection => draft.list(collection),
      put: async (...entity) => draft.put(...entity),
      remove: async (...entity) => draft.put(...entity, undefined),
    });
    const entities = draft.differences();
    return { result, change: entities.length === 0 ? undefined : { do: 'write', entities } };
  };

  /** Applies a change that is already stored. */
  const apply = (change: Change): void => {
    if (change.do === 'begin') begin(change.state);
    else if (change.do === 'save') named.set(change.name, { about: change.about, state: change.state });
    else if (change.do === 'remove') named.delete(change.name);
    else if (change.do === 'note') {
      if (change.value === undefined) values.delete(change.key);
      else values.set(change.key, change.value);
      if (change.isCount !== true) revision += 1;
    }
    // An unknown kind of change has no entities, so that iterating over them throws here.
    else for (const [collection, id, value] of change.entities) layer.put(collection, id, value);
  };

  /** Returns the changes that recreate these contents. */
  const changes = (): readonly Change[] => [
    { do: 'begin', state: begun },
    { do: 'write', entities: layer.differences() },
    ...[...named].map(([name, value]): Change => ({ do: 'save', name, ...value })),
    ...[...values].map(([key, value]): Change => ({ do: 'note', key, value })),
  ];

  /** Restores the seed, and removes states and notes. */
  const reset = (): void => {
    begin(seed);
    named.clear();
    values.clear();
    revision += 1;
  };

  return {
    named: named as ReadonlyMap<string, NamedState>,
    values: values as ReadonlyMap<string, Json>,
    revision: () => revision,
    /** Returns the entities; valid until the next change. */
    layer: () => layer,
    state: () => stateOf(layer),
    from,
    attempt,
    apply,
    changes,
    reset,
  };
};

/** The contents of a world, accessible synchronously. */
export type Contents = ReturnType<typeof createContents>;

/** Returns the fewest changes with the same result. The first change given must begin with a state. */
export const summed = (changes: readonly Change[]): readonly Change[] => {
  // An empty state suffices, because the first change replaces it.
  const contents = createContents({} as Snapshot);
  for (const change of changes) contents.apply(change);
  return contents.changes();
};
