import type { Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import type { CollectionName } from '../entities.ts';
import type { NamedState } from './backend.ts';
import { type Entity, groundOf, layerOver, stateOf } from './layered.ts';
import type { Snapshot, Transaction } from './store.ts';

/** What a state is made of: another one, and what is written over it. */
export interface From {
  readonly state: Snapshot;
  readonly entities: readonly Entity[];
}

/** A change of a world: of its state, of its named states, or of its notes, of which one without a value is gone. */
export type Change =
  | { readonly do: 'begin'; readonly state: Snapshot }
  | { readonly do: 'write'; readonly entities: readonly Entity[] }
  | { readonly do: 'save'; readonly name: string; readonly about: Json; readonly state: Snapshot; readonly from?: From }
  | { readonly do: 'remove'; readonly name: string }
  | {
      readonly do: 'note';
      readonly key: string;
      readonly value?: Json | undefined;
      /** Of what is counted nobody is told. */
      readonly isCount?: true;
    };

/** What work on a world comes to, and the change that it asks for. */
export interface Asked<T> {
  readonly result: T;
  readonly change?: Change | undefined;
}

/** What the worlds of a state share, made once for each. */
const sharedGround = memoized(groundOf);

/**
 * What a world holds that begins with `seed`: what was changed of it, no more. The seed is frozen and shared, not copied:
 * one set of fixtures serves any number of worlds. Whatever keeps the world, all that changes it goes by `apply`.
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

  /** The state with which it began last, and what is written over it to make all there is, in its order. */
  const from = (): From => ({ state: begun, entities: layer.differences() });

  /** Does work on what there is, and tells the change that it asks for, which is not made. */
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

  /** Makes a change that is kept already. */
  const apply = (change: Change): void => {
    if (change.do === 'begin') begin(change.state);
    else if (change.do === 'save') named.set(change.name, { about: change.about, state: change.state });
    else if (change.do === 'remove') named.delete(change.name);
    else if (change.do === 'note') {
      if (change.value === undefined) values.delete(change.key);
      else values.set(change.key, change.value);
      if (change.isCount !== true) revision += 1;
    }
    // What is of no kind throws here: whatever was read has to be one of these.
    else for (const [collection, id, value] of change.entities) layer.put(collection, id, value);
  };

  /** The changes that make it anew. */
  const changes = (): readonly Change[] => [
    { do: 'begin', state: begun },
    { do: 'write', entities: layer.differences() },
    ...[...named].map(([name, value]): Change => ({ do: 'save', name, ...value })),
    ...[...values].map(([key, value]): Change => ({ do: 'note', key, value })),
  ];

  /** Back to the seed, without anything beside it. */
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
    get: <C extends CollectionName>(collection: C, id: string) => layer.get(collection, id),
    list: <C extends CollectionName>(collection: C) => layer.list(collection),
    state: () => stateOf(layer),
    from,
    attempt,
    apply,
    changes,
    reset,
  };
};

/** What a world holds, at once. */
export type Contents = ReturnType<typeof createContents>;

/** The fewest changes that come to the same as others, of which the first one begins with a state. */
export const summed = (changes: readonly Change[]): readonly Change[] => {
  // What it begins with, a world is told by its first change.
  const contents = createContents({} as Snapshot);
  for (const change of changes) contents.apply(change);
  return contents.changes();
};
