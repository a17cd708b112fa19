import type { Reply, WireRequest } from '../protocol/reply.ts';
import type { Access } from '../protocol/sut.ts';
import { defaultMaxBodyBytes, failedReply, replyOf, unsentReply } from './body.ts';
import { type Connection, connectTo, createPool } from './connection.ts';
import { type Companion, createCrowd } from './crowd.ts';
import { createDeferrals, createLocks, createPace, isGatewayError, isLimited, mayPass, pause } from './deferral.ts';
import { createDrops } from './drops.ts';
import { createMutex, createTransmission, type Exchanged, type Repetition, type Slot } from './exchange.ts';
import { failureOf, isOnTheWay, isUnreached } from './failure.ts';
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
  /** When aborted, nothing more is sent, neither what waits for its turn nor what would be repeated. */
  readonly signal?: AbortSignal | undefined;
  /** Do not retry 429 or 502–504; return them to the caller. */
  readonly impatient?: boolean;
  /** Reads that the target answered another client, see `createOutages`; absent: none is known yet. */
  readonly readsBefore?: readonly WireRequest[] | undefined;
  /** Maximum number of milliseconds to wait for a target that defers requests, all together; absent: no such limit. */
  readonly patienceMs?: number | undefined;
}

// 'own': what came is the request's own. 'alone': it may be another's, so this one is sent again while no other is under
// way. 'away': the target is; 'was-away': it was, and the request is not repeated.
type Verdict = 'own' | 'again' | 'alone' | 'away' | 'was-away';

/** What came of one attempt. */
interface Attempt {
  readonly reply: Reply;
  readonly verdict: Verdict | Promise<Verdict | Reply>;
}

/** Sends requests to one origin. */
export type HttpClient = ReturnType<typeof createHttpClient>;

/**
 * Returns a client for one target: a few kept-alive connections, one timer per request, answers bounded in size,
 * nesting and time. It follows no redirect, so the key reaches no other origin. It obeys 429 and 503 with `Retry-After`
 * (RFC 9110 section 10.2.3), slowing down meanwhile. It repeats a request that meets a conflict or a lock while that
 * helps, and one that a gateway fails three times; it waits for a target that is away as a whole, see `createOutages`.
 */
export function createHttpClient(options: ClientOptions) {
  const { baseUrl, access, timeoutMs, connections, signal, impatient = false } = options;
  const limits = { timeoutMs, maxBytes: options.maxBodyBytes ?? defaultMaxBodyBytes };
  const connect = connectTo(baseUrl, access, timeoutMs);
  const all = Array.from({ length: connections }, connect);
  const pool = createPool(all);
  const wire = createTransmission(connect, { ...limits, prefix: baseUrl.pathname.replace(/\/+$/, '') });
  const pace = createPace(options.rate);
  const conflictMs = createLocks();
  const enter = createMutex();
  const deferrals = createDeferrals(pace, options);
  const drops = createDrops(quiet);
  const outages = createOutages(look, options);
  let passedGateway = 0;

  async function look(read: WireRequest): Promise<Look> {
    const slot = enter();
    try {
      return seenIn(await wire.overFresh(read, { slot }));
    } catch (error) {
      return seenBy(failureOf(error as Error, timeoutMs));
    } finally {
      slot.leave();
    }
  }

  async function quiet(): Promise<void> {
    for (const connection of await pool.takeAll(connections)) pool.give(connection);
  }

  async function deliver(
    first: WireRequest,
    { anew = () => first, once = false, begun, ...given }: Repetition,
    isSuspect = false,
  ): Promise<Reply> {
    const deferred = { waits: 0, short: 0, ms: 0, since: performance.now() };
    const gateways = { errors: 0, refusals: 0, alone: 0, isShed: false };
    const met = { times: 0, ms: 0, isAlone: !once && !given.companion };
    let request = first;
    let attempts = 1;
    let delay = 0;
    let { companion } = given;
    /** The gateway error after which it is sent alone. */
    let stayed: Reply | undefined;
    /** What came last, if anything did. */
    let last: Exchanged | undefined;
    const again = (): WireRequest => {
      attempts += 1;
      request = anew();
      return request;
    };
    const counted = (reply: Reply, absence?: 'away' | 'was-away'): Reply => {
      const cutShort = signal?.aborted && mayPass(reply) ? 'interrupted' : absence;
      const waits = deferred.waits + met.times;
      return Object.assign(
        reply,
        attempts > 1 && { attempts },
        waits > 0 && { deferrals: waits },
        cutShort && { cutShort },
      );
    };
    const resend = async (): Promise<Reply> => {
      const before = attempts;
      const reply = await deliver(again(), { anew, begun }, true);
      attempts = before + (reply.attempts ?? 1);
      return reply;
    };

    /** Waits for the target while nothing else is under way; null if the request is then to be sent. */
    async function whenThere(reply: Reply): Promise<Attempt | null> {
      const there = await outages.whenThere(request, deferred.since);
      if (there === 'away') return { reply, verdict: 'away' };
      // It may have been carried out.
      if (once) return { reply, verdict: there === 'was-away' ? there : 'own' };
      again();
      return null;
    }

    /** Sends it once; null if it is to be sent again after `delay`. */
    async function attempt(connection: Connection, slot: Slot): Promise<Attempt | null> {
      const unsent = stayed ? await whenThere(stayed) : null;
      stayed = undefined;
      if (unsent) return unsent;
      const start = performance.now();
      const before = attempts;
      try {
        const came = await (once || isSuspect
          ? wire.overFresh(request, { slot, begun })
          : wire.over(connection, request, again, { slot, companion, begun }));
        last = came;
        const conflict = impatient || attempts > 1 ? null : conflictMs(came, Date.now(), met);
        if (deferrals.allows(conflict)) {
          delay = conflict;
          return null;
        }
        const isPutOff = isLimited(came) || (came.status === 503 && outages.isShedding());
        if (isPutOff && !impatient) {
          if (deferrals.defers(came, start, deferred)) {
            // Unlike a 429, a 503 does not tell whether the request was carried out.
            if (came.status !== 429) again();
            gateways.isShed = !isLimited(came);
            return null;
          }
        } else {
          deferrals.taken();
          pace.taken();
        }
        const isGateway = isGatewayError(came.status) && !isPutOff;
        const retry = isGateway && !impatient && !once ? outages.retryMs(gateways, came) : null;
        if (retry !== null) {
          delay = retry;
          again();
          return null;
        }
        const reply = replyOf(request, came, limits.maxBytes, start);
        if (isGateway)
          return { reply, verdict: !impatient && outages.isSentAlone(request, gateways) ? 'alone' : 'own' };
        if (gateways.errors > 0 || gateways.isShed) {
          outages.passed(gateways);
          passedGateway += 1;
        }
        if (!isPutOff) outages.answered(request, reply, start);
        return { reply, verdict: 'own' };
      } catch (error) {
        const failure = failureOf(error as Error, timeoutMs);
        const reply = failedReply(request, failure, start);
        const isRefused = isUnreached(failure);
        const isLost = failure.kind === 'dropped' || (isRefused && attempts > before);
        if (impatient || signal?.aborted || !(isRefused || isLost)) return { reply, verdict: 'own' };
        outages.failed();
        if (!isLost || isSuspect)
          return { reply, verdict: isRefused ? outages.afterRefusal(gateways, isOnTheWay(failure)) : 'own' };
        const whenThere = () => outages.whenRestarted(request, start);
        const lost = { reply, deservesAnother: isRefused, resend: once ? null : resend, whenThere };
        return { reply, verdict: drops.settle(lost) };
      }
    }

    for (;;) {
      if (delay > 0) await pause(delay, signal);
      delay = 0;
      const resumeAt = deferrals.resumeAt();
      const held = resumeAt - performance.now() + pace.wait(resumeAt);
      if (held > 0) await pause(held, signal);
      // Start the timer when a connection is free: waiting for one is not the target's time.
      const taken =
        isSuspect || stayed
          ? await pool.takeAll(connections)
          : [await (companion ? companion.connection() : pool.take())];
      const slot = enter();
      let came: Attempt | null;
      try {
        // A wait may have been cut short, and then nothing more goes on the wire.
        const isCut = signal?.aborted === true;
        came = isCut
          ? { reply: unsentReply(request, last), verdict: 'own' }
          : await attempt(taken[0] as Connection, slot);
      } finally {
        slot.leave();
        for (const connection of taken) pool.give(connection);
        companion?.leave();
        companion = undefined;
      }
      if (!came) continue;
      const verdict = await came.verdict;
      if (typeof verdict === 'object') return counted(verdict);
      if (verdict === 'alone') stayed = came.reply;
      else if (verdict !== 'again') return counted(came.reply, verdict === 'own' ? undefined : verdict);
    }
  }

  return {
    send: (request: WireRequest, repetition: Repetition = {}): Promise<Reply> => deliver(request, repetition),
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
    sent: () => wire.counts.sent,
    /**
     * Number of repeated requests, except deferred ones. `closed`: a kept-alive connection closed before the first byte
     * of the answer. `gateway`: a later attempt got an answer other than 502, 503 or 504.
     */
    retries: () => ({ closed: wire.counts.closed, gateway: passedGateway }),
    /** Number of times that the whole target was away and came back. What was sent meanwhile was sent again. */
    outages: outages.over,
    /** Number of times that it went away, counted at once. Whoever takes its place may know nothing of what it did. */
    departures: outages.departures,
    /** Returns reads that were answered, for another client of the same target. */
    reads: outages.reads,
    close: async (): Promise<void> => void (await Promise.all(all.map(({ client }) => client.destroy()))),
  };
}
