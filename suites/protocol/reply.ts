/** A parsed body, or why there is none to speak of. */
export type ParsedBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'broken';
      readonly why: string;
      readonly text: string;
      /** It holds more than is read; nobody knows whether it is broken. */
      readonly tooLarge?: true;
      /** It is nested deeper than is read; nobody knows whether it is broken. */
      readonly tooDeep?: true;
    };

/** A request as it goes on the wire. `path` is relative to the base URL, already encoded, query included. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** The body is sent in pieces, without its length. */
  readonly chunked?: true;
}

/** What kind of failure left a request without an HTTP answer. */
export type FailureKind = 'timeout' | 'refused' | 'dropped' | 'garbage' | 'too-large';

/** What keeps a connection from being made, where whoever runs the suite can mend it. */
export type Obstacle =
  /** Nobody listens there, or not yet. */
  | 'nobody'
  /** The host name is not known. */
  | 'unknown-host'
  /** The certificate was not issued by an authority that is trusted. */
  | 'untrusted'
  /** The certificate is for other host names. */
  | 'other-name'
  /** The certificate is not valid any more, or not yet. */
  | 'out-of-date'
  /** The target asks for a certificate of the client. */
  | 'client-certificate'
  /** https is spoken to a port that speaks http. */
  | 'speaks-http'
  /** http is spoken to a port that speaks https. */
  | 'speaks-https'
  /** The proxy does not let the connection through. */
  | 'proxy';

/** Why there is no answer. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly obstacle?: Obstacle;
}

/** An HTTP answer, complete and bounded, or the failure to get one. */
export interface Reply {
  readonly request: WireRequest;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: ParsedBody;
  readonly bytes: number;
  readonly failure: Failure | null;
  readonly durationMs: number;
  /** How often it was sent, where more than once: the answers to all but the last got lost, or were no answers. */
  readonly attempts?: number;
}
