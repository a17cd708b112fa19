import type { Dispatcher } from 'undici';
import { type ParsedBody, parseBody } from './body.ts';
import { type Connection, createConnection } from './connection.ts';
import { createPace } from './pace.ts';

/** A request as it goes on the wire. `path` is relative to the base URL, already encoded, query included. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** What kind of failure left a request without an HTTP answer. */
export type FailureKind = 'timeout' | 'refused' | 'dropped' | 'garbage' | 'too-large';

/** Why there is no answer. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
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
}

/** Bounds and manners of a client. */
export interface ClientOptions {
  readonly baseUrl: URL;
  /** Milliseconds from sending a request to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly connections: number;
  /** Bytes of an answer, on the wire and unpacked. */
  readonly maxBodyBytes?: number;
  /** Requests per second; absent: as fast as answers come. */
  readonly rate?: number | undefined;
  /** Once it is aborted nobody waits any more: what a target puts off is given up. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to one origin. */
export interface HttpClient {
  send(request: WireRequest): Promise<Reply>;
  readonly sent: () => number;
  close(): Promise<void>;
}

const defaultMaxBodyBytes = 8 * 1024 * 1024;

/** Puts an error of the transport into one of five kinds, in words a reader knows. */
export function failureOf(error: Error & { code?: string }, timeoutMs: number): Failure {
  const code = error.code ?? '';
  if (code === 'CONFORM_TIMEOUT') return { kind: 'timeout', message: `no complete answer within ${timeoutMs} ms` };
  if (code === 'CONFORM_TOO_LARGE') return { kind: 'too-large', message: error.message };
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code)) {
    return { kind: 'timeout', message: `no complete answer within ${timeoutMs} ms` };
  }
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) {
    return { kind: 'refused', message: `no connection (${code})` };
  }
  if (error.name === 'HTTPParserError' || /^HPE_|^UND_ERR_(RESPONSE|HEADERS_OVERFLOW|RES_)/.test(code)) {
    return { kind: 'garbage', message: `the answer is not HTTP: ${error.message.slice(0, 160)}` };
  }
  return {
    kind: 'dropped',
    message: `the connection closed without an answer (${code || error.message.slice(0, 160)})`,
  };
}

interface Exchanged {
  status: number;
  headers: Reply['headers'];
  bytes: Buffer;
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** So many milliseconds after its time a timer is late. */
const latest = 50;

const tooLarge = (bytes: number, how = ''): Error =>
  coded('CONFORM_TOO_LARGE', `the ${how}answer is longer than ${bytes} bytes`);

/** One request over one dispatcher, with one timer over the whole of it and a cap on the bytes it may bring. */
function exchange(
  via: Dispatcher,
  request: WireRequest,
  prefix: string,
  timeoutMs: number,
  maxBytes: number,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Reply['headers'] = {};
    let size = 0;
    let expired = false;
    const chunks: Buffer[] = [];
    const due = performance.now() + timeoutMs;
    const expire = (): void => {
      // A timer that comes late was held up by this process: what the target said meanwhile has not been read yet.
      if (performance.now() - due > latest && !late) {
        late = true;
        timer = setTimeout(expire, timeoutMs);
        return;
      }
      expired = true;
      const error = coded('CONFORM_TIMEOUT', 'timeout');
      controller?.abort(error);
      reject(error);
    };
    let late = false;
    let timer = setTimeout(expire, timeoutMs);
    via.dispatch(
      {
        method: request.method as Dispatcher.HttpMethod,
        path: `${prefix}${request.path}`,
        headers: request.headers,
        body: request.body ?? null,
      },
      {
        onRequestStart(given) {
          controller = given;
          if (expired) given.abort(coded('CONFORM_TIMEOUT', 'timeout'));
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          if (statusCode < 200) return;
          status = statusCode;
          headers = responseHeaders;
        },
        onResponseData(given, chunk) {
          size += chunk.length;
          if (size > maxBytes) {
            given.abort(tooLarge(maxBytes));
            return;
          }
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, headers, bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}

/** A fair queue for the connections of a client: one request each at a time. */
function createSwitchboard(connections: readonly Connection[]): {
  take(): Connection | Promise<Connection>;
  give(connection: Connection): void;
} {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  return {
    // The one used last comes first, so that no more are opened than are needed at once.
    take: () => free.pop() ?? new Promise(resolve => waiting.push(resolve)),
    give(connection) {
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else next(connection);
    },
  };
}

/** Seconds or a date (RFC 9110 section 10.2.3) → milliseconds to wait, or null when there is nothing to obey. */
export function retryAfterMs(value: string | string[] | undefined, now: number): number | null {
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return null;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The longest single wait that a target may ask for before the suite gives up on the request, and all its waits together, in milliseconds. */
const longestWait = 60_000;
const longestPatience = 120_000;
const mostWaits = 8;

/** True of an answer that asks to come again later (RFC 6585 section 4, RFC 9110 section 15.6.4). */
export const isLimited = ({ status, headers }: Pick<Reply, 'status' | 'headers'>): boolean =>
  status === 429 || (status === 503 && headers['retry-after'] !== undefined);

/** Waits; an abort ends it early. */
const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    if (signal?.aborted === true) done();
  });

/**
 * A client for one target: a few kept-alive connections, one timer per request, answers bounded in size, nesting and time. It never follows a redirect, so the key never
 * reaches another origin; it obeys 429 and 503 with `Retry-After` (RFC 9110 section 10.2.3, RFC 6585 section 4) and slows down for everybody meanwhile.
 */
export function createHttpClient(options: ClientOptions): HttpClient {
  const { baseUrl, timeoutMs, connections } = options;
  const maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const connect = () => createConnection(baseUrl.origin, timeoutMs);
  const lines = Array.from({ length: connections }, connect);
  const switchboard = createSwitchboard(lines);
  const pace = createPace(options.rate);
  let sent = 0;
  let resumeAt = 0;
  // Set when waiting did not help, until the target takes a request again: others are not kept waiting for nothing.
  let hopeless = false;

  /** Sends a request; a kept-alive connection that closed under it before the first byte of an answer is the one case that is tried again. */
  async function once(via: Connection, request: WireRequest): Promise<Exchanged> {
    sent += 1;
    const closedInSilence = via.mark();
    try {
      return await exchange(via.client, request, prefix, timeoutMs, maxBytes);
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (!/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) || !closedInSilence()) throw error;
      const fresh = connect();
      try {
        return await exchange(fresh.client, request, prefix, timeoutMs, maxBytes);
      } finally {
        void fresh.client.destroy();
      }
    }
  }

  async function send(request: WireRequest): Promise<Reply> {
    let waited = 0;
    for (let waits = 0; ; waits += 1) {
      const held = Math.max(resumeAt - performance.now(), 0) + pace.wait(Math.max(resumeAt, performance.now()));
      if (held > 0) await pause(held, options.signal);
      // The clock starts when a connection is free: waiting for one's own turn is no slowness of the target.
      const line = await switchboard.take();
      const start = performance.now();
      try {
        const { status, headers, bytes } = await once(line, request);
        if (isLimited({ status, headers })) {
          const wait = retryAfterMs(headers['retry-after'], Date.now()) ?? 250 * 2 ** waits;
          pace.limited(start, performance.now());
          waited += wait;
          hopeless ||=
            options.signal?.aborted === true || waits >= mostWaits || wait > longestWait || waited > longestPatience;
          if (!hopeless) {
            resumeAt = Math.max(resumeAt, performance.now() + wait);
            continue;
          }
        } else {
          hopeless = false;
          pace.taken();
        }
        const coding = headers['content-encoding'];
        const body = parseBody(bytes, Array.isArray(coding) ? coding[0] : coding, maxBytes);
        if (body.kind === 'broken' && body.tooLarge === true) throw tooLarge(maxBytes, 'unpacked ');
        return {
          request,
          status,
          headers,
          body,
          bytes: bytes.length,
          failure: null,
          durationMs: performance.now() - start,
        };
      } catch (error) {
        return {
          request,
          status: 0,
          headers: {},
          body: { kind: 'empty' },
          bytes: 0,
          failure: failureOf(error as Error, timeoutMs),
          durationMs: performance.now() - start,
        };
      } finally {
        switchboard.give(line);
      }
    }
  }

  const close = async () => {
    await Promise.all(lines.map(({ client }) => client.destroy()));
  };
  return { send, sent: () => sent, close };
}
