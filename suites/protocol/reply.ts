/** A parsed body, or why it could not be parsed. */
export type ParsedBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'broken';
      readonly why: string;
      readonly text: string;
      /** It exceeds the size that is read, and may or may not be broken. */
      readonly tooLarge?: true;
      /** It exceeds the nesting that is read, and may or may not be broken. */
      readonly tooDeep?: true;
    };

/** A request as it goes on the wire. `path` is relative to the base URL, encoded, query included. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** The body is sent in chunks, without its length. */
  readonly chunked?: true;
}

/** The kind of failure that left a request without an HTTP answer. */
export type FailureKind = 'timeout' | 'refused' | 'dropped' | 'garbage' | 'too-large';

/** The obstacle to a connection, if the user of the suite can remove it. */
export type Obstacle =
  /** Nobody listens there, or not yet. */
  | 'nobody'
  /** The host name is unknown. */
  | 'unknown-host'
  /** The network of the suite's machine does not lead there, or its resources are used up. */
  | 'network'
  /** The certificate was not issued by a trusted authority. */
  | 'untrusted'
  /** The certificate is for other host names. */
  | 'other-name'
  /** The certificate has expired, or is not valid yet. */
  | 'out-of-date'
  /** The target demands a client certificate. */
  | 'client-certificate'
  /** The client speaks https to an http port. */
  | 'speaks-http'
  /** The client speaks http to an https port. */
  | 'speaks-https'
  /** The proxy refuses the connection. */
  | 'proxy';

/** Why there is no answer. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly obstacle?: Obstacle;
}

/** A complete, bounded HTTP answer, or the failure to get one. */
export interface Reply {
  readonly request: WireRequest;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: ParsedBody;
  readonly bytes: number;
  readonly failure: Failure | null;
  readonly durationMs: number;
  /** Number of attempts, if more than one: earlier answers were lost or unusable. */
  readonly attempts?: number;
  /** Number of times that the target put the request off before it answered this, if it did. */
  readonly deferrals?: number;
  /**
   * Why it says nothing about the target: the run was interrupted before the request could be sent again, or the whole
   * target is away; or it was away, and the request cannot be sent again.
   */
  readonly cutShort?: 'interrupted' | 'away' | 'was-away';
}
