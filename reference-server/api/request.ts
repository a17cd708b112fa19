import type { IncomingHttpHeaders } from 'node:http';
import { type BodyOf, type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import type { Naming } from '../../contracts/target.ts';
import type { Store } from '../store/store.ts';
import type { HandlerResponse } from './response.ts';

/**
 * A request of one of the operations, off the wire: names are those of the specification, whatever the server's naming.
 */
export interface HandlerRequest {
  readonly endpoint: EndpointId;
  readonly method: string;
  /** The path as it was called, still encoded, without the query. */
  readonly path: string;
  /** The path parameter, decoded (as it stands where its encoding is malformed); empty where the path has none. */
  readonly param: string;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body: `{}` for an empty one, undefined where the operation has none or the body could not be read. */
  readonly body: unknown;
  /** The response to a body that could not be read (400, 413, 415); it is given once the key is found right. */
  readonly unreadable?: HandlerResponse;
}

/** What handlers are given besides request and store. */
export interface Settings {
  readonly naming: Naming;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Until when the key of the world opens it, in milliseconds since 1970. */
  readonly expires?: () => number | undefined;
  /** Whether every name counts as one of the directory. */
  readonly openVocabulary?: boolean;
}

/**
 * Responds to one request. A pure function of its arguments: all state is in the store. An operation may throw
 * `Refused`, which the pipeline turns into the response. Stored values are frozen: a response that differs from one is
 * built anew.
 */
export type Handler = (request: HandlerRequest, store: Store, settings: Settings) => Promise<HandlerResponse>;

/**
 * The documented members of a body that has been validated against its contract. Unknown members are ignored,
 * `__proto__` and its kind among them.
 */
export const bodyOf = <Id extends EndpointId>({ endpoint, body }: HandlerRequest): BodyOf<Id> => {
  const documented: object = endpoints[endpoint].body?.properties ?? {};
  const members = Object.entries(membersOf(body)).filter(([name]) => Object.hasOwn(documented, name));
  return Object.fromEntries(members) as BodyOf<Id>;
};
