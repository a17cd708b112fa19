import type { HandlerResponse } from '../api/response.ts';
import { success } from '../api/success.ts';
import type { CollectionName } from '../entities.ts';
import { counting, type Decorator, perServer } from './layers.ts';
import { aroundWork, insteadFor, insteadOfWork, isEmptyPatch, listing } from './operations.ts';

/** Decorators of operations that read from replicas, some of which never catch up. */

/** Answers the empty patch as a reading, from a replica. */
export const emptyPatchReads = insteadFor('gates', (gate, request) =>
  gate && isEmptyPatch(request) ? success(request, gate) : undefined,
);

/**
 * Answers every `every`-th empty patch from a replica that never catches up: it always shows the first state that it
 * read of a gate.
 */
export const gateFrozen = (every: number): Decorator =>
  counting(next => {
    const first = new Map<string, HandlerResponse>();
    return insteadOfWork(async (request, store) => {
      if (!isEmptyPatch(request)) return undefined;
      const known = first.get(request.param);
      const isDue = next() % every === 0;
      if (known !== undefined) return isDue ? known : undefined;
      const gate = await store.get('gates', request.param);
      if (gate !== undefined) first.set(request.param, success(request, gate));
      return undefined;
    });
  });

/** Always lists a collection as it was at the first listing. */
export const listFrozen = (collection: CollectionName): Decorator =>
  perServer(() => {
    let first: readonly object[];
    return aroundWork(async (work, request, store) => {
      first ??= await store.list(collection);
      return work(
        request,
        listing(store, collection, () => first),
      );
    });
  });
