import type { IncomingHttpHeaders } from 'node:http';
import type { EndpointId } from '../../contracts/endpoint.ts';
import type { Naming } from '../../contracts/target.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from './answer.ts';

/** A request of one of the fifteen operations, off the wire: names are those of the specification, whatever the server's naming. */
export interface ApiRequest {
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
  /** The answer to a body that could not be read (400, 413, 415); it is given once the key is found right. */
  readonly unreadable?: Answer;
}

/** What handlers are told besides request and store. */
export interface Settings {
  readonly naming: Naming;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Answers one request. A pure function of its arguments: all state is in the store. An operation may throw `Refused`; what surrounds it
 * turns that into the answer. Stored values are frozen: an answer that differs from one is built anew.
 */
export type Handler = (request: ApiRequest, store: Store, settings: Settings) => Promise<Answer>;

/** The body of a request that has been validated against its contract. */
export const bodyOf = <B>(request: ApiRequest): B => request.body as B;
