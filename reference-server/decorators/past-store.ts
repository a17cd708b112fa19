import { type CollectionName, type Collections, keyOf } from '../entities.ts';
import type { Store } from '../store/store.ts';

/** Which past of its collections a store shows, and for how long. */
export interface Pasts {
  /** The list that a reading is shown instead of the present one; undefined when that is the present one. */
  shown(collection: CollectionName): readonly object[] | undefined;
  /** Notes that a transaction has changed a collection, and what its list was before. */
  changed(collection: CollectionName, list: readonly object[]): void;
  /** Forgets all pasts, for everything was put in their place. */
  forget(): void;
}

/** A store whose readings outside of transactions show pasts of some collections. Transactions see what is. */
export function showingPasts(store: Store, collections: readonly CollectionName[], pasts: Pasts): Store {
  const shown = <C extends CollectionName>(collection: C) =>
    pasts.shown(collection) as readonly Collections[C][] | undefined;
  const transaction: Store['transaction'] = work =>
    store.transaction(async inner => {
      const before = await Promise.all(collections.map(async name => [name, await inner.list(name)] as const));
      const result = await work(inner);
      for (const [name, list] of before) if ((await inner.list(name)) !== list) pasts.changed(name, list);
      return result;
    });
  return {
    ...store,
    transaction,
    list: async collection => shown(collection) ?? store.list(collection),
    get: async (collection, id) => {
      const list = shown(collection);
      return list === undefined ? store.get(collection, id) : list.find(item => keyOf(item) === id);
    },
    put: (collection, id, value) => transaction(inner => inner.put(collection, id, value)),
    remove: (collection, id) => transaction(inner => inner.remove(collection, id)),
    restore: async snapshot => {
      await store.restore(snapshot);
      pasts.forget();
    },
  };
}
