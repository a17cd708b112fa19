import { type Endpoint, hasDryRun } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { membersOf } from '../../contracts/json.ts';
import { type Answer, type ApiRequest, isAcceptedBy, usesKey } from '../protocol/answer.ts';
import type { Moment, Outcome, Write } from './knowledge.ts';

/** Tells that a request went on the wire. */
export interface BegunEvent {
  readonly kind: 'begun';
  /** Unique among all requests. */
  readonly number: number;
  /** Milliseconds of a clock that never goes back. */
  readonly atMs: number;
  readonly request: ApiRequest;
  /** The body that was sent. */
  readonly sent: Json | undefined;
}

/** Tells that the answer to a request came. */
export interface AnsweredEvent {
  readonly kind: 'answered';
  readonly number: number;
  /** Earlier tries whose answers were lost: they may have been carried out. */
  readonly lost: readonly number[];
  readonly atMs: number;
  readonly answer: Answer;
}

/** Settings, known before the first exchange. */
export interface ModelOptions {
  /** How long a write may take to show, in milliseconds. */
  readonly settleMs: number;
  /** Marks the names of what our own requests create; absent: nothing does. */
  readonly token?: string;
  /** Nobody else writes, so a value that we did not send is the service's doing. */
  readonly isSoleWriter?: boolean;
  /**
   * The requests are made by others. Their values may have existed before, and earlier writes may not show yet. How
   * late answers may be is given, not measured.
   */
  readonly isWatching?: boolean;
  /** Values come from a seed: an earlier run may have left the same texts, so only those with the token are ours. */
  readonly isSeeded?: boolean;
  /** The operations; by default those of the specification. */
  readonly rowOf?: (id: EndpointId) => Endpoint;
}

/** A request in flight. */
export interface Asked {
  readonly number: number;
  readonly row: Endpoint;
  readonly endpoint: EndpointId;
  readonly param: string;
  readonly body: unknown;
  /** It has query parameters other than those of pages, which may filter the list. */
  readonly isFiltered: boolean;
  /** The effect that it may have. A request without the key, a dry run or one under another path may do nothing. */
  readonly deserves: 'effect' | 'keyless' | 'dry' | 'unknown';
  readonly begun: Moment;
  /** Its method may change something. */
  readonly isWrite: boolean;
  readonly writes: readonly Write[];
}

/** True if the body is sent as JSON: the meaning of other content types is not stated. */
const isJsonSent = ({ contentType }: ApiRequest): boolean =>
  contentType === undefined || /json/i.test(contentType ?? '');

/** True if a request has query parameters other than those of pages. */
export const isFiltered = ({ query = {} }: ApiRequest): boolean =>
  Object.keys(query).some(name => name !== 'page' && name !== 'limit');

/** Returns the effect that a request may have. */
export function deservesOf(request: ApiRequest, row: Endpoint, body: unknown): Asked['deserves'] {
  if (!usesKey(request)) return 'keyless';
  // Elsewhere `dryRun` is a member like any other that no section names.
  if (hasDryRun(row) && membersOf(body).dryRun === true) return 'dry';
  const isOwn = request.rawPath === undefined && request.method === undefined;
  return isOwn && isJsonSent(request) ? 'effect' : 'unknown';
}

/** Returns the outcome of a request, by its answer. */
export function outcomeOf({ row, deserves }: Asked, answer: Answer | undefined): Outcome {
  const status = answer?.status ?? 0;
  // A request without a key may be redirected.
  if (deserves === 'keyless' && status >= 300 && status < 500) return 'keyless';
  if (status >= 400 && status < 500) return 'refused';
  if (deserves === 'dry') return 'dry';
  return deserves === 'effect' && answer !== undefined && isAcceptedBy(row, answer) ? 'accepted' : 'unknown';
}
