import type { HandlerResponse } from '../api/response.ts';
import { success } from '../api/success.ts';
import type { CollectionName } from '../entities.ts';
import type { Decorator } from './layers.ts';
import { aroundWork, listing, sentBy } from './operations.ts';

/** Decorators of replicas that never catch up. */

/**
 * Answers every `every`-th empty patch from a replica that never catches up: it always shows the first state that it
 * read of a gate.
 */
export const gateFrozen =
  (every: number): Decorator =>
  server => {
    const first = new Map<string, HandlerResponse>();
    let seen = 0;
    return aroundWork(handler => async (request, store, settings) => {
      if (Object.keys(sentBy(request)).length > 0) return handler(request, store, settings);
      const known = first.get(request.param);
      seen += 1;
      if (known !== undefined) return seen % every === 0 ? known : handler(request, store, settings);
      const gate = await store.get('gates', request.param);
      if (gate !== undefined) first.set(request.param, success(request, gate));
      return handler(request, store, settings);
    })(server);
  };

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
