import { type Members, membersOf } from '../../contracts/json.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { type ErrorBody, type HandlerResponse, internalError } from '../api/response.ts';
import type { CollectionName, Collections } from '../entities.ts';
import type { Reader, Store } from '../store/store.ts';
import { counting, type Decorator, does } from './layers.ts';
import type { Mutable } from './members.ts';

/**
 * Decorators of operations: of the whole, refusals included, or only of the work, which runs for valid requests with
 * the key.
 */

/** Wraps the whole of each operation. `wrap` is called for each operation, so that its state belongs to one. */
export const around =
  (wrap: (handler: Handler) => Handler): Decorator =>
  () => ({ decorate: (_id, handler) => wrap(handler) });

/** Wraps the work of each operation. */
export const aroundWork =
  (wrap: (handler: Handler) => Handler): Decorator =>
  () => ({ decorateOperation: (_id, handler) => wrap(handler) });

type MaybeLater<T> = T | Promise<T>;
type OtherRequest = (request: HandlerRequest, store: Reader) => MaybeLater<HandlerRequest>;

const changing =
  (change: OtherRequest) =>
  (handler: Handler): Handler =>
  async (request, store, settings) =>
    handler(await change(request, store), store, settings);

/** Replaces the request before it is checked. */
export const onRequest = (change: OtherRequest): Decorator => around(changing(change));

/** Replaces the request after it was found valid. */
export const onValidRequest = (change: OtherRequest): Decorator => aroundWork(changing(change));

/** Returns the members of a request's body; none if it is not an object. */
export const sentBy = ({ body }: HandlerRequest): Members => membersOf(body);

/** True if the request is a patch of a gate that carries nothing: the only way to read a gate. */
export const isEmptyPatch = (request: HandlerRequest): boolean =>
  request.endpoint === 'patch-gate' && Object.keys(sentBy(request)).length === 0;

/** Returns those of the named members of a body for which the answer reports no error. */
export function validOf(request: HandlerRequest, answer: HandlerResponse, fields: readonly string[]): Mutable {
  const errors = (answer.body as Partial<ErrorBody> | undefined)?.errors ?? [];
  const wrong = errors.map(({ property }) => property.split('.')[0]);
  return Object.fromEntries(
    Object.entries(sentBy(request)).filter(([name]) => fields.includes(name) && !wrong.includes(name)),
  );
}

/** Replaces the body after it was found valid. */
export const onValidBody = (
  change: (body: Members, request: HandlerRequest, store: Reader) => MaybeLater<Members>,
): Decorator =>
  onValidRequest(async (request, store) => ({ ...request, body: await change(sentBy(request), request, store) }));

/** Returns a store that lists one collection differently. */
export const listing = <C extends CollectionName>(
  store: Store,
  collection: C,
  other: (list: readonly Collections[C][]) => readonly object[],
): Store => ({
  ...store,
  list: async name => {
    const all: readonly unknown[] = await store.list(name);
    return (name === (collection as string) ? other(all as readonly Collections[C][]) : all) as never;
  },
});

/** Responds before the operation checks anything of a request, if `respond` returns a response. */
export const instead = (respond: (request: HandlerRequest) => MaybeLater<HandlerResponse | undefined>): Decorator =>
  around(handler => async (request, store, settings) => (await respond(request)) ?? handler(request, store, settings));

/** Responds instead of doing the work, if `respond` returns a response. */
export const insteadOfWork = (
  respond: (request: HandlerRequest, store: Store) => MaybeLater<HandlerResponse | undefined>,
): Decorator =>
  aroundWork(
    handler => async (request, store, settings) => (await respond(request, store)) ?? handler(request, store, settings),
  );

/** Like `insteadOfWork`, with the entity that the path names; undefined if there is none. */
export const insteadFor = <C extends CollectionName>(
  collection: C,
  respond: (
    entity: Collections[C] | undefined,
    request: HandlerRequest,
    store: Store,
  ) => MaybeLater<HandlerResponse | undefined>,
): Decorator =>
  insteadOfWork(async (request, store) => respond(await store.get(collection, request.param), request, store));

/** Responds differently to every n-th request. Counting makes the same requests get the same answers. */
export const everyNth = (
  every: number,
  respond: () => MaybeLater<HandlerResponse>,
  level: typeof instead = instead,
): Decorator => counting(next => level(() => (next() % every === 0 ? respond() : undefined)));

/** Responds with 500 to everything from the first request that matches `when`. */
export const poisonedBy = (when: (request: HandlerRequest) => boolean): Decorator =>
  around(handler => {
    let dead = false;
    return async (request, store, settings) => {
      dead ||= when(request);
      return dead ? internalError : handler(request, store, settings);
    };
  });

/** A response that never comes. */
export const never = (): Promise<HandlerResponse> => new Promise(() => {});

/** Waits for turns of the event loop, so that concurrent requests arrive. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

/**
 * Keeps the request in a variable that all requests share, so that concurrent requests are all taken for the last one.
 */
export const sharesRequest = does(
  'Requests at once share one request.',
  aroundWork(handler => {
    let current: HandlerRequest;
    return async (request, store, settings) => {
      current = request;
      await turns(40);
      return handler(current, store, settings);
    };
  }),
);

/** Keeps the response in a variable that all requests share, so that concurrent requests all get the last response. */
export const sharesResponse = does(
  'Requests at once share one answer.',
  aroundWork(handler => {
    let current: HandlerResponse;
    return async (request, store, settings) => {
      current = await handler(request, store, settings);
      await turns(40);
      return current;
    };
  }),
);
