import type { CollectionName, Collections } from '../entities.ts';
import type { Store } from '../store/store.ts';

/** A list as it was, and when it stopped being so, in milliseconds of a steady clock. */
interface Past {
  readonly list: readonly unknown[];
  readonly until: number;
}

const keyOf = (item: unknown): string | undefined => {
  const { id, name } = item as { id?: string; name?: string };
  return id ?? name;
};

/**
 * A store whose reads outside of transactions show each collection as it was `lag` milliseconds ago, as a replica would. Transactions
 * see what is.
 */
export const lateStore =
  (lag: number, collections: readonly CollectionName[]) =>
  (store: Store): Store => {
    const pasts = new Map<CollectionName, readonly Past[]>();

    /** The list that is still shown; undefined when that is the present one. */
    const shown = <C extends CollectionName>(collection: C): readonly Collections[C][] | undefined => {
      const now = performance.now();
      const left = (pasts.get(collection) ?? []).filter(past => past.until + lag > now);
      pasts.set(collection, left);
      return left[0]?.list as readonly Collections[C][] | undefined;
    };

    const transaction: Store['transaction'] = work =>
      store.transaction(async inner => {
        const before = await Promise.all(collections.map(async name => [name, await inner.list(name)] as const));
        const result = await work(inner);
        for (const [name, list] of before)
          if ((await inner.list(name)) !== list)
            pasts.set(name, [...(pasts.get(name) ?? []), { list, until: performance.now() }]);
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
      restore: async snapshot => {
        await store.restore(snapshot);
        pasts.clear();
      },
    };
  };
