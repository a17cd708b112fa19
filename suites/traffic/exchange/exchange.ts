/**
 * An exchange that somebody else made: a client's request and what a server answered, as they were on the wire or as a
 * recording holds them.
 */

/** What is kept of a body. */
export interface ObservedBody {
  /** The bytes, with transfer coding and content coding undone; the first of them where there were too many to keep. */
  readonly bytes: Uint8Array;
  /** So many there were. */
  readonly length: number;
  /** There were more than are kept, or the coding is broken: it cannot be judged. */
  readonly isCut: boolean;
}

/** Headers as they were sent: names as they were written, repeated ones repeated. */
export type ObservedHeaders = readonly (readonly [name: string, value: string])[];

/** A part that a recording does not hold. What is not known is never taken to be missing. */
export type Unknown = 'not recorded';

/** What a request and an answer have both. */
export interface ObservedMessage {
  readonly headers: ObservedHeaders | Unknown;
  /** Null where there is none. */
  readonly body: ObservedBody | Unknown | null;
}

/** A client's request. */
export interface ObservedRequest extends ObservedMessage {
  readonly method: string;
  /** Path and query as the target was asked for them, without the base path of the target. */
  readonly target: string;
}

/** A server's answer, the final one: what came before (1xx) is passed on and not judged. */
export interface ObservedResponse extends ObservedMessage {
  readonly status: number;
}

/** What came in the place of an answer. */
export interface NoAnswer {
  /** In words why there was none. */
  readonly failure: string;
  /**
   * The target ended the connection: one that was fresh, or on which the answer had begun (one that was
   * used before may be closed at any time: RFC 9112 section 9.5). Absent: nobody can tell whose doing it was.
   */
  readonly isDropped?: true;
}

/** An exchange, in the order in which exchanges ended. */
export interface ObservedExchange {
  /** From 1, in the order of the requests. */
  readonly number: number;
  /** Where it stands, for a person: `connection 3`, `tests.har entry 17`. */
  readonly source: string;
  readonly request: ObservedRequest;
  readonly response: ObservedResponse | NoAnswer;
  /** When the request began, where that is known; its times are those of the next two. */
  readonly beganAtMs?: number;
  /** When the request was complete and when the answer was, in milliseconds since the observation began. */
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** So many milliseconds the times may be too early, where a recording cuts them; absent: they are exact. */
  readonly coarseMs?: number;
}

/** Where observed exchanges go, one after another. Errors of a judge never reach those who observe. */
export interface ExchangeSink {
  observe(exchange: ObservedExchange): void;
}
