import { type CollectionName, type Collections, collectionNames } from '../entities.ts';
import { freeze, type Snapshot, type Store, type Transaction } from './store.ts';

type Table = Map<string, unknown>;
type Tables = { readonly [C in CollectionName]: Table };
/** What was written: under each id its new value, or undefined where it was taken away. */
type Writes = Map<CollectionName, Table>;

const perCollection = <T>(make: (collection: CollectionName) => T) =>
  Object.fromEntries(collectionNames.map(name => [name, make(name)])) as { [C in CollectionName]: T };

const tablesOf = (snapshot: Snapshot): Tables =>
  perCollection(name => new Map(snapshot[name].map(([id, value]) => [id, freeze(value)])));

const noted = (writes: Writes, collection: CollectionName): Table => {
  const written = writes.get(collection) ?? new Map<string, unknown>();
  writes.set(collection, written);
  return written;
};

/** Makes the changes in a table, and gives it back. */
function write(table: Table, written: Table): Table {
  for (const [id, value] of written) {
    if (value === undefined) table.delete(id);
    else table.set(id, value);
  }
  return table;
}

/**
 * A store in memory that begins with `initial`. The snapshot's values are frozen and shared, not copied: one set of
 * fixtures serves any number of stores.
 */
export const createMemoryStore = (initial: Snapshot): Store => {
  let tables = tablesOf(initial);
  const lists = new Map<CollectionName, readonly unknown[]>();
  let last: Promise<unknown> = Promise.resolve();

  const listed = (collection: CollectionName): readonly unknown[] => {
    let list = lists.get(collection);
    if (list === undefined) {
      list = [...tables[collection].values()];
      lists.set(collection, list);
    }
    return list;
  };

  /** One after another, whatever became of the one before. */
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  const commit = (writes: Writes): void => {
    for (const [collection, written] of writes) {
      write(tables[collection], written);
      lists.delete(collection);
    }
  };

  const overlay = (writes: Writes): Transaction => ({
    get: async (collection, id) => {
      const written = writes.get(collection);
      const table = written?.has(id) === true ? written : tables[collection];
      return table.get(id) as Collections[typeof collection] | undefined;
    },
    list: async collection => {
      const written = writes.get(collection);
      const all =
        written === undefined ? listed(collection) : [...write(new Map(tables[collection]), written).values()];
      return all as readonly Collections[typeof collection][];
    },
    put: async (collection, id, value) => void noted(writes, collection).set(id, freeze(value)),
    remove: async (collection, id) => void noted(writes, collection).set(id, undefined),
  });

  const transaction = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    queued(async () => {
      const writes: Writes = new Map();
      const result = await work(overlay(writes));
      commit(writes);
      return result;
    });

  return {
    get: async (collection, id) => tables[collection].get(id) as Collections[typeof collection] | undefined,
    list: async collection => listed(collection) as readonly Collections[typeof collection][],
    put: (collection, id, value) => transaction(inner => inner.put(collection, id, value)),
    remove: (collection, id) => transaction(inner => inner.remove(collection, id)),
    transaction,
    snapshot: () => queued(async () => perCollection(name => [...tables[name]]) as unknown as Snapshot),
    restore: snapshot =>
      queued(async () => {
        tables = tablesOf(snapshot);
        lists.clear();
      }),
  };
};
