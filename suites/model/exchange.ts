import type { Endpoint } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { membersOf } from '../../contracts/json.ts';
import { type Answer, type ApiRequest, isAcceptedBy } from '../protocol/answer.ts';
import type { Moment, Outcome, Write } from './knowledge.ts';

/** A request went on the wire. */
export interface BegunEvent {
  readonly kind: 'begun';
  /** Its own, of all requests. */
  readonly number: number;
  /** Milliseconds that never go back. */
  readonly atMs: number;
  readonly request: ApiRequest;
  /** The body that was sent. */
  readonly sent: Json | undefined;
}

/** Its answer came. */
export interface AnsweredEvent {
  readonly kind: 'answered';
  readonly number: number;
  /** Earlier tries, whose answers were lost: whether they were carried out is not known. */
  readonly lost: readonly number[];
  readonly atMs: number;
  readonly answer: Answer;
}

/** What is known before the first exchange. */
export interface ModelOptions {
  /** So long what was written may take to show, in milliseconds. */
  readonly settleMs: number;
  /** Marks the names of what our own requests create; absent: nothing does. */
  readonly token?: string;
  /** Nobody else writes: what nobody of ours sent is the service's doing. */
  readonly isSoleWriter?: boolean;
  /**
   * The requests are those of others: what they send may have stood anywhere before, what was written just before the first
   * may not show yet, and how late answers are is given, not measured.
   */
  readonly isWatching?: boolean;
  /** What is sent is made of a seed: an earlier run may have left the same texts, and only those with the token are ours. */
  readonly isSeeded?: boolean;
  /** The operations; those of the specification when absent. */
  readonly rowOf?: (id: EndpointId) => Endpoint;
}

/** A request that is under way. */
export interface Asked {
  readonly number: number;
  readonly row: Endpoint;
  readonly endpoint: EndpointId;
  readonly param: string;
  readonly body: unknown;
  /** It carries parameters beside those of pages: they may choose what is listed. */
  readonly isFiltered: boolean;
  /** What it may do by itself: a request without the key, a dry run or one under another path may do nothing. */
  readonly deserves: 'effect' | 'keyless' | 'dry' | 'unknown';
  readonly begun: Moment;
  /** It may change something, by its method. */
  readonly isWrite: boolean;
  readonly writes: readonly Write[];
}

const isKeyless = ({ key = { kind: 'valid' } }: ApiRequest): boolean => key.kind === 'none' || key.kind === 'value';

/** True of a body that goes as JSON: of what another content type means nothing is stated. */
const isJsonSent = ({ contentType }: ApiRequest): boolean =>
  contentType === undefined || /json/i.test(contentType ?? '');

/** True of a request with parameters beside those of pages. */
export const isFiltered = ({ query = {} }: ApiRequest): boolean =>
  Object.keys(query).some(name => name !== 'page' && name !== 'limit');

/** What a request may do by itself. */
export function deservesOf(request: ApiRequest, body: unknown): Asked['deserves'] {
  if (isKeyless(request)) return 'keyless';
  if (membersOf(body).dryRun === true) return 'dry';
  const isOwn = request.rawPath === undefined && request.method === undefined;
  return isOwn && isJsonSent(request) ? 'effect' : 'unknown';
}

/** What became of a request, by its answer. */
export function outcomeOf({ row, deserves }: Asked, answer: Answer | undefined): Outcome {
  const status = answer?.status ?? 0;
  // Whoever has no key may be sent elsewhere.
  if (deserves === 'keyless' && status >= 300 && status < 500) return 'keyless';
  if (status >= 400 && status < 500) return 'refused';
  if (deserves === 'dry') return 'dry';
  return deserves === 'effect' && answer !== undefined && isAcceptedBy(row, answer) ? 'accepted' : 'unknown';
}
