import type { Reply, WireRequest } from '../protocol/reply.ts';
import { parseBody } from './body.ts';
import { type Connection, createConnection, createPool } from './connection.ts';
import { type Exchanged, exchange, failureOf, tooLarge } from './exchange.ts';
import { createMutex, type Slot } from './mutex.ts';
import { createPace } from './pace.ts';

/** Where a client sends to, and its bounds. */
export interface ClientOptions {
  readonly baseUrl: URL;
  /** Milliseconds from sending a request to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly connections: number;
  /** Bytes of an answer, on the wire and unpacked. */
  readonly maxBodyBytes?: number;
  /** Requests per second; absent: as fast as answers come. */
  readonly rate?: number | undefined;
  /** Once it is aborted, requests that the target defers are not repeated. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to one origin. */
export interface HttpClient {
  send(request: WireRequest): Promise<Reply>;
  readonly sent: () => number;
  close(): Promise<void>;
}

/** Four megabytes: hundreds of pages of the default size. */
const defaultMaxBodyBytes = 4 * 1024 * 1024;

/** Seconds or a date (RFC 9110 section 10.2.3) → milliseconds to wait, or null when there is nothing to obey. */
export function retryAfterMs(value: string | string[] | undefined, now: number): number | null {
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return null;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** How long a target may defer one request: milliseconds at once, milliseconds in all, and how often. */
const most = { wait: 60_000, waited: 120_000, waits: 8 } as const;

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
 * A client for one target: a few kept-alive connections, one timer per request, answers bounded in size, nesting and
 * time. It never follows a redirect, so the key never reaches another origin; it obeys 429 and 503 with `Retry-After`
 * (RFC 9110 section 10.2.3, RFC 6585 section 4), and sends every request more slowly meanwhile.
 */
export function createHttpClient(options: ClientOptions): HttpClient {
  const { baseUrl, timeoutMs, connections } = options;
  const maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const connect = () => createConnection(baseUrl.origin, timeoutMs);
  const all = Array.from({ length: connections }, connect);
  const pool = createPool(all);
  const pace = createPace(options.rate);
  const enter = createMutex();
  let sent = 0;
  let resumeAt = 0;
  // Set when waiting did not help, until the target takes a request again: meanwhile no other request waits either.
  let hasGivenUp = false;

  /**
   * Sends a request, and once more where a kept-alive connection closed under it before the first byte of its answer.
   */
  async function once(connection: Connection, request: WireRequest, slot: Slot): Promise<Exchanged> {
    const options = { prefix, timeoutMs, maxBytes, slot };
    sent += 1;
    const closedInSilence = connection.mark();
    try {
      return await exchange(request, { ...options, via: connection.client });
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (!/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) || !closedInSilence()) throw error;
      const fresh = connect();
      try {
        return await exchange(request, { ...options, via: fresh.client });
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
      // The clock starts when a connection is free: waiting for one is no slowness of the target.
      const connection = await pool.take();
      const start = performance.now();
      const slot = enter();
      try {
        const { status, headers, bytes } = await once(connection, request, slot);
        if (isLimited({ status, headers })) {
          const wait = retryAfterMs(headers['retry-after'], Date.now()) ?? 250 * 2 ** waits;
          pace.limited(start, performance.now());
          waited += wait;
          hasGivenUp ||=
            options.signal?.aborted === true || waits >= most.waits || wait > most.wait || waited > most.waited;
          if (!hasGivenUp) {
            resumeAt = Math.max(resumeAt, performance.now() + wait);
            continue;
          }
        } else {
          hasGivenUp = false;
          pace.taken();
        }
        const coding = headers['content-encoding'];
        const body = parseBody(bytes, Array.isArray(coding) ? coding[0] : coding, maxBytes);
        if (body.kind === 'broken' && body.tooLarge === true) throw tooLarge(body.why);
        const durationMs = performance.now() - start;
        return { request, status, headers, body, bytes: bytes.length, failure: null, durationMs };
      } catch (error) {
        const failure = failureOf(error as Error, timeoutMs);
        const durationMs = performance.now() - start;
        return { request, status: 0, headers: {}, body: { kind: 'empty' }, bytes: 0, failure, durationMs };
      } finally {
        slot.leave();
        pool.give(connection);
      }
    }
  }

  const close = async () => {
    await Promise.all(all.map(({ client }) => client.destroy()));
  };
  return { send, sent: () => sent, close };
}
