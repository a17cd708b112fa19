import type { Failure, Reply, WireRequest } from '../protocol/reply.ts';
import type { Access } from '../protocol/sut.ts';
import { parseBody } from './body.ts';
import { type Connection, connectTo, createPool } from './connection.ts';
import { type Companion, createCrowd } from './crowd.ts';
import { createPace, isGatewayError, isLimited, mostDeferral, pause, retryAfterMs } from './deferral.ts';
import { createMutex, type Exchanged, exchange, type Slot } from './exchange.ts';
import { failureOf, tooLarge } from './failure.ts';

/** Where a client sends to, and its bounds. */
export interface ClientOptions {
  readonly baseUrl: URL;
  /** How the target is reached besides its URL; absent: directly. */
  readonly access?: Access | undefined;
  /** Milliseconds from sending a request to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly connections: number;
  /** Bytes of an answer, on the wire and unpacked. */
  readonly maxBodyBytes?: number;
  /** Requests per second; absent: as fast as answers come. */
  readonly rate?: number | undefined;
  /** Once it is aborted, requests that the target defers are not repeated. */
  readonly signal?: AbortSignal | undefined;
  /** Hand on what asks to come again later, and what a gateway answers for the server behind it, as it is. */
  readonly impatient?: boolean;
}

/** How a request may be sent again where the first one may have been carried out (RFC 9110 section 9.2.2). */
interface Repetition {
  /** Makes it anew, where two of the same would be in each other's way. Absent: the same is sent. */
  readonly anew?: () => WireRequest;
  /** It works only once: it is sent over a fresh connection, which cannot close before it arrives, and not repeated. */
  readonly once?: boolean;
  /** It is completed together with others. Sent again, it goes alone. */
  readonly companion?: Companion | undefined;
  /** Told of each try when it goes on the wire: from then on the target may have carried it out. */
  readonly begun?: (() => void) | undefined;
}

/** Sends requests to one origin. */
export type HttpClient = ReturnType<typeof createHttpClient>;

/** Four megabytes: hundreds of pages of the default size. */
const defaultMaxBodyBytes = 4 * 1024 * 1024;

/** Milliseconds before each further try of what a gateway refused. */
const gatewayPauses = [250, 1000] as const;

/** So many requests in a row that a gateway refused in every try, and tries follow at once. */
const mostInVain = 3;

const direct: Access = { headers: {}, tls: {}, proxy: null };

/**
 * A client for one target: a few kept-alive connections, one timer per request, answers bounded in size, nesting and
 * time. It never follows a redirect, so the key never reaches another origin; it obeys 429 and 503 with `Retry-After`
 * (RFC 9110 section 10.2.3, RFC 6585 section 4), and sends every request more slowly meanwhile. What a gateway refuses
 * (502, 503, 504) is tried three times; only what is seen each time is the answer.
 */
export function createHttpClient(options: ClientOptions) {
  const { baseUrl, access = direct, timeoutMs, connections, signal, impatient = false } = options;
  const maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const connect = connectTo(baseUrl, access, timeoutMs);
  const all = Array.from({ length: connections }, connect);
  const pool = createPool(all);
  const pace = createPace(options.rate);
  const enter = createMutex();
  const retries = { closed: 0, gateway: 0 };
  let sent = 0;
  let resumeAt = 0;
  // Set when waiting did not help, until the target takes a request again: meanwhile no other request waits either.
  let hasGivenUp = false;
  let inVain = 0;

  async function overFresh(request: WireRequest, slot: Slot, begun?: () => void): Promise<Exchanged> {
    const fresh = connect();
    try {
      begun?.();
      return await exchange(request, { prefix, timeoutMs, maxBytes, slot, via: fresh });
    } finally {
      void fresh.client.destroy();
    }
  }

  /**
   * Sends a request, and once more, made anew, where a kept-alive connection closed under it before the first byte of
   * its answer.
   */
  async function transmit(
    via: Connection,
    request: WireRequest,
    again: () => WireRequest,
    slot: Slot,
    { companion, begun }: Pick<Repetition, 'companion' | 'begun'>,
  ) {
    sent += 1;
    begun?.();
    const closedInSilence = via.mark();
    const hold = companion === undefined ? undefined : via.hold();
    if (hold !== undefined) companion?.arrive(hold);
    try {
      return await exchange(request, { prefix, timeoutMs, maxBytes, slot, via, hold });
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (!/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) || !closedInSilence()) throw error;
      retries.closed += 1;
      sent += 1;
      companion?.leave();
      return await overFresh(again(), slot, begun);
    } finally {
      hold?.release();
    }
  }

  /** Whether to wait for a target that puts a request off; the wait itself is that of all requests. */
  function defers({ headers }: Exchanged, start: number, waits: number, waited: { ms: number }): boolean {
    const wait = retryAfterMs(headers['retry-after'], Date.now()) ?? 250 * 2 ** waits;
    pace.limited(start, performance.now());
    waited.ms += wait;
    const { wait: longest, waited: inAll, waits: often } = mostDeferral;
    hasGivenUp ||= signal?.aborted === true || waits >= often || wait > longest || waited.ms > inAll;
    if (!hasGivenUp) resumeAt = Math.max(resumeAt, performance.now() + wait);
    return !hasGivenUp;
  }

  function replyOf(request: WireRequest, { status, headers, bytes }: Exchanged, start: number): Reply {
    const coding = headers['content-encoding'];
    const body = parseBody(bytes, Array.isArray(coding) ? coding[0] : coding, maxBytes);
    if (body.kind === 'broken' && body.tooLarge === true) throw tooLarge(body.why);
    const durationMs = performance.now() - start;
    return { request, status, headers, body, bytes: bytes.length, failure: null, durationMs };
  }

  function failed(request: WireRequest, failure: Failure, start: number): Reply {
    const durationMs = performance.now() - start;
    return { request, status: 0, headers: {}, body: { kind: 'empty' }, bytes: 0, failure, durationMs };
  }

  async function send(
    first: WireRequest,
    { anew = () => first, once = false, begun, ...given }: Repetition = {},
  ): Promise<Reply> {
    const waited = { ms: 0 };
    let request = first;
    let refusedByGateway = 0;
    let delay = 0;
    let attempts = 1;
    let { companion } = given;
    const again = (): WireRequest => {
      attempts += 1;
      request = anew();
      return request;
    };
    const counted = (reply: Reply): Reply => (attempts > 1 ? { ...reply, attempts } : reply);
    for (let waits = 0; ; ) {
      if (delay > 0) await pause(delay, signal);
      const held = Math.max(resumeAt - performance.now(), 0) + pace.wait(Math.max(resumeAt, performance.now()));
      if (held > 0) await pause(held, signal);
      // The clock starts when a connection is free: waiting for one is no slowness of the target.
      const connection = await (companion === undefined ? pool.take() : companion.connection());
      const start = performance.now();
      const slot = enter();
      try {
        if (once) sent += 1;
        const came = await (once
          ? overFresh(request, slot, begun)
          : transmit(connection, request, again, slot, { companion, begun }));
        delay = 0;
        if (isLimited(came) && !impatient) {
          if (defers(came, start, waits, waited)) {
            waits += 1;
            continue;
          }
        } else {
          hasGivenUp = false;
          pace.taken();
        }
        const isGateway = isGatewayError(came.status) && !isLimited(came);
        if (isGateway && !impatient && !once && refusedByGateway < gatewayPauses.length && signal?.aborted !== true) {
          delay = inVain < mostInVain ? (gatewayPauses[refusedByGateway] ?? 0) : 0;
          refusedByGateway += 1;
          again();
          continue;
        }
        if (isGateway) inVain += 1;
        else if (refusedByGateway > 0) {
          inVain = 0;
          retries.gateway += 1;
        }
        return counted(replyOf(request, came, start));
      } catch (error) {
        return counted(failed(request, failureOf(error as Error, timeoutMs), start));
      } finally {
        slot.leave();
        pool.give(connection);
        companion?.leave();
        companion = undefined;
      }
    }
  }

  return {
    send,
    /** So many requests are on the wire at the same time at most. */
    connections,
    /**
     * The companions of requests that are to be completed at the same moment, one for each, no more than `connections`.
     * Whoever does not send with one has to let it leave.
     */
    gather(size: number): readonly Companion[] {
      if (size > connections) throw new RangeError(`${size} requests at once over ${connections} connections`);
      return createCrowd(size, pool.takeAll);
    },
    /** Requests on the wire, each try counted. */
    sent: () => sent,
    /**
     * How many requests had to be sent again, other than those that the target put off: over a fresh connection, for a
     * reused one closed before the first byte of an answer; and after 502, 503 or 504, which a later try did not show.
     */
    retries: () => ({ ...retries }),
    async close(): Promise<void> {
      await Promise.all(all.map(({ client }) => client.destroy()));
    },
  };
}
