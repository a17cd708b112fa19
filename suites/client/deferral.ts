import type { Reply } from '../protocol/reply.ts';

/**
 * Limits on deferrals of one request by a target: milliseconds per wait and in total, and number of waits. `inVain`:
 * milliseconds in all that went by with requests which were never taken; beyond it nothing is waited for any more.
 */
const mostDeferral = { wait: 60_000, waited: 120_000, waits: 8, inVain: 120_000 } as const;

/** Waits of one request for a target that puts requests off at any pace: how many, and milliseconds of the first. */
const short = { times: 5, first: 10 } as const;

/**
 * Parses `Retry-After`, seconds or a date (RFC 9110 section 10.2.3), into milliseconds to wait; null if absent or
 * invalid. A date is one of the target's clock, which `Date` tells (section 6.6.1); without it `now` is taken.
 */
export function retryAfterMs(headers: Reply['headers'], now: number): number | null {
  const text = first(headers['retry-after']);
  if (text === undefined) return null;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes `1.5` for a day in January.
  const until = /\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const there = Date.parse(first(headers.date) ?? '');
  return Math.max(0, until - (Number.isNaN(there) ? now : there));
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** True if an answer asks to come again later (RFC 6585 section 4, RFC 9110 section 15.6.4). */
export const isLimited = ({ status, headers }: Pick<Reply, 'status' | 'headers'>): boolean =>
  status === 429 || (status === 503 && headers['retry-after'] !== undefined);

/** The waits of one request for a target that defers it: how many, their milliseconds, and since when. */
export interface Deferred {
  waits: number;
  /** Those among them that were short, because longer ones do not help. */
  short: number;
  ms: number;
  readonly since: number;
}

/**
 * Decides for all requests of a client how long to wait for a target that defers some of them (429, or 503 with
 * `Retry-After`), which applies to all requests. Counts all waiting, of which `patienceMs` is the most.
 */
export function createDeferrals(
  pace: Pick<ReturnType<typeof createPace>, 'limited'>,
  options: { readonly signal?: AbortSignal | undefined; readonly patienceMs?: number | undefined },
) {
  const { signal, patienceMs = Number.POSITIVE_INFINITY } = options;
  let resumeAt = 0;
  // Set when waiting did not help, until the target accepts a request again: meanwhile no request waits.
  let hasGivenUp = false;
  // Milliseconds that went by with requests that were deferred to the end, and until when they are counted.
  const lost = { ms: 0, until: 0 };
  let waitedInAll = 0;
  return {
    /** Returns from when on requests may be sent. */
    resumeAt: (): number => Math.max(resumeAt, performance.now()),
    /** Returns true, and counts a wait of one request, if it may still be waited for. */
    allows(ms: number | null): ms is number {
      if (ms === null || signal?.aborted || waitedInAll + ms > patienceMs) return false;
      waitedInAll += ms;
      return true;
    },
    /** Returns true if the client should wait for a target that defers a request, sent at `start`. */
    defers({ headers }: Pick<Reply, 'headers'>, start: number, deferred: Deferred): boolean {
      const told = retryAfterMs(headers, Date.now());
      const now = performance.now();
      const isShort = pace.limited(start, now, told !== null) && deferred.short < short.times;
      const before = isShort ? deferred.short : deferred.waits - deferred.short;
      const untold = (isShort ? short.first : 250) * 2 ** before;
      // A target that asks to come again at once, and then defers again, is given more time.
      const wait = told === null ? untold : Math.max(told, before === 0 ? 0 : untold / 2);
      deferred.ms += wait;
      const isUsedUp = before >= mostDeferral.waits || wait > mostDeferral.wait || deferred.ms > mostDeferral.waited;
      if (isUsedUp) {
        // Requests that wait at the same time count once.
        lost.ms += now - Math.max(deferred.since, lost.until);
        lost.until = now;
      }
      const later = Math.max(resumeAt, now + wait);
      const more = later - Math.max(resumeAt, now);
      hasGivenUp ||=
        signal?.aborted === true || isUsedUp || lost.ms > mostDeferral.inVain || waitedInAll + more > patienceMs;
      if (hasGivenUp) return false;
      resumeAt = later;
      waitedInAll += more;
      deferred.waits += 1;
      deferred.short += Number(isShort);
      return true;
    },
    /** Records that the target took a request. */
    taken(): void {
      hasGivenUp = false;
    },
  };
}

/**
 * Limits on conflicts and locks, in milliseconds: the longest wait that a target may ask for, how often its request is
 * sent again, the waits where it asks for none, and how long may go by in a row for requests whose refusal stays.
 */
const mostConflict = { told: 5_000, times: 2, untold: [50, 100, 200, 400], inVain: { told: 60_000, untold: 3_000 } };

/** What each request that was taken after a wait adds to the time that others may wait in vain. */
const earned = 1_000;

/** The waits of one request for conflicts and locks: how many, and their milliseconds. */
export interface Met {
  times: number;
  ms: number;
  /** True unless the request was meant to meet others, or is never repeated. */
  readonly isAlone: boolean;
}

/**
 * Returns a function that decides, for all requests of a client, whether one that meets a conflict or a lock is sent
 * again. It gives the milliseconds to wait, and null for any other answer: a target may say itself when to come again
 * (409, 423, 425 with a short `Retry-After`, RFC 9110 section 10.2.3), and a lock without a word (409, 423) is mostly
 * over soon. Unlike a deferral a conflict concerns its request alone, and one that stays is an ordinary refusal. Where
 * refusals stay, nothing is waited for after a while.
 */
export function createLocks() {
  let inVain = 0;
  let passed = 0;
  return ({ status, headers }: Pick<Reply, 'status' | 'headers'>, now: number, met: Met): number | null => {
    if (![409, 423, 425].includes(status)) {
      if (met.times > 0) [inVain, passed] = [0, passed + 1];
      return null;
    }
    const told = retryAfterMs(headers, now);
    const untold = !met.isAlone || status === 425 ? undefined : mostConflict.untold[met.times];
    const wait =
      told === null ? untold : told <= mostConflict.told && met.times < mostConflict.times ? told : undefined;
    if (wait === undefined) inVain += met.ms;
    const most = mostConflict.inVain[told === null ? 'untold' : 'told'] + passed * earned;
    if (wait === undefined || inVain >= most) return null;
    met.times += 1;
    met.ms += wait;
    return wait;
  };
}

/**
 * True if a gateway reports that the server behind it is not there (RFC 9110 sections 15.6.3 to 15.6.5), which may soon
 * be over.
 */
export const isGatewayError = (status: number): boolean => status === 502 || status === 503 || status === 504;

/** True if the same request may be answered otherwise when it is sent again. */
export const mayPass = ({ status, failure }: Pick<Reply, 'status' | 'failure'>): boolean =>
  failure ? failure.kind !== 'too-large' : isGatewayError(status) || [409, 423, 425, 429].includes(status);

/** Waits; an abort ends it early. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });

const firstGap = 20;

/** Longest gap that is added. A target that says when to come again is obeyed anyway, so little comes on top. */
const longestGap = { untold: 2_000, told: 100 } as const;
const easing = 0.9;

/**
 * When slowing down is moot: a target that takes no more of the requests which come at least `slow` milliseconds apart
 * than of those that follow faster, and takes most of either, counts requests and not their rate. At least `fewest` of
 * each must have been seen; of more than `recent` older ones count less and less.
 */
const moot = { slow: 80, most: 0.5, better: 0.2, fewest: 6, recent: 100 } as const;

/** Counts what a target takes and puts off, of requests that are slowed down a little or much. */
function createShares() {
  const seen = { fast: { taken: 0, all: 0 }, slow: { taken: 0, all: 0 } };
  return {
    count(gap: number, isTaken: boolean): void {
      const one = seen[gap < moot.slow ? 'fast' : 'slow'];
      one.all += 1;
      one.taken += Number(isTaken);
      if (one.all > moot.recent) Object.assign(one, { taken: one.taken / 2, all: one.all / 2 });
    },
    /** True if slowing down is known to change nothing. */
    areEqual(): boolean {
      const { fast, slow } = seen;
      if (fast.all < moot.fewest || slow.all < moot.fewest) return false;
      const share = slow.taken / slow.all;
      return share >= moot.most && share <= fast.taken / fast.all + moot.better;
    },
  };
}

/**
 * Spaces the requests of a client: at most `rate` per second, and less often after the target limits them. Each
 * deferral doubles the added gap, each answer shrinks it by a tenth. Where that changes nothing, none is added. Times
 * are in milliseconds.
 */
export function createPace(rate: number | undefined) {
  const configured = rate === undefined ? 0 : 1000 / rate;
  let added = 0;
  let next = 0;
  let slowedAt = Number.NEGATIVE_INFINITY;
  const shares = createShares();
  /** From the first deferral on. */
  let isCounted = false;
  let isMoot = false;
  return {
    /** Returns how long a request to be sent at `now` must wait. */
    wait(now: number): number {
      const gap = configured + added;
      if (gap === 0) return 0;
      const due = Math.max(now, next);
      next = due + gap;
      return due - now;
    },
    /**
     * Records that the target deferred a request sent at `sentAt`, and whether it told how long to wait. Overlapping
     * requests slow down only once. Returns true if slowing down is moot: the request is as likely to be taken at once.
     */
    limited(sentAt: number, now: number, isTold = false): boolean {
      if (isCounted) shares.count(added, false);
      isCounted = true;
      isMoot = (isMoot || added >= moot.slow) && shares.areEqual();
      if (isMoot) added = 0;
      if (isMoot || sentAt < slowedAt) return isMoot;
      slowedAt = now;
      const longest = longestGap[isTold ? 'told' : 'untold'];
      added = Math.max(added, Math.min(longest, Math.max(firstGap, 2 * added)));
      return false;
    },
    /** Records that the target answered a request: the gap shrinks. */
    taken(): void {
      if (isCounted) shares.count(added, true);
      added = added < 1 ? 0 : added * easing;
    },
  };
}
