import type { Failure, Reply, WireRequest } from '../protocol/reply.ts';
import { isGatewayError, isLimited, pause } from './deferral.ts';
import { isUnreached } from './failure.ts';

/** Milliseconds before each retry after a gateway error. */
const pauses = [250, 1000] as const;

/** Number of consecutive requests failed by a gateway in every attempt, after which retries follow without a pause. */
const mostInVain = 3;

/** Number of times that a request is sent alone: once, and more while errors of other requests pass. */
const mostAlone = { steady: 1, unstable: 2 } as const;

/** Number of times that one request is tried anew which did not reach the target. */
const mostRefused = 8;

/**
 * Milliseconds: how long a target that is away is waited for (a container takes some ten seconds to start), and the first
 * and the longest pause between two looks.
 */
const mostOutage = { inAll: 15_000, first: 250, longest: 1_000 } as const;

/** Number of reads that a look sends at most, each of another path than the request that failed. */
const readsOfLook = 2;

/** Milliseconds after a gateway error that did not stay, in which one that stays is not taken for the request's own. */
const unstable = 5_000;

/**
 * Number of requests that were answered after a 503, and milliseconds in which they were: a limit on the rate that does
 * not say so, as gateways have it by default.
 */
const fewestShed = 3;
const shedding = 10_000;

/**
 * Milliseconds after an outage in which an error is taken for another one: its request is sent alone without more ado, as
 * it may be what brings the target down.
 */
const relapse = 10_000;

/** Milliseconds for which a target that fails at many requests is known to be there. */
const seenFor = 1_000;

/** What one request met: how many gateway errors, how often nobody listened, and how often it was sent alone. */
interface Obstructed {
  errors: number;
  refusals: number;
  alone: number;
  /** The last gateway error was a 503. */
  isShed: boolean;
}

/** The result of a read that is sent to see whether the target is there. */
export type Look = 'served' | 'away' | 'nobody' | 'silent';

const isAbsent = (seen: Look): boolean => seen === 'away' || seen === 'nobody';

/** Returns what an answer to such a read shows. */
export const seenIn = (came: Pick<Reply, 'status' | 'headers'>): Look =>
  isGatewayError(came.status) && !isLimited(came) ? 'away' : 'served';

/** Returns what its failure shows. */
export function seenBy(failure: Failure): Look {
  if (failure.kind === 'timeout') return 'silent';
  if (isUnreached(failure)) return 'nobody';
  return failure.kind === 'dropped' ? 'away' : 'served';
}

/** What shows that a target which nobody listened for is there, where no read was answered before: any answer does. */
const anything: WireRequest = { method: 'GET', path: '/', headers: {} };

interface OutageOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reads that the target answered another client. */
  readonly readsBefore?: readonly WireRequest[] | undefined;
}

const pathOf = ({ path }: WireRequest): string => path.split('?')[0] ?? path;

/**
 * Decides for all requests of a client what to do about a gateway error (502, 503, 504), and where nobody listens. An error
 * may be over soon; if it stays, it may concern one request or the whole target, which may be restarting, or which
 * another request brought down. So the request is sent once more, alone, as soon as the target answers a read that it
 * answered before: what it gets then is its own.
 *
 * @param look sends such a read again
 */
export function createOutages(look: (read: WireRequest) => Promise<Look>, options: OutageOptions) {
  const { signal, readsBefore = [] } = options;
  const reads = new Map(readsBefore.map(read => [pathOf(read), { read, bytes: 0 }]));
  let hasAnswered = readsBefore.length > 0;
  let lastAnswered = Number.NEGATIVE_INFINITY;
  let lastPassed = Number.NEGATIVE_INFINITY;
  let lastSeen = Number.NEGATIVE_INFINITY;
  let lastAway = Number.NEGATIVE_INFINITY;
  let looking: Promise<boolean> | undefined;
  let isLasting = false;
  /** Whether the last that came of the target was an answer. */
  let isUp = false;
  let inVain = 0;
  let over = 0;
  /** Number of times that it went away, and whether it is away now. */
  let departures = 0;
  let isGone = false;
  /** When requests that met 503 were answered after all, the last few. */
  const shed: number[] = [];

  function left(): void {
    if (!isGone) departures += 1;
    isGone = true;
    lastAway = performance.now();
  }

  /** True if the target answers a read, or if a request that was sent since is answered. */
  async function isThere(known: readonly WireRequest[], since: number): Promise<boolean> {
    for (const read of known) {
      const seen = await look(read);
      // A read that hangs would cost the time limit each time.
      if (seen === 'silent') reads.delete(pathOf(read));
      if (!isAbsent(seen) || lastAnswered >= since) return true;
    }
    return false;
  }

  async function wait(known: readonly WireRequest[]): Promise<boolean> {
    const since = performance.now();
    let waited = 0;
    for (let delay: number = mostOutage.first; ; delay = Math.min(2 * delay, mostOutage.longest)) {
      if (await isThere(known, since)) {
        lastSeen = performance.now();
        isUp = true;
        isGone = false;
        over += Number(waited > 0);
        return true;
      }
      left();
      if (waited >= mostOutage.inAll || signal?.aborted) break;
      await pause(delay, signal);
      waited += delay;
    }
    isLasting = true;
    return false;
  }

  /** Returns the shortest reads that were answered, of other paths than a request, which is no evidence of its own. */
  const readsBeside = (request: WireRequest | null): readonly WireRequest[] =>
    [...reads.values()]
      .filter(({ read }) => !request || pathOf(read) !== pathOf(request))
      .sort((a, b) => a.bytes - b.bytes)
      .slice(0, readsOfLook)
      .map(({ read }) => read);

  /** Waits, once for all requests, for a target to answer some reads; false if it stays away. */
  function back(known: readonly WireRequest[]): Promise<boolean> | false {
    if (isLasting) return false;
    looking ??= wait(known).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    over: (): number => over,
    departures: (): number => departures,
    reads: (): readonly WireRequest[] => [...reads.values()].map(({ read }) => read),
    /** Notes an answer that is no gateway error, and when its request was sent. Of each path the shortest read is kept. */
    answered(read: WireRequest, { status, bytes }: Pick<Reply, 'status' | 'bytes'>, sentAt: number): void {
      isLasting = false;
      hasAnswered = true;
      isUp = true;
      isGone = false;
      lastAnswered = Math.max(lastAnswered, sentAt);
      const known = reads.get(pathOf(read));
      if (read.method === 'GET' && status >= 200 && status < 300 && (!known || bytes < known.bytes))
        reads.set(pathOf(read), { read, bytes });
    },
    /** Notes that a request ended without an answer. */
    failed(): void {
      isUp = false;
    },
    /** Records that a request was answered after errors of a gateway. */
    passed({ isShed }: Obstructed): void {
      inVain = 0;
      lastPassed = performance.now();
      if (isShed) shed.push(lastPassed);
      if (shed.length > fewestShed) shed.shift();
    },
    /** True if 503 seems to be said of a rate: some requests that met it lately were answered when they came later. */
    isShedding: (): boolean => shed.length === fewestShed && performance.now() - (shed[0] as number) < shedding,
    /** Returns the milliseconds after which to send a request again that just met an error; null if it is not. */
    retryMs(met: Obstructed, { status }: Pick<Reply, 'status'>): number | null {
      isUp = false;
      met.isShed = status === 503;
      const delay = pauses[met.errors];
      const now = performance.now();
      const isRelapse = now - lastAway < relapse && now - lastPassed >= unstable;
      if (delay === undefined || isRelapse || isLasting || signal?.aborted) return null;
      met.errors += 1;
      return inVain < mostInVain ? delay : 0;
    },
    /** True if a request whose errors stay is to be sent alone. If not, the error is its own. */
    isSentAlone(request: WireRequest, met: Obstructed): boolean {
      const now = performance.now();
      // Of the servers behind a gateway some may be away, and others answer reads.
      const isUnstable = now - lastPassed < unstable;
      const isSteady = inVain >= mostInVain && over === 0 && now - lastSeen < seenFor;
      const most = isUnstable ? mostAlone.unstable : mostAlone.steady;
      if (met.alone < most && !isSteady && (isUnstable || readsBeside(request).length > 0)) {
        met.alone += 1;
        if (isUnstable) met.errors = 0;
        return true;
      }
      inVain += 1;
      return false;
    },
    /**
     * Waits, while nothing else is under way, until the target is there. 'was-away': it was away since the request was
     * sent.
     */
    async whenThere(request: WireRequest, sentAt: number): Promise<'there' | 'was-away' | 'away'> {
      const known = readsBeside(request);
      if (!isUp && known.length > 0 && !(await back(known))) return 'away';
      return lastAway >= sentAt ? 'was-away' : 'there';
    },
    /**
     * Looks whether nobody listens any more after a connection closed, and if so, waits for the target. A process that
     * is going down still takes connections for a moment, so a look that is dropped is repeated once.
     */
    async whenRestarted(request: WireRequest, sentAt: number): Promise<'there' | 'was-away' | 'away'> {
      const known = readsBeside(request);
      const [read] = known;
      for (let looks = 0; looks < 2 && !isUp && read; looks += 1) {
        const seen = await look(read);
        if (seen === 'nobody') {
          left();
          return (await back(known)) ? 'was-away' : 'away';
        }
        if (seen !== 'away') break;
        await pause(mostOutage.first, signal);
      }
      return lastAway >= sentAt ? 'was-away' : 'there';
    },
    /**
     * Waits for a target that nobody listened for, or that was not reached. Returns 'own' if that never was otherwise, or
     * if nobody listens for this request alone.
     */
    async afterRefusal(met: Obstructed, isOnTheWay: boolean): Promise<'again' | 'own' | 'away'> {
      isUp = false;
      if (!hasAnswered) return 'own';
      if (met.refusals >= mostRefused) return isOnTheWay ? 'away' : 'own';
      left();
      met.refusals += 1;
      const known = readsBeside(null);
      return (await back(known.length === 0 ? [anything] : known)) ? 'again' : 'away';
    },
  };
}
