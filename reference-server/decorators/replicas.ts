import { success } from '../api/success.ts';
import type { CollectionName } from '../entities.ts';
import type { Store } from '../store/store.ts';
import type { Decorator } from './layers.ts';
import { insteadFor, isEmptyPatch } from './operations.ts';
import { showingPasts } from './past-store.ts';
import { late } from './stores.ts';

/** Decorators of services that read from replicas. Transactions read current data. */

/** Answers the empty patch as a reading, from a replica. */
export const emptyPatchReads = insteadFor('gates', (gate, request) =>
  gate && isEmptyPatch(request) ? success(request, gate) : undefined,
);

/**
 * An earlier state of a list, the number of readings that still show it, and its end, in milliseconds of a monotonic
 * clock.
 */
interface Shown {
  readonly list: readonly object[];
  left: number;
  readonly until: number;
}

/** Shows earlier states of collections for `reads` readings after a change, or for `lag` milliseconds. */
export const lateByReads =
  (reads: number, lag: number, collections: readonly CollectionName[]): Decorator =>
  () => ({
    decorateStore: store => {
      const pasts = new Map<CollectionName, Shown>();
      return showingPasts(store, collections, {
        shown(collection) {
          const past = pasts.get(collection);
          if (past === undefined) return undefined;
          past.left -= 1;
          const isOver = past.until <= performance.now();
          if (past.left === 0 || isOver) pasts.delete(collection);
          return isOver ? undefined : past.list;
        },
        changed(collection, list) {
          if (!pasts.has(collection)) pasts.set(collection, { list, left: reads, until: performance.now() + lag });
        },
        forget: () => pasts.clear(),
      });
    },
  });

/** Reads in turn from two replicas, the second of which lags by `lag` milliseconds. */
export const replicasInTurn =
  (lag: number, collections: readonly CollectionName[]): Decorator =>
  server => ({
    decorateStore: store => {
      const behind = late(lag, collections)(server).decorateStore?.(store) ?? store;
      const seen = new Map<CollectionName, number>();
      const next = (collection: CollectionName): Store => {
        const count = (seen.get(collection) ?? 0) + 1;
        seen.set(collection, count);
        return collections.includes(collection) && count % 2 === 0 ? behind : store;
      };
      return {
        ...behind,
        get: (collection, id) => next(collection).get(collection, id),
        list: collection => next(collection).list(collection),
      };
    },
  });
