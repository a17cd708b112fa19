import type { HandlerRequest } from '../api/request.ts';
import { type HandlerResponse, isSuccess } from '../api/response.ts';
import { type CollectionName, type Collections, keyOf } from '../entities.ts';
import type { Transaction } from '../store/store.ts';
import { counting, type Decorator, perServer } from './layers.ts';
import { around, aroundWork, listing, sentBy } from './operations.ts';

/**
 * Decorators of a service with other users: they act between requests, and the service reaches limits. Everything is
 * counted, so that the same requests get the same answers.
 */

/** Lets others act before every n-th request to an operation; `turn` counts these actions from 1. */
export const othersAct = (every: number, act: (transaction: Transaction, turn: number) => Promise<void>): Decorator =>
  counting(next =>
    around(async (work, _request, store) => {
      const turn = next() / every;
      if (Number.isInteger(turn)) await store.transaction(transaction => act(transaction, turn));
      return work();
    }),
  );

/** Lets others change entities before every n-th request: all of a collection, or only `ids`. */
export const othersChange = <C extends CollectionName>(
  every: number,
  collection: C,
  change: (entity: Collections[C], turn: number, index: number) => Partial<Collections[C]>,
  ids?: readonly string[],
): Decorator =>
  othersAct(every, async (transaction, turn) => {
    for (const [index, entity] of (await transaction.list(collection)).entries()) {
      const id = keyOf(entity);
      if (ids === undefined || ids.includes(id))
        await transaction.put(collection, id, { ...entity, ...change(entity, turn, index) });
    }
  });

/** Lists a collection as others have changed it so far; `seen` counts the requests to the operation from 1. */
export const othersMove = <C extends CollectionName>(
  collection: C,
  move: (list: readonly Collections[C][], seen: number) => readonly Collections[C][],
): Decorator =>
  counting(next =>
    aroundWork((work, request, store) => {
      const turn = next();
      return work(
        request,
        listing(store, collection, list => move(list, turn)),
      );
    }),
  );

/** True if the request is a dry run. */
export const isDry = (request: HandlerRequest): boolean => sentBy(request).dryRun === true;

/** Refuses requests once `most` of those that match `counts` were carried out, over all operations of the row. */
export const enoughAfter = (
  most: number,
  refused: HandlerResponse,
  counts: (request: HandlerRequest) => boolean = () => true,
): Decorator =>
  perServer(() => {
    let done = 0;
    return aroundWork(async (work, request) => {
      if (!counts(request)) return work();
      if (done >= most) return refused;
      // Count before the work, so that concurrent requests cannot exceed the limit together.
      done += 1;
      const response = await work().catch(error => {
        done -= 1;
        throw error;
      });
      if (!isSuccess(response)) done -= 1;
      return response;
    });
  });
