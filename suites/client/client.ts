import type { Reply, WireRequest } from '../protocol/reply.ts';
import type { Access } from '../protocol/sut.ts';
import { failedReply, replyOf } from './body.ts';
import { type Connection, connectTo, createPool } from './connection.ts';
import { type Companion, createCrowd } from './crowd.ts';
import {
  createDeferrals,
  createLocks,
  createPace,
  createRestarts,
  isGatewayError,
  isLimited,
  mayPass,
  pause,
} from './deferral.ts';
import { createMutex, type Exchanged, exchange, type Slot } from './exchange.ts';
import { failureOf, isNobody } from './failure.ts';
import { createOutages, type Look, seenBy, seenIn } from './outages.ts';

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
  /** Reads that the target answered another client, see `createOutages`; absent: none is known yet. */
  readonly readsBefore?: readonly WireRequest[] | undefined;
  /** Milliseconds for which a target that is away is waited for; absent: five seconds. */
  readonly outageMs?: number | undefined;
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

const direct: Access = { headers: {}, tls: {}, proxy: null };

/**
 * Returns a client for one target: a few kept-alive connections, one timer per request, answers bounded in size,
 * nesting and time. It follows no redirect, so the key reaches no other origin. It obeys 429 and 503 with `Retry-After`
 * (RFC 9110 section 10.2.3), slowing down meanwhile. It repeats a request that meets a conflict or a lock while that
 * helps, and one that a gateway fails three times; it waits for a target that is away as a whole, see `createOutages`.
 */
export function createHttpClient(options: ClientOptions) {
  const { baseUrl, access = direct, timeoutMs, connections, signal, impatient = false } = options;
  const maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const connect = connectTo(baseUrl, access, timeoutMs);
  const all = Array.from({ length: connections }, connect);
  const pool = createPool(all);
  const pace = createPace(options.rate);
  const conflictMs = createLocks();
  const enter = createMutex();
  const retries = { closed: 0, gateway: 0 };
  const deferrals = createDeferrals(pace, options);
  const restarts = createRestarts();
  const outages = createOutages(look, options);
  let sent = 0;

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

  async function look(read: WireRequest): Promise<Look> {
    const slot = enter();
    sent += 1;
    try {
      return seenIn(await overFresh(read, slot));
    } catch (error) {
      return seenBy(failureOf(error as Error, timeoutMs));
    } finally {
      slot.leave();
    }
  }

  async function send(
    first: WireRequest,
    { anew = () => first, once = false, begun, ...given }: Repetition = {},
  ): Promise<Reply> {
    const deferred = { waits: 0, ms: 0, since: performance.now() };
    let request = first;
    const gateways = { errors: 0, outages: 0, isChecked: false };
    let delay = 0;
    const met = { times: 0, ms: 0, isAlone: !once && given.companion === undefined };
    let attempts = 1;
    let { companion } = given;
    const again = (): WireRequest => {
      attempts += 1;
      request = anew();
      return request;
    };
    const counted = (reply: Reply, absence?: 'away' | 'was-away'): Reply => {
      const cutShort = signal?.aborted === true && mayPass(reply) ? 'interrupted' : absence;
      const { waits } = deferred;
      return Object.assign(
        reply,
        attempts > 1 && { attempts },
        waits > 0 && { deferrals: waits },
        cutShort && { cutShort },
      );
    };
    for (;;) {
      if (delay > 0) await pause(delay, signal);
      delay = 0;
      const resumeAt = deferrals.resumeAt();
      const held = resumeAt - performance.now() + pace.wait(resumeAt);
      if (held > 0) await pause(held, signal);
      // Start the timer when a connection is free: waiting for one is not the target's time.
      const connection = await (companion === undefined ? pool.take() : companion.connection());
      const start = performance.now();
      const slot = enter();
      let reply: Reply;
      try {
        if (once) sent += 1;
        const came = await (once
          ? overFresh(request, slot, begun)
          : transmit(connection, request, again, slot, { companion, begun }));
        restarts.answered();
        const conflict = impatient || attempts > 1 ? null : conflictMs(came, Date.now(), met);
        if (deferrals.allows(conflict)) {
          delay = conflict;
          continue;
        }
        if (isLimited(came) && !impatient) {
          if (deferrals.defers(came, start, deferred)) {
            // Unlike a 429, a 503 does not tell whether the request was carried out.
            if (came.status !== 429) again();
            continue;
          }
        } else {
          deferrals.taken();
          pace.taken();
        }
        const isGateway = isGatewayError(came.status) && !isLimited(came);
        const retry = isGateway && !impatient && !once ? outages.retryMs(gateways) : null;
        if (retry !== null) {
          delay = retry;
          again();
          continue;
        }
        reply = replyOf(request, came, maxBytes, start);
        if (!isGateway) {
          if (gateways.errors > 0) {
            outages.passed();
            retries.gateway += 1;
          }
          if (!isLimited(came)) outages.answered(request, reply, start);
          return counted(reply);
        }
      } catch (error) {
        const absence = restarts.waitMs(error as Error, performance.now());
        if (!impatient && deferrals.allows(absence)) {
          delay = absence;
          continue;
        }
        reply = failedReply(request, failureOf(error as Error, timeoutMs), start);
        if (reply.failure !== null && !isNobody(reply.failure)) return counted(reply);
      } finally {
        slot.leave();
        pool.give(connection);
        companion?.leave();
        companion = undefined;
      }
      const verdict = impatient ? 'own' : await outages.after(request, gateways);
      if (verdict === 'lasting') return counted(reply, 'away');
      if (verdict === 'own' || once) return counted(reply, verdict === 'over' ? 'was-away' : undefined);
      again();
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
    /** Number of times that the whole target was away and came back. What was sent meanwhile was sent again. */
    outages: () => outages.over() + restarts.over(),
    /** Returns reads that were answered, for another client of the same target. */
    reads: outages.reads,
    async close(): Promise<void> {
      await Promise.all(all.map(({ client }) => client.destroy()));
    },
  };
}
