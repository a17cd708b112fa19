import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import type { ReferenceServerOptions, Store } from '../../../reference-server/index.ts';
import type { Fields } from '../independent/checks.ts';
import type { AroundRoute } from '../independent/server.ts';
import type { State } from '../independent/state.ts';

/**
 * The point at which mutants change either server: the work of an operation, for requests with the key, before anything
 * else is checked.
 */

/** A stored entity, and its earlier value. */
export interface Put {
  readonly entity: JsonObject;
  readonly before: JsonObject | undefined;
  /** The next entity in the same collection. */
  readonly neighbour: JsonObject | undefined;
}

/** The entities to store instead, for it and its neighbour. Absent ones are not stored. */
export interface Puts {
  readonly own?: JsonObject;
  readonly neighbour?: JsonObject;
}

/** A request as an operation gets it. */
export interface Asked {
  readonly endpoint: EndpointId;
  /** The entity that the path names; empty if there is none. */
  readonly param: string;
  readonly body: JsonObject;
  /** Decides what is stored, for every entity that the operation stores. */
  readonly puts?: (put: Put) => Puts;
}

/** An answer before it is written. */
export interface Answered {
  readonly status: number;
  readonly body: JsonObject;
}

/** The work of an operation. */
export type Work = (asked: Asked) => Promise<Answered>;

/** Answers a request differently from the work. */
export type Mutation = (asked: Asked, work: Work) => Promise<Answered>;

/** Creates the mutation of one server; `changed` is called each time the server differs. */
export type MakeMutation = (changed: () => void) => Mutation;

/** True if a request was carried out. */
export const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300;

const copied = <T>(value: unknown): T => (value === undefined ? undefined : JSON.parse(JSON.stringify(value))) as T;

/** The collections that store entities as shown. Configs and prompts are stored as histories. */
const shownAsKept: ReadonlySet<string> = new Set([
  'environments',
  'gates',
  'experiments',
  'qualifyingEvents',
  'sources',
  'metrics',
]);

/**
 * Returns the write of a collection that stores no histories. For a history, mutants see no content: the write is
 * stored or dropped whole.
 */
const putOf = (collection: string, entity: unknown, before: unknown, neighbour: unknown): Put =>
  shownAsKept.has(collection)
    ? { entity: copied(entity), before: copied(before), neighbour: copied(neighbour) }
    : { entity: {}, before: undefined, neighbour: undefined };

const keyAfter = (keys: readonly string[], key: string): string | undefined => {
  const next = keys[(keys.indexOf(key) + 1) % Math.max(keys.length, 1)];
  return next === key ? undefined : next;
};

/** Returns a store of the reference server in which a mutant decides what is stored. */
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

/** Returns the options that add a mutation to the reference server. */
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

/** Returns the state of the independent server, in which a mutant decides what is stored. */
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

/** Returns the wrapper that adds a mutation to the independent server. */
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

/** A JSON value, or undefined. */
export type Value = Json | undefined;
