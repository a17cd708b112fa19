/** Spaces the requests of a client, more widely after the target limited them. Times are in milliseconds. */
interface Pace {
  /** How long the request that is to be sent at `now` has to wait. */
  wait(now: number): number;
  /** The target deferred what was sent at `sentAt`. Requests that were under way together slow down once. */
  limited(sentAt: number, now: number): void;
  /** The target answered a request: the gap shrinks. */
  taken(): void;
}

const firstGap = 20;
const longestGap = 2_000;
const easing = 0.9;

/** At most `rate` requests a second. Each deferral doubles the added gap, each answer shrinks it by a tenth. */
export function createPace(rate: number | undefined): Pace {
  const configured = rate === undefined ? 0 : 1000 / rate;
  let added = 0;
  let next = 0;
  let slowedAt = Number.NEGATIVE_INFINITY;
  return {
    wait(now) {
      const gap = configured + added;
      if (gap === 0) return 0;
      const due = Math.max(now, next);
      next = due + gap;
      return due - now;
    },
    limited(sentAt, now) {
      if (sentAt < slowedAt) return;
      slowedAt = now;
      added = Math.min(longestGap, Math.max(firstGap, 2 * added));
    },
    taken() {
      added = added < 1 ? 0 : added * easing;
    },
  };
}
