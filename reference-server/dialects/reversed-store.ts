import type { CollectionName, Collections } from '../entities.ts';
import type { Store } from '../store/store.ts';

/** A store that lists these collections in the opposite order, as one sorted by a falling number would. */
export const reversedStore =
  (collections: readonly CollectionName[]) =>
  (store: Store): Store => {
    /** One array for each state, as the store promises. */
    const reversed = new WeakMap<readonly unknown[], readonly unknown[]>();
    return {
      ...store,
      list: async <C extends CollectionName>(collection: C): Promise<readonly Collections[C][]> => {
        const list = await store.list(collection);
        if (!collections.includes(collection)) return list;
        const known = reversed.get(list) ?? [...list].reverse();
        reversed.set(list, known);
        return known as readonly Collections[C][];
      },
    };
  };
