import { type Members, membersOf } from '../../contracts/json.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { type ErrorBody, type HandlerResponse, internalError } from '../api/response.ts';
import type { CollectionName, Collections } from '../entities.ts';
import type { Reader, Store } from '../store/store.ts';
import type { Decorator } from './layers.ts';
import type { Mutable } from './members.ts';

/**
 * Decorators of operations: of the whole, refusals included, or of the work alone, which valid requests with the key
 * reach.
 */

/**
 * Wraps the whole of each operation. `wrap` is called once for each, so that what it keeps belongs to one operation.
 */
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

/** Handles another request than the one that came. */
export const onRequest = (change: OtherRequest): Decorator => around(changing(change));

/** Works on another request than the one that was found valid. */
export const onValidRequest = (change: OtherRequest): Decorator => aroundWork(changing(change));

/** The members of a request's body; none where it is no object. */
export const sentBy = ({ body }: HandlerRequest): Members => membersOf(body);

/** The named members of a body that nothing is wrong with, by the answer to it. */
export function validOf(request: HandlerRequest, answer: HandlerResponse, fields: readonly string[]): Mutable {
  const errors = (answer.body as Partial<ErrorBody> | undefined)?.errors ?? [];
  const wrong = errors.map(({ property }) => property.split('.')[0]);
  return Object.fromEntries(
    Object.entries(sentBy(request)).filter(([name]) => fields.includes(name) && !wrong.includes(name)),
  );
}

/** Works on another body than the one that was found valid. */
export const onValidBody = (
  change: (body: Members, request: HandlerRequest, store: Reader) => MaybeLater<Members>,
): Decorator =>
  onValidRequest(async (request, store) => ({ ...request, body: await change(sentBy(request), request, store) }));

/** A store that lists one collection otherwise. */
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

/** Responds in place of the operation, before anything of a request is checked, wherever `respond` gives a response. */
export const instead = (respond: (request: HandlerRequest) => MaybeLater<HandlerResponse | undefined>): Decorator =>
  around(handler => async (request, store, settings) => (await respond(request)) ?? handler(request, store, settings));

/** Responds in place of the work, wherever `respond` gives a response. */
export const insteadOfWork = (
  respond: (request: HandlerRequest, store: Store) => MaybeLater<HandlerResponse | undefined>,
): Decorator =>
  aroundWork(
    handler => async (request, store, settings) => (await respond(request, store)) ?? handler(request, store, settings),
  );

/** The same, by the entity that the path names; it is undefined where there is none. */
export const insteadFor = <C extends CollectionName>(
  collection: C,
  respond: (
    entity: Collections[C] | undefined,
    request: HandlerRequest,
    store: Store,
  ) => MaybeLater<HandlerResponse | undefined>,
): Decorator =>
  insteadOfWork(async (request, store) => respond(await store.get(collection, request.param), request, store));

/** Responds in another way to every n-th request, so that the same requests meet the same fate. */
export const everyNth = (count: number, respond: () => MaybeLater<HandlerResponse>): Decorator =>
  around(handler => {
    let seen = 0;
    return async (request, store, settings) => {
      seen += 1;
      return seen % count === 0 ? respond() : handler(request, store, settings);
    };
  });

/** Responds with 500 to everything from the first request of a kind on. */
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

/** Every turn of the event loop lets what arrived with a request arrive too. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

/** Keeps the request in a variable that all requests share: of concurrent requests each is taken for the last one. */
export const sharesRequest: Decorator = aroundWork(handler => {
  let current: HandlerRequest;
  return async (request, store, settings) => {
    current = request;
    await turns(40);
    return handler(current, store, settings);
  };
});

/** Keeps the response in a variable that all requests share: of concurrent requests each gets the last response. */
export const sharesResponse: Decorator = aroundWork(handler => {
  let current: HandlerResponse;
  return async (request, store, settings) => {
    current = await handler(request, store, settings);
    await turns(40);
    return current;
  };
});
