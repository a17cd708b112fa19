import type { Failure, Reply, WireRequest } from '../protocol/reply.ts';
import { isGatewayError, isLimited, pause } from './deferral.ts';
import { isNobody } from './failure.ts';

/** Milliseconds before each retry after a gateway error. */
const pauses = [250, 1000] as const;

/** Number of consecutive requests failed by a gateway in every attempt, after which retries follow without a pause. */
const mostInVain = 3;

/** Number of times that one request is tried anew after the target was away: it may be what brings the target down. */
const mostOutlasted = 2;

/** Number of requests to one path that were tried anew in vain, after which others to it are not. */
const mostDeadly = 2;

/** Milliseconds: how long a target that is away is waited for, and the first and the longest pause between two looks. */
const mostOutage = { inAll: 5_000, first: 250, longest: 1_000 } as const;

/** Number of reads that a look sends at most, each of another path than the request that failed. */
const readsOfLook = 2;

/** Milliseconds after a gateway error that did not stay, in which one that stays is not taken for the request's own. */
const unstable = 5_000;

/** Milliseconds for which a target that fails at many requests is known to be there. */
const seenFor = 1_000;

/**
 * What follows from an error that stays. 'own': it is the request's. 'again': it may be over by now. 'over': it was over,
 * because the target was away for a while. 'lasting': the target still is.
 */
type Verdict = 'own' | 'again' | 'over' | 'lasting';

/** What one request met: how many gateway errors and outages, and whether it was sent again to make sure. */
export interface Obstructed {
  errors: number;
  outages: number;
  isChecked: boolean;
}

/** The result of a read that is sent to see whether the target is there. */
export type Look = 'served' | 'away' | 'silent';

/** Returns what an answer to such a read shows. */
export const seenIn = (came: Pick<Reply, 'status' | 'headers'>): Look =>
  isGatewayError(came.status) && !isLimited(came) ? 'away' : 'served';

/** Returns what its failure shows. */
export function seenBy(failure: Failure): Look {
  if (failure.kind === 'timeout') return 'silent';
  return failure.kind === 'dropped' || isNobody(failure) ? 'away' : 'served';
}

interface OutageOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reads that the target answered another client. */
  readonly readsBefore?: readonly WireRequest[] | undefined;
  /** Milliseconds for which a target that is away is waited for. */
  readonly outageMs?: number | undefined;
}

const pathOf = ({ path }: WireRequest): string => path.split('?')[0] ?? path;

/**
 * Decides for all requests of a client what to do about a gateway error (502, 503, 504), and where nobody listens. An error
 * may be over soon; if it stays, it may concern one request or the whole target, which may be restarting. Then reads
 * that were answered before are not answered either.
 *
 * @param look sends such a read again
 */
export function createOutages(look: (read: WireRequest) => Promise<Look>, options: OutageOptions) {
  const { signal, readsBefore = [], outageMs = mostOutage.inAll } = options;
  const reads = new Map(readsBefore.map(read => [pathOf(read), { read, bytes: 0 }]));
  const deadly = new Map<string, number>();
  let lastAnswered = Number.NEGATIVE_INFINITY;
  let lastPassed = Number.NEGATIVE_INFINITY;
  let lastSeen = Number.NEGATIVE_INFINITY;
  let looking: Promise<Verdict> | undefined;
  let isLasting = false;
  let inVain = 0;
  let over = 0;

  /** True if the target answers a read, or if a request that was sent since is answered. */
  async function isThere(known: readonly WireRequest[], since: number): Promise<boolean> {
    for (const read of known) {
      const seen = await look(read);
      // A read that hangs would cost the time limit each time.
      if (seen === 'silent') reads.delete(pathOf(read));
      if (seen !== 'away' || lastAnswered >= since) return true;
    }
    return false;
  }

  async function wait(known: readonly WireRequest[]): Promise<Verdict> {
    const since = performance.now();
    let waited = 0;
    for (let delay: number = mostOutage.first; ; delay = Math.min(2 * delay, mostOutage.longest)) {
      if (await isThere(known, since)) {
        lastSeen = performance.now();
        over += Number(waited > 0);
        return waited > 0 ? 'over' : 'again';
      }
      if (waited >= outageMs || signal?.aborted === true) break;
      await pause(delay, signal);
      waited += delay;
    }
    isLasting = true;
    return 'lasting';
  }

  /** Waits while the whole target is away. A request is no evidence of its own operation, so that is not looked at. */
  async function outageAt(request: WireRequest): Promise<Verdict> {
    const now = performance.now();
    // Of the servers behind a gateway some may be away, and others answer reads.
    const otherwise = now - lastPassed < unstable ? 'over' : 'own';
    const known = [...reads.values()]
      .filter(({ read }) => pathOf(read) !== pathOf(request))
      .sort((a, b) => a.bytes - b.bytes)
      .slice(0, readsOfLook);
    if (known.length === 0 || (inVain >= mostInVain && now - lastSeen < seenFor)) return otherwise;
    if (isLasting) return 'lasting';
    looking ??= wait(known.map(({ read }) => read)).finally(() => {
      looking = undefined;
    });
    const verdict = await looking;
    return verdict === 'again' && otherwise === 'over' ? otherwise : verdict;
  }

  return {
    over: (): number => over,
    reads: (): readonly WireRequest[] => [...reads.values()].map(({ read }) => read),
    /** Notes an answer that is no gateway error, and when its request was sent. Of each path the shortest read is kept. */
    answered(read: WireRequest, { status, bytes }: Pick<Reply, 'status' | 'bytes'>, sentAt: number): void {
      isLasting = false;
      lastAnswered = Math.max(lastAnswered, sentAt);
      const known = reads.get(pathOf(read));
      if (read.method === 'GET' && status >= 200 && status < 300 && (known === undefined || bytes < known.bytes))
        reads.set(pathOf(read), { read, bytes });
    },
    /** Records that a request was answered after errors of a gateway. */
    passed(): void {
      inVain = 0;
      lastPassed = performance.now();
    },
    /** Returns the milliseconds after which to send a request again that just met an error; null if it is not. */
    retryMs(met: Obstructed): number | null {
      const delay = pauses[met.errors];
      if (delay === undefined || isLasting || signal?.aborted === true) return null;
      met.errors += 1;
      return inVain < mostInVain ? delay : 0;
    },
    /** Resolves when a target that is away is back, or is waited for no longer. */
    async after(request: WireRequest, met: Obstructed): Promise<Verdict> {
      const subject = `${request.method} ${pathOf(request)}`;
      const times = deadly.get(subject) ?? 0;
      const verdict = met.outages < mostOutlasted && times < mostDeadly ? await outageAt(request) : 'own';
      if (verdict === 'over') {
        met.outages += 1;
        // A target that is just back may not be there for good.
        met.errors = 0;
      }
      if (verdict === 'over' || verdict === 'lasting') return verdict;
      // The error may have come of an outage that ended before the look.
      if (verdict === 'again' && !met.isChecked && inVain < mostInVain) {
        met.isChecked = true;
        return verdict;
      }
      inVain += 1;
      if (met.outages > 0) deadly.set(subject, times + 1);
      return 'own';
    },
  };
}
