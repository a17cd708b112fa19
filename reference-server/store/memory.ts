import { memoized } from '../../contracts/memoized.ts';
import { type CollectionName, type Collections, collectionNames } from '../entities.ts';
import { inTurn } from './in-turn.ts';
import { type Ground, type LayeredTable, layeredTable } from './layered.ts';
import { overlay, type Writes } from './overlay.ts';
import { freeze, type Snapshot, type Store, type Transaction } from './store.ts';

type Grounds = { readonly [C in CollectionName]: Ground };

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
  /** Makes a change that is kept already. */
  readonly apply: (change: StoreChange) => void;
  /** All there is now. */
  readonly now: () => Snapshot;
  /** The state with which it began last. */
  readonly begun: () => Snapshot;
  /** What it differs in from that state; written over it, they make all there is, in its order. */
  readonly differences: () => readonly Entity[];
}

const perCollection = <T>(make: (collection: CollectionName) => T) =>
  Object.fromEntries(collectionNames.map(name => [name, make(name)])) as { [C in CollectionName]: T };

const groundsOf = (snapshot: Snapshot): Grounds =>
  perCollection((name): Ground => {
    const values = new Map<string, unknown>(snapshot[name]?.map(([id, value]) => [id, freeze(value)]));
    return { values, list: [...values.values()] };
  });

/** What the stores of a snapshot share, made once for each. */
const sharedGroundsOf = memoized(groundsOf);

// One that is not frozen may be another one the next time.
const groundsFor = (snapshot: Snapshot): Grounds =>
  Object.isFrozen(snapshot) ? sharedGroundsOf(snapshot) : groundsOf(snapshot);

const entity = (collection: CollectionName, id: string, value: unknown): Entity =>
  value === undefined ? [collection, id] : [collection, id, value];

const entitiesOf = (writes: Writes): readonly Entity[] =>
  [...writes].flatMap(([collection, written]) => [...written].map(([id, value]) => entity(collection, id, value)));

/**
 * A store in memory that begins with `initial`, and holds beside it what was changed, no more. The snapshot's values
 * are frozen and shared, not copied: one set of fixtures serves any number of stores. `keep` is told of each change
 * before it is made; where it throws, nothing is changed.
 */
export const createMemoryStore = (
  initial: Snapshot,
  keep: (change: StoreChange) => void = () => undefined,
): MemoryStore => {
  let begun = initial;
  let grounds = groundsFor(initial);
  // Made with the first write to a collection: a store of which nothing was changed takes next to no memory.
  const tables = new Map<CollectionName, LayeredTable>();
  const lists = new Map<CollectionName, readonly unknown[]>();

  const entityAt = (collection: CollectionName, id: string): unknown =>
    (tables.get(collection) ?? grounds[collection].values).get(id);

  const tableOf = (collection: CollectionName): LayeredTable => {
    const table = tables.get(collection) ?? layeredTable(grounds[collection]);
    tables.set(collection, table);
    return table;
  };

  const listed = (collection: CollectionName): readonly unknown[] => {
    const table = tables.get(collection);
    if (table === undefined) return grounds[collection].list;
    const list = lists.get(collection) ?? table.values();
    lists.set(collection, list);
    return list;
  };

  const entriesOf = (collection: CollectionName): readonly (readonly [string, unknown])[] =>
    tables.get(collection)?.entries() ?? [...grounds[collection].values];

  /** A list with the changes of a transaction, which nobody else sees yet. */
  const listWith = (collection: CollectionName, written: ReadonlyMap<string, unknown>): readonly unknown[] => {
    const values = new Map(entriesOf(collection));
    for (const [id, value] of written) {
      if (value === undefined) values.delete(id);
      else values.set(id, value);
    }
    return [...values.values()];
  };

  const turns = inTurn();

  const apply: MemoryStore['apply'] = change => {
    if (change.do === 'begin') {
      begun = change.state;
      grounds = groundsFor(begun);
      tables.clear();
      lists.clear();
      return;
    }
    for (const [collection, id, value] of change.entities) {
      tableOf(collection).set(id, freeze(value));
      lists.delete(collection);
    }
  };

  const make = (change: StoreChange): void => {
    keep(change);
    apply(change);
  };

  const now = (): Snapshot => perCollection(entriesOf) as unknown as Snapshot;

  const transaction = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    turns(async () => {
      const writes: Writes = new Map();
      const result = await work(overlay({ get: entityAt, list: listed, listWith }, writes));
      if (writes.size > 0) make({ do: 'write', entities: entitiesOf(writes) });
      return result;
    });

  return {
    get: async (collection, id) => entityAt(collection, id) as Collections[typeof collection] | undefined,
    list: async collection => listed(collection) as readonly Collections[typeof collection][],
    put: (collection, id, value) => transaction(inner => inner.put(collection, id, value)),
    remove: (collection, id) => transaction(inner => inner.remove(collection, id)),
    transaction,
    snapshot: () => turns(now),
    restore: state => turns(() => make({ do: 'begin', state })),
    inTurn: turns,
    apply,
    now,
    begun: () => begun,
    differences: () =>
      [...tables].flatMap(([collection, table]) =>
        table.differences().map(([id, value]) => entity(collection, id, value)),
      ),
  };
};
