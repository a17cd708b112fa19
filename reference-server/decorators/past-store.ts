import { type CollectionName, type Collections, keyOf } from '../entities.ts';
import type { Store } from '../store/store.ts';

/** Decides which earlier state of its collections a store shows, and for how long. */
export interface Pasts {
  /** Returns the list to show instead of the current one; undefined for the current one. */
  shown(collection: CollectionName): readonly object[] | undefined;
  /** Records that a transaction has changed a collection, with the earlier list. */
  changed(collection: CollectionName, list: readonly object[]): void;
  /** Forgets all earlier states, because the store was restored. */
  forget(): void;
}

/**
 * Returns a store that shows earlier states of some collections outside transactions. Transactions read current data.
 */
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
