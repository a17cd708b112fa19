import type { HandlerResponse } from '../api/response.ts';
import { success } from '../api/success.ts';
import type { CollectionName } from '../entities.ts';
import { counting, type Decorator } from './layers.ts';
import { aroundWork, isEmptyPatch, listing } from './operations.ts';

/** Decorators of replicas that never catch up. */

/**
 * Answers every `every`-th empty patch from a replica that never catches up: it always shows the first state that it
 * read of a gate.
 */
export const gateFrozen = (every: number): Decorator =>
  counting(next => {
    const first = new Map<string, HandlerResponse>();
    return aroundWork(handler => async (request, store, settings) => {
      if (!isEmptyPatch(request)) return handler(request, store, settings);
      const known = first.get(request.param);
      const isDue = next() % every === 0;
      if (known !== undefined) return isDue ? known : handler(request, store, settings);
      const gate = await store.get('gates', request.param);
      if (gate !== undefined) first.set(request.param, success(request, gate));
      return handler(request, store, settings);
    });
  });

/** Always lists a collection as it was at the first listing. */
export const listFrozen = (collection: CollectionName): Decorator => {
  return server => {
    let first: readonly object[] | undefined;
    return aroundWork(handler => async (request, store, settings) => {
      first ??= await store.list(collection);
      const kept = first;
      return handler(
        request,
        listing(store, collection, () => kept),
        settings,
      );
    })(server);
  };
};
