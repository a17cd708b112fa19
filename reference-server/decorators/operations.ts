import { setImmediate } from 'node:timers/promises';
import { type Members, membersOf } from '../../contracts/json.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { type ErrorBody, type HandlerResponse, internalError, refusal } from '../api/response.ts';
import type { CollectionName, Collections } from '../entities.ts';
import type { Reader, Store } from '../store/store.ts';
import { counting, type Decorator, does, perServer } from './layers.ts';
import type { Mutable } from './members.ts';

/**
 * Decorators of operations: of the whole, refusals included, or only of the work, which runs for valid requests with
 * the key.
 */

/** Carries out the operation: as it was asked, or for another request, or on another store. */
export type Work = (request?: HandlerRequest, store?: Store) => Promise<HandlerResponse>;

type MaybeLater<T> = T | Promise<T>;

/** Responds to a request, with `work` for what the operation would respond. */
type Reaction = (work: Work, request: HandlerRequest, store: Store) => MaybeLater<HandlerResponse>;

const reacting =
  (react: Reaction) =>
  (_id: string, handler: Handler): Handler =>
  async (request, store, settings) =>
    react((other = request, held = store) => handler(other, held, settings), request, store);

/** Wraps the whole of each operation. */
export const around =
  (react: Reaction): Decorator =>
  () => ({ decorate: reacting(react) });

/** Wraps the work of each operation. */
export const aroundWork =
  (react: Reaction): Decorator =>
  () => ({ decorateOperation: reacting(react) });

type OtherRequest = (request: HandlerRequest, store: Reader) => MaybeLater<HandlerRequest>;

const changing =
  (change: OtherRequest): Reaction =>
  async (work, request, store) =>
    work(await change(request, store));

/** Replaces the request before it is checked. */
export const onRequest = (change: OtherRequest): Decorator => around(changing(change));

/** Replaces the request after it was found valid. */
export const onValidRequest = (change: OtherRequest): Decorator => aroundWork(changing(change));

/** Returns the members of a request's body; none if it is not an object. */
export const sentBy = ({ body }: HandlerRequest): Members => membersOf(body);

/** True if a body carries nothing. */
export const isEmpty = (body: Members): boolean => Object.keys(body).length === 0;

/** True if the request is a patch of a gate that carries nothing: the only way to read a gate. */
export const isEmptyPatch = (request: HandlerRequest): boolean =>
  request.endpoint === 'patch-gate' && isEmpty(sentBy(request));

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

type Respond = (request: HandlerRequest, store: Store) => MaybeLater<HandlerResponse | undefined>;

const insteadAt =
  (level: typeof around) =>
  (respond: Respond): Decorator =>
    level(async (work, request, store) => (await respond(request, store)) ?? work());

/** Responds before the operation checks anything of a request, if `respond` returns a response. */
export const instead = insteadAt(around);

/** Responds instead of doing the work, if `respond` returns a response. */
export const insteadOfWork = insteadAt(aroundWork);

/** Like `insteadOfWork`, with the entity that the path names; undefined if there is none. */
export const insteadFor = <C extends CollectionName>(
  collection: C,
  respond: (entity: Collections[C] | undefined, request: HandlerRequest, store: Store) => ReturnType<Respond>,
): Decorator =>
  insteadOfWork(async (request, store) => respond(await store.get(collection, request.param), request, store));

/** Refuses valid requests for which `when` holds. */
export const refusing = (
  status: number,
  message: string,
  when: (body: Members, request: HandlerRequest, store: Reader) => MaybeLater<unknown>,
): Decorator =>
  insteadOfWork(async (request, store) =>
    (await when(sentBy(request), request, store)) ? refusal(status, message) : undefined,
  );

/** Responds differently to every n-th request. Counting makes the same requests get the same answers. */
export const everyNth = (every: number, respond: () => MaybeLater<HandlerResponse>, level = instead): Decorator =>
  counting(next => level(() => (next() % every === 0 ? respond() : undefined)));

/** Responds with 500 to everything from the first request that matches `when`. */
export const poisonedBy = (when: (request: HandlerRequest) => boolean): Decorator =>
  perServer(() => {
    let dead = false;
    return instead(request => {
      dead ||= when(request);
      return dead ? internalError : undefined;
    });
  });

/** A response that never comes. */
export const never = (): Promise<HandlerResponse> => new Promise(() => {});

/** Waits for turns of the event loop, so that concurrent requests arrive, but no longer than it takes until `isEnough`. */
export const turns = async (most: number, isEnough = () => false): Promise<void> => {
  for (let turn = 0; turn < most && !isEnough(); turn += 1) await setImmediate();
};

/**
 * Keeps the request in a variable that all requests share, so that concurrent requests are all taken for the last one.
 */
export const sharesRequest = does(
  'Requests at once share one request.',
  perServer(() => {
    let current: HandlerRequest;
    return onValidRequest(async request => {
      current = request;
      await turns(40);
      return current;
    });
  }),
);

/** Keeps the response in a variable that all requests share, so that concurrent requests all get the last response. */
export const sharesResponse = does(
  'Requests at once share one answer.',
  perServer(() => {
    let current: HandlerResponse;
    return aroundWork(async work => {
      current = await work();
      await turns(40);
      return current;
    });
  }),
);
