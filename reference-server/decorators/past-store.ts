import { type CollectionName, type Collections, keyOf } from '../entities.ts';
import type { Store } from '../store/store.ts';
import type { Decorator } from './layers.ts';

/** Decorators that show earlier states of collections outside transactions, each in its own way. */

/** Decides which earlier state of its collections a store shows, and for how long. */
interface Pasts {
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
function showingPasts(store: Store, collections: readonly CollectionName[], pasts: Pasts): Store {
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

const pastsOf =
  (collections: readonly CollectionName[], make: () => Pasts): Decorator =>
  () => ({ decorateStore: store => showingPasts(store, collections, make()) });

/** Delays each reading of a collection by `lagOf`, which counts the readings from 1; `most` is the longest delay. */
export const behindBy = (
  lagOf: (collection: CollectionName, reading: number) => number,
  most: number,
  collections: readonly CollectionName[],
): Decorator =>
  pastsOf(collections, () => {
    /** Earlier lists, and when each ended, in milliseconds of a monotonic clock. */
    const pasts = new Map<CollectionName, readonly { readonly list: readonly object[]; readonly until: number }[]>();
    const readings = new Map<CollectionName, number>();
    return {
      shown(collection) {
        const now = performance.now();
        const reading = (readings.get(collection) ?? 0) + 1;
        readings.set(collection, reading);
        const kept = (pasts.get(collection) ?? []).filter(({ until }) => until + most > now);
        pasts.set(collection, kept);
        const lag = lagOf(collection, reading);
        return kept.find(({ until }) => until + lag > now)?.list;
      },
      changed(collection, list) {
        pasts.set(collection, [...(pasts.get(collection) ?? []), { list, until: performance.now() }]);
      },
      forget: () => pasts.clear(),
    };
  });

/** Shows collections outside transactions as they were `lag` milliseconds ago, like a replica. */
export const late = (lag: number, collections: readonly CollectionName[]): Decorator =>
  behindBy(() => lag, lag, collections);

/** Reads in turn from some replicas, the last of which lags by `lag` milliseconds. */
export const replicasInTurn = (lag: number, collections: readonly CollectionName[], replicas = 2): Decorator =>
  behindBy((_collection, reading) => (reading % replicas === 0 ? lag : 0), lag, collections);

/**
 * After a change, shows the state before it for `times` readings or at most `lag` milliseconds. With `ahead` the first
 * reading after each change shows the change.
 */
export const lateByReads = (
  times: number,
  lag: number,
  collections: readonly CollectionName[],
  ahead = false,
): Decorator =>
  pastsOf(collections, () => {
    const begin = ahead ? -1 : 0;
    const pasts = new Map<CollectionName, { readonly list: readonly object[]; readonly until: number; seen: number }>();
    return {
      shown(collection) {
        const past = pasts.get(collection);
        if (past === undefined) return undefined;
        past.seen += 1;
        const isOver = past.until <= performance.now();
        if (isOver || past.seen === times) pasts.delete(collection);
        return isOver || past.seen === 0 ? undefined : past.list;
      },
      changed(collection, list) {
        const past = pasts.get(collection);
        if (past === undefined) pasts.set(collection, { list, until: performance.now() + lag, seen: begin });
        else if (ahead) past.seen = begin;
      },
      forget: () => pasts.clear(),
    };
  });
