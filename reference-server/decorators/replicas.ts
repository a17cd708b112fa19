import { success } from '../api/success.ts';
import type { CollectionName } from '../entities.ts';
import type { Decorator } from './layers.ts';
import { insteadFor, isEmptyPatch } from './operations.ts';
import { showingPasts } from './past-store.ts';

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
