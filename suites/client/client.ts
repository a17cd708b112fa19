import type { Reply, WireRequest } from '../protocol/reply.ts';
import type { Access } from '../protocol/sut.ts';
import { failedReply, replyOf } from './body.ts';
import { type Connection, connectTo, createPool } from './connection.ts';
import { type Companion, createCrowd } from './crowd.ts';
import {
  createLocks,
  createPace,
  createRestarts,
  isGatewayError,
  isLimited,
  mostDeferral,
  pause,
  retryAfterMs,
} from './deferral.ts';
import { createMutex, type Exchanged, exchange, type Slot } from './exchange.ts';
import { failureOf } from './failure.ts';

/** The target and the limits of a client. */
export interface ClientOptions {
  readonly baseUrl: URL;
  /** Headers, TLS and proxy of the target; absent: direct access. */
  readonly access?: Access | undefined;
  /** Milliseconds from sending a request to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly connections: number;
  /** Maximum size of an answer, on the wire and unpacked. */
  readonly maxBodyBytes?: number;
  /** Maximum number of requests per second; absent: unlimited. */
  readonly rate?: number | undefined;
  /** When aborted, deferred requests are not repeated. */
  readonly signal?: AbortSignal | undefined;
  /** Do not retry 429 or 502–504; return them to the caller. */
  readonly impatient?: boolean;
  /** Maximum number of milliseconds to wait for a target that defers requests, all together; absent: no such limit. */
  readonly patienceMs?: number | undefined;
}

/** Options for repeating a request that may have been carried out (RFC 9110 section 9.2.2). */
interface Repetition {
  /** Builds the request anew, so that two identical ones do not conflict. Absent: the same is sent. */
  readonly anew?: () => WireRequest;
  /** A one-shot request: sent over a fresh connection, which cannot close before it arrives, and never repeated. */
  readonly once?: boolean;
  /** Completes the request together with others. Repetitions go alone. */
  readonly companion?: Companion | undefined;
  /** Called when an attempt goes on the wire: from then on the target may have carried it out. */
  readonly begun?: (() => void) | undefined;
}

/** Sends requests to one origin. */
export type HttpClient = ReturnType<typeof createHttpClient>;

/** Four megabytes: hundreds of pages of the default size. */
const defaultMaxBodyBytes = 4 * 1024 * 1024;

/** Milliseconds before each retry after a gateway error. */
const gatewayPauses = [250, 1000] as const;

/** Number of consecutive requests failed by a gateway in every attempt, after which retries follow without a pause. */
const mostInVain = 3;

const direct: Access = { headers: {}, tls: {}, proxy: null };

/**
 * Returns a client for one target: a few kept-alive connections, one timer per request, answers bounded in size,
 * nesting and time. It follows no redirect, so the key reaches no other origin. It obeys 429 and 503 with `Retry-After`
 * (RFC 9110 section 10.2.3), slowing down meanwhile. It repeats a request that meets a conflict or a lock while that
 * helps, waits for a target that nobody listens for any more, and returns 502, 503 and 504 only after three attempts.
 */
export function createHttpClient(options: ClientOptions) {
  const { baseUrl, access = direct, timeoutMs, connections, signal, impatient = false } = options;
  const { patienceMs = Number.POSITIVE_INFINITY } = options;
  const maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const connect = connectTo(baseUrl, access, timeoutMs);
  const all = Array.from({ length: connections }, connect);
  const pool = createPool(all);
  const pace = createPace(options.rate);
  const conflictMs = createLocks();
  const enter = createMutex();
  const retries = { closed: 0, gateway: 0 };
  let sent = 0;
  let resumeAt = 0;
  // Set when waiting did not help, until the target accepts a request again: meanwhile no request waits.
  let hasGivenUp = false;
  let inVain = 0;
  // Milliseconds that went by with requests that were deferred to the end, and until when they are counted.
  const lost = { ms: 0, until: 0 };
  let waitedInAll = 0;
  const restarts = createRestarts();

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
   * Sends a request. If a kept-alive connection closes before the first byte of the answer, sends it once more, made
   * anew.
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

  /** Returns true if the client should wait for a target that defers a request; the wait applies to all requests. */
  function defers({ headers }: Exchanged, start: number, waits: number, waited: Record<'ms' | 'since', number>) {
    const told = retryAfterMs(headers, Date.now());
    const wait = told ?? 250 * 2 ** waits;
    const now = performance.now();
    pace.limited(start, now, told !== null);
    waited.ms += wait;
    const { wait: longest, waited: inAll, waits: often, inVain: allInVain } = mostDeferral;
    const isUsedUp = waits >= often || wait > longest || waited.ms > inAll;
    if (isUsedUp) {
      // Requests that wait at the same time count once.
      lost.ms += now - Math.max(waited.since, lost.until);
      lost.until = now;
    }
    const later = Math.max(resumeAt, now + wait);
    const more = later - Math.max(resumeAt, now);
    hasGivenUp ||= signal?.aborted === true || isUsedUp || lost.ms > allInVain || waitedInAll + more > patienceMs;
    if (hasGivenUp) return false;
    resumeAt = later;
    waitedInAll += more;
    return true;
  }

  async function send(
    first: WireRequest,
    { anew = () => first, once = false, begun, ...given }: Repetition = {},
  ): Promise<Reply> {
    const waited = { ms: 0, since: performance.now() };
    let request = first;
    let refusedByGateway = 0;
    let delay = 0;
    const met = { times: 0, ms: 0, isAlone: !once && given.companion === undefined };
    let attempts = 1;
    let { companion } = given;
    const again = (): WireRequest => {
      attempts += 1;
      request = anew();
      return request;
    };
    let waits = 0;
    const counted = (reply: Reply): Reply =>
      Object.assign(reply, attempts > 1 && { attempts }, waits > 0 && { deferrals: waits });
    for (;;) {
      if (delay > 0) await pause(delay, signal);
      const held = Math.max(resumeAt - performance.now(), 0) + pace.wait(Math.max(resumeAt, performance.now()));
      if (held > 0) await pause(held, signal);
      // Start the timer when a connection is free: waiting for one is not the target's time.
      const connection = await (companion === undefined ? pool.take() : companion.connection());
      const start = performance.now();
      const slot = enter();
      try {
        if (once) sent += 1;
        const came = await (once
          ? overFresh(request, slot, begun)
          : transmit(connection, request, again, slot, { companion, begun }));
        delay = 0;
        restarts.answered();
        const conflict = impatient || attempts > 1 ? null : conflictMs(came, Date.now(), met);
        if (conflict !== null && signal?.aborted !== true && waitedInAll + conflict <= patienceMs) {
          waitedInAll += conflict;
          delay = conflict;
          continue;
        }
        if (isLimited(came) && !impatient) {
          if (defers(came, start, waits, waited)) {
            waits += 1;
            // Unlike a 429, a 503 does not tell whether the request was carried out.
            if (came.status !== 429) again();
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
        return counted(replyOf(request, came, maxBytes, start));
      } catch (error) {
        const absence = restarts.waitMs(error as Error, performance.now());
        if (absence !== null && !impatient && signal?.aborted !== true && waitedInAll + absence <= patienceMs) {
          waitedInAll += absence;
          delay = absence;
          continue;
        }
        return counted(failedReply(request, failureOf(error as Error, timeoutMs), start));
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
    /** Maximum number of requests on the wire at the same time. */
    connections,
    /**
     * Returns companions for requests to be completed at the same moment, one each, at most `connections`. Call `leave`
     * on an unused companion.
     */
    gather(size: number): readonly Companion[] {
      if (size > connections) throw new RangeError(`${size} requests at once over ${connections} connections`);
      return createCrowd(size, pool.takeAll);
    },
    /** Number of requests on the wire, counting each attempt. */
    sent: () => sent,
    /**
     * Number of repeated requests, except deferred ones. `closed`: a kept-alive connection closed before the first byte
     * of the answer. `gateway`: a later attempt got an answer other than 502, 503 or 504.
     */
    retries: () => ({ ...retries }),
    async close(): Promise<void> {
      await Promise.all(all.map(({ client }) => client.destroy()));
    },
  };
}
