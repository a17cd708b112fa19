import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import type { ReferenceServerOptions, Store } from '../../../reference-server/index.ts';
import type { Fields } from '../independent/checks.ts';
import type { AroundRoute } from '../independent/server.ts';
import type { State } from '../independent/state.ts';

/**
 * The one place at which mutants change a server, whichever it is: the work of an operation, for requests with the key,
 * before anything else of them is checked.
 */

/** An entity that is put in its place, and what stood there before. */
export interface Put {
  readonly entity: JsonObject;
  readonly before: JsonObject | undefined;
  /** The entity that stands next in the same collection. */
  readonly neighbour: JsonObject | undefined;
}

/** What is put instead, there and in the place of its neighbour; what is absent is not put. */
export interface Puts {
  readonly own?: JsonObject;
  readonly neighbour?: JsonObject;
}

/** A request as the operation sees it. */
export interface Asked {
  readonly endpoint: EndpointId;
  /** The entity that the path names; empty where it names none. */
  readonly param: string;
  readonly body: JsonObject;
  /** Decides what is put, of every entity that the operation puts. */
  readonly puts?: (put: Put) => Puts;
}

/** An answer before it becomes bytes. */
export interface Answered {
  readonly status: number;
  readonly body: JsonObject;
}

/** The work of an operation. */
export type Work = (asked: Asked) => Promise<Answered>;

/** Answers a request otherwise than the work does. */
export type Mutation = (asked: Asked, work: Work) => Promise<Answered>;

/** Makes a mutant's change for one server; `changed` is called each time that the server differs. */
export type MakeMutation = (changed: () => void) => Mutation;

/** Whether a request was carried out. */
export const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300;

const copied = <T>(value: unknown): T => (value === undefined ? undefined : JSON.parse(JSON.stringify(value))) as T;

/** The collections whose entities are kept as they are shown: configs and prompts are kept as histories. */
const shownAsKept: ReadonlySet<string> = new Set([
  'environments',
  'gates',
  'experiments',
  'qualifyingEvents',
  'sources',
  'metrics',
]);

/** What is put of a collection that is no history; any change of a history is put or not put as a whole. */
const putOf = (collection: string, entity: unknown, before: unknown, neighbour: unknown): Put =>
  shownAsKept.has(collection)
    ? { entity: copied(entity), before: copied(before), neighbour: copied(neighbour) }
    : { entity: {}, before: undefined, neighbour: undefined };

const keyAfter = (keys: readonly string[], key: string): string | undefined => {
  const next = keys[(keys.indexOf(key) + 1) % Math.max(keys.length, 1)];
  return next === key ? undefined : next;
};

/** A store of the reference server that puts what a mutant decides. */
function storeWith(store: Store, { puts }: Asked): Store {
  if (puts === undefined) return store;
  return {
    ...store,
    transaction: work =>
      store.transaction(inner =>
        work({
          ...inner,
          put: async (collection, id, value) => {
            const all = await inner.list(collection);
            const keyed = all.map(one => {
              const { id: own, name } = one as { id?: string; name?: string };
              return [String(own ?? name), one] as const;
            });
            const next = keyAfter(
              keyed.map(([key]) => key),
              id,
            );
            const neighbour = keyed.find(([key]) => key === next)?.[1];
            const decided = puts(putOf(collection, value, await inner.get(collection, id), neighbour));
            if (decided.own !== undefined)
              await inner.put(collection, id, shownAsKept.has(collection) ? (decided.own as never) : value);
            if (decided.neighbour !== undefined && next !== undefined && shownAsKept.has(collection))
              await inner.put(collection, next, decided.neighbour as never);
          },
        }),
      ),
  };
}

/** The hooks by which the reference server has a mutant. */
export const onReference = (mutation: Mutation, apiKey: string, keyHeader: string): ReferenceServerOptions => ({
  apiKey,
  decorate: (endpoint, handler) => async (request, store, settings) => {
    const isRight = request.headers[keyHeader.toLowerCase()] === apiKey;
    if (!isRight || request.unreadable !== undefined || (request.body !== undefined && !isObject(request.body)))
      return handler(request, store, settings);
    let headers: Readonly<Record<string, string>> | undefined;
    const work: Work = async asked => {
      const body = request.body === undefined ? undefined : asked.body;
      const response = await handler({ ...request, body }, storeWith(store, asked), settings);
      ({ headers } = response);
      return { status: response.status, body: copied(response.body ?? {}) };
    };
    const answer = await mutation({ endpoint, param: request.param, body: copied(request.body ?? {}) }, work);
    return { ...answer, ...(headers === undefined ? {} : { headers }) };
  },
});

/** The state of the independent server, in which a mutant decides what is put. */
function stateWith(state: State, { puts }: Asked): State {
  if (puts === undefined) return state;
  const watched = (collection: string, map: Map<string, Fields>): Map<string, Fields> =>
    new Proxy(map, {
      get(target, name) {
        if (name !== 'set') {
          const member = Reflect.get(target, name) as unknown;
          return typeof member === 'function' ? member.bind(target) : member;
        }
        return (key: string, value: Fields) => {
          const next = keyAfter([...target.keys()], key);
          const neighbour = next === undefined ? undefined : target.get(next);
          const decided = puts(putOf(collection, value, target.get(key), neighbour));
          if (decided.own !== undefined) target.set(key, shownAsKept.has(collection) ? decided.own : value);
          if (decided.neighbour !== undefined && next !== undefined && shownAsKept.has(collection))
            target.set(next, decided.neighbour);
          return target;
        };
      },
    });
  const members = Object.entries(state).map(([name, member]) => [
    name,
    member instanceof Map ? watched(name, member as Map<string, Fields>) : member,
  ]);
  return Object.fromEntries(members) as State;
}

/** The same for the independent server. */
export const onIndependent =
  (mutation: Mutation): AroundRoute =>
  (served, { method, path }) => {
    const { endpoint } = operationAt(method, `/console/v1/${path}`) as { readonly endpoint: EndpointId };
    return async call => {
      const work: Work = async asked => {
        const { status, ...rest } = await served({ ...call, body: asked.body, state: stateWith(call.state, asked) });
        return { status, body: copied<JsonObject>(rest) };
      };
      const asked: Asked = { endpoint, param: call.names[0] ?? '', body: copied<JsonObject>(call.body) };
      const { status, body } = await mutation(asked, work);
      return { status, ...(isSuccess({ status, body }) ? body : { reason: 'not valid', ...body }) } as never;
    };
  };

/** A JSON value, or none. */
export type Value = Json | undefined;
