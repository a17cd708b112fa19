import type { Reply, WireRequest } from '../protocol/reply.ts';
import { pause } from './deferral.ts';

/** Milliseconds before each retry after a gateway error. */
const pauses = [250, 1000] as const;

/** Number of consecutive requests failed by a gateway in every attempt, after which retries follow without a pause. */
const mostInVain = 3;

/** Number of times that one request is tried anew after the target was away: it may be what brings the target down. */
const mostOutlasted = 2;

/** Milliseconds after a gateway error that did not stay, in which one that stays is not taken for the request's own. */
const unstable = 5_000;

/** Milliseconds: how long a target that is away is waited for, and the first and the longest pause between two looks. */
const mostOutage = { inAll: 5_000, first: 250, longest: 1_000 } as const;

/** Whether the whole target was away for a while, or only in part ('over'), still is ('lasting'), or never was. */
type Outage = 'none' | 'over' | 'lasting';

/** What one request met: how many gateway errors, and how many outages of the whole target. */
export interface Obstructed {
  errors: number;
  outages: number;
}

/**
 * Decides for all requests of a client what to do about a gateway error (502, 503, 504), and where nobody listens. An error
 * may be over soon; if it stays, it may concern one request or the whole target, which may be restarting. Then a read
 * that was answered before is not answered either.
 *
 * @param isServed sends such a read again; true if the target itself answers
 */
export function createOutages(
  isServed: (read: WireRequest) => Promise<boolean>,
  { signal, readBefore }: { readonly signal?: AbortSignal | undefined; readonly readBefore?: WireRequest | undefined },
) {
  let known = readBefore === undefined ? undefined : { read: readBefore, bytes: Number.POSITIVE_INFINITY };
  let lastAnswered = Number.NEGATIVE_INFINITY;
  let looking: Promise<Outage> | undefined;
  let isLasting = false;
  let inVain = 0;
  let lastPassed = Number.NEGATIVE_INFINITY;
  let over = 0;
  async function look(read: WireRequest): Promise<Outage> {
    let waited = 0;
    for (let delay: number = mostOutage.first; ; delay = Math.min(2 * delay, mostOutage.longest)) {
      if (await isServed(read)) {
        over += Number(waited > 0);
        return waited > 0 ? 'over' : 'none';
      }
      if (waited >= mostOutage.inAll || signal?.aborted === true) break;
      await pause(delay, signal);
      waited += delay;
    }
    isLasting = true;
    return 'lasting';
  }
  /** Waits while the whole target is away. Of the servers behind a gateway some may be away, and others answer reads. */
  async function outageAt(sentAt: number): Promise<Outage> {
    const other = performance.now() - lastPassed < unstable ? 'over' : 'none';
    if (known === undefined || sentAt < lastAnswered) return other;
    if (isLasting) return 'lasting';
    looking ??= look(known.read).finally(() => {
      looking = undefined;
    });
    const outage = await looking;
    return outage === 'none' ? other : outage;
  }
  return {
    over: (): number => over,
    read: (): WireRequest | undefined => known?.read,
    /** Notes an answer that is no gateway error, and when its request was sent. Of the reads the shortest is kept. */
    answered(read: WireRequest, { status, bytes }: Pick<Reply, 'status' | 'bytes'>, sentAt: number): void {
      isLasting = false;
      lastAnswered = Math.max(lastAnswered, sentAt);
      if (read.method === 'GET' && status >= 200 && status < 300 && (known === undefined || bytes < known.bytes))
        known = { read, bytes };
    },
    /** Records that a request was answered after errors of a gateway. */
    passed(): void {
      inVain = 0;
      lastPassed = performance.now();
    },
    /** Returns the milliseconds after which to send a request again that just met an error; null if it is not. */
    retryMs(met: Obstructed): number | null {
      const delay = pauses[met.errors];
      if (delay === undefined || signal?.aborted === true) return null;
      met.errors += 1;
      return inVain < mostInVain ? delay : 0;
    },
    /** Resolves when a target that is away is back, or is waited for no longer. `sentAt`: when the last try was sent. */
    async after(met: Obstructed, sentAt: number): Promise<Outage> {
      const outage = met.outages < mostOutlasted ? await outageAt(sentAt) : 'none';
      if (outage === 'none') inVain += 1;
      met.outages += 1;
      // A target that is just back may not be there for good.
      if (outage === 'over') met.errors = 0;
      return outage;
    },
  };
}
