/**
 * An exchange that was observed, not sent by the suite: a client's request and the server's answer, live or from a
 * recording.
 */

/** The part of a body that is kept. */
export interface ObservedBody {
  /** The bytes after transfer and content coding were undone; only the first ones if there were too many. */
  readonly bytes: Uint8Array;
  /** The full length in bytes. */
  readonly length: number;
  /** True if bytes are missing or the coding is broken: the body cannot be judged. */
  readonly isCut: boolean;
}

/** Headers as sent: names in their original case, repeated headers repeated. */
export type ObservedHeaders = readonly (readonly [name: string, value: string])[];

/** Marks a part that a recording does not hold. Never treat it as absent. */
export type Unknown = 'not recorded';

/** The parts that requests and answers share. */
export interface ObservedMessage {
  readonly headers: ObservedHeaders | Unknown;
  /** Null if there is no body. */
  readonly body: ObservedBody | Unknown | null;
}

/** A client's request. */
export interface ObservedRequest extends ObservedMessage {
  readonly method: string;
  /** Path and query as requested, without the base path of the target. */
  readonly target: string;
}

/** A server's final answer. Interim answers (1xx) are passed on and not judged. */
export interface ObservedResponse extends ObservedMessage {
  readonly status: number;
}

/** The failure that took the place of an answer. */
export interface NoAnswer {
  /** The reason, in words. */
  readonly failure: string;
  /**
   * True if the target dropped a fresh connection, or one on which the answer had begun. A reused idle connection may
   * be closed at any time (RFC 9112 section 9.5). Absent: it is unknown who closed the connection.
   */
  readonly isDropped?: true;
}

/** A request with its answer or failure. */
export interface ObservedExchange {
  /** From 1, in the order of the requests. */
  readonly number: number;
  /** The origin, for people: `connection 3`, `tests.har entry 17`. */
  readonly source: string;
  readonly request: ObservedRequest;
  readonly response: ObservedResponse | NoAnswer;
  /** When the request began, if known, on the clock of `sentAtMs`. */
  readonly beganAtMs?: number;
  /** When the request and the answer were complete, in milliseconds since the observation began. */
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** The times may be this many milliseconds too early because the recording truncates them; absent: they are exact. */
  readonly coarseMs?: number;
}

/** Takes observed exchanges one by one. Must never throw to the observer. */
export interface ExchangeSink {
  observe(exchange: ObservedExchange): void;
}

type Headers = ObservedMessage['headers'];

/** Returns the headers of a message; none if they are not recorded. */
export const knownIn = (headers: Headers): ObservedHeaders => (headers === 'not recorded' ? [] : headers);

/** Returns the values of a header as written (RFC 9110 section 5.2). `name` is in lower case. */
export const valuesOf = (headers: Headers, name: string): readonly string[] =>
  knownIn(headers).flatMap(([own, value]) => (own.toLowerCase() === name ? value : []));

/** Returns the members of a list header in lower case (RFC 9110 section 5.6.1). `name` is in lower case. */
export const listIn = (headers: Headers, name: string): readonly string[] =>
  valuesOf(headers, name)
    .flatMap(value => value.split(','))
    .map(member => member.trim().toLowerCase())
    .filter(member => member !== '');

/** True if a header is present and not blank. `name` is in any letter case. */
export const isFilled = (headers: Headers, name: string): boolean =>
  valuesOf(headers, name.toLowerCase()).some(value => value.trim() !== '');

/** Returns the headers of a flat list of alternating names and values, such as Node's `rawHeaders`. */
export const pairsOf = (raw: readonly unknown[]): ObservedHeaders =>
  Array.from({ length: raw.length >> 1 }, (_, index) => [String(raw[2 * index]), String(raw[2 * index + 1])]);
