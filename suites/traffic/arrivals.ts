import type { ObservedExchange } from './exchange.ts';
import type { Moment } from './shadow-moment.ts';

/** Puts exchanges into the order in which they were answered, and tells which of them overlap. */
export interface Arrivals {
  take(moment: Moment): void;
  /** Takes one that says nothing, and that the others need not be held against. */
  skip(exchange: ObservedExchange): void;
  /** Takes one that may have changed anything, in a way that nobody states. */
  disturb(exchange: ObservedExchange): void;
  /** Hands on all that waits: no request is under way. */
  settle(): void;
  readonly size: () => number;
}

/** So many exchanges wait for others that began before them. */
const mostWaiting = 500;
/** So many writes are remembered, against which overlaps are told. */
const mostWrites = 500;

interface Interval {
  readonly number: number;
  /** Undefined: any. */
  readonly collection: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** What waits; without a moment it may have changed anything. */
interface Waiting extends Interval {
  readonly moment: Moment | undefined;
}

const intervalOf = ({ number, sentAtMs, answeredAtMs }: ObservedExchange, moment?: Moment): Waiting => ({
  number,
  collection: moment?.seen.row.collection,
  from: sentAtMs,
  to: answeredAtMs,
  moment,
});

const meet = (one: Interval, other: Interval): boolean =>
  one.number !== other.number &&
  (one.collection === undefined || one.collection === other.collection) &&
  one.from < other.to &&
  other.from < one.to;

/**
 * Begins to order. An exchange is handed on when every request that began before its answer has ended: until then one
 * that is still under way may be what its answer shows. `disturbed` is called in the place of one that may have changed
 * anything, `lost` where a request never ends.
 */
export function createArrivals(handOn: (moment: Moment) => void, disturbed: () => void, lost: () => void): Arrivals {
  let waiting: Waiting[] = [];
  let writes: Interval[] = [];
  /** The requests that ended, beyond the first that has not. */
  const ended = new Map<number, number>();
  let next = 1;
  /** When the last request was sent before which all have ended. */
  let frontier = Number.NEGATIVE_INFINITY;

  function advance(): void {
    for (let sent = ended.get(next); sent !== undefined; sent = ended.get(next)) {
      ended.delete(next);
      frontier = Math.max(frontier, sent);
      next += 1;
    }
  }

  function release(isReady: (one: Waiting) => boolean): void {
    const ready = waiting.filter(isReady).sort((a, b) => a.to - b.to);
    if (ready.length === 0) return;
    const gone = new Set(ready);
    waiting = waiting.filter(one => !gone.has(one));
    for (const one of ready) {
      if (one.moment === undefined) disturbed();
      else handOn({ ...one.moment, isOverlapped: writes.some(write => meet(write, one)) });
    }
    const earliest = Math.min(frontier, ...waiting.map(({ from }) => from));
    writes = writes.filter(({ to }) => to > earliest).slice(-mostWrites);
  }

  function note({ number, sentAtMs }: ObservedExchange): void {
    if (number >= next) ended.set(number, sentAtMs);
    advance();
    if (ended.size + waiting.length > 2 * mostWaiting) {
      // A request that never ends holds up no others for good, and whatever it did is not known.
      next = Math.min(...ended.keys(), number + 1);
      advance();
      waiting = [];
      lost();
    }
    release(({ to }) => to <= frontier);
  }

  return {
    size: () => waiting.length + writes.length + ended.size,
    skip: note,
    take(moment) {
      const one = intervalOf(moment.seen.exchange, moment);
      waiting.push(one);
      if (moment.seen.row.method !== 'GET') writes.push(one);
      note(moment.seen.exchange);
    },
    disturb(exchange) {
      const one = intervalOf(exchange);
      waiting.push(one);
      writes.push(one);
      note(exchange);
    },
    settle: () => release(() => true),
  };
}
