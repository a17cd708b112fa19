import { memoized } from '../../contracts/memoized.ts';
import type { CollectionName } from '../entities.ts';
import { inTurn } from './in-turn.ts';
import { groundOf, layerOver, stateOf } from './layered.ts';
import { overlay, type Writes } from './overlay.ts';
import { freeze, type Snapshot, type Store, type Transaction } from './store.ts';

/** An entity with its new value; without one where it was taken away. */
export type Entity = readonly [collection: CollectionName, id: string, value?: unknown];

/** A change of a store: it begins with a state, or entities are put and taken away. */
export type StoreChange =
  | { readonly do: 'begin'; readonly state: Snapshot }
  | { readonly do: 'write'; readonly entities: readonly Entity[] };

/** A store in memory, of which everything can be had and changed at once. */
export interface MemoryStore extends Store {
  /** Runs work when the transactions before it have ended, and before those after it. */
  readonly inTurn: <T>(work: () => T | Promise<T>) => Promise<T>;
  /** Does work on what there is, and tells the change that it asks for, which is not made; undefined where there is none. */
  readonly attempt: <T>(
    work: (transaction: Transaction) => Promise<T>,
  ) => Promise<{ readonly result: T; readonly change: StoreChange | undefined }>;
  /** Makes a change that is kept already. */
  readonly apply: (change: StoreChange) => void;
  /** All there is now. */
  readonly now: () => Snapshot;
  /** The state with which it began last. */
  readonly begun: () => Snapshot;
  /** What it differs in from that state; written over it, they make all there is, in its order. */
  readonly differences: () => readonly Entity[];
}

/** What the stores of a state share, made once for each. */
const sharedGround = memoized(groundOf);

const entity = (collection: CollectionName, id: string, value: unknown): Entity =>
  value === undefined ? [collection, id] : [collection, id, value];

const entitiesOf = (writes: Writes): readonly Entity[] =>
  [...writes].flatMap(([collection, written]) => [...written].map(([id, value]) => entity(collection, id, value)));

/**
 * A store in memory that begins with `initial`, and holds beside it what was changed, no more. The snapshot
 * is frozen and shared, not copied: one set of fixtures serves any number of stores. `keep` is told of each change
 * before it is made; where it throws, nothing is changed.
 */
export const createMemoryStore = (
  initial: Snapshot,
  keep: (change: StoreChange) => void = () => undefined,
): MemoryStore => {
  let begun = initial;
  let layer = layerOver(sharedGround(initial));
  const turns = inTurn();

  const apply: MemoryStore['apply'] = change => {
    if (change.do === 'begin') {
      begun = change.state;
      layer = layerOver(sharedGround(begun));
      return;
    }
    for (const [collection, id, value] of change.entities)
      layer.advance(layer.revision + 1, layer.placed(new Map([[collection, new Map([[id, freeze(value)]])]])));
  };

  const make = (change: StoreChange): void => {
    keep(change);
    apply(change);
  };

  const now = (): Snapshot => stateOf(layer);

  const attempt: MemoryStore['attempt'] = async work => {
    const writes: Writes = new Map();
    const result = await work(overlay(layer, writes));
    return { result, change: writes.size === 0 ? undefined : { do: 'write', entities: entitiesOf(writes) } };
  };

  const transaction = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    turns(async () => {
      const { result, change } = await attempt(work);
      if (change !== undefined) make(change);
      return result;
    });

  return {
    get: async (collection, id) => layer.get(collection, id),
    list: async collection => layer.list(collection),
    put: (collection, id, value) => transaction(inner => inner.put(collection, id, value)),
    remove: (collection, id) => transaction(inner => inner.remove(collection, id)),
    transaction,
    snapshot: () => turns(now),
    restore: state => turns(() => make({ do: 'begin', state })),
    inTurn: turns,
    attempt,
    apply,
    now,
    begun: () => begun,
    differences: () => layer.differences().map(({ collection, id, value }) => entity(collection, id, value)),
  };
};
