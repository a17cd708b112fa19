import type { ObservedExchange } from './exchange.ts';
import type { Moment } from './shadow-moment.ts';

/** Puts exchanges into the order in which they were answered, and tells which of them overlap. */
export interface Arrivals {
  take(moment: Moment): void;
  /** Takes one that says nothing, and that the others need not be held against. */
  skip(exchange: ObservedExchange): void;
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
  readonly collection: string;
  readonly from: number;
  readonly to: number;
}

const intervalOf = ({ seen: { exchange, row } }: Moment): Interval => ({
  number: exchange.number,
  collection: row.collection,
  from: exchange.sentAtMs,
  to: exchange.answeredAtMs,
});

/**
 * Begins to order. An exchange is handed on when every request that began before its answer has ended: until then one
 * that is still under way may be what its answer shows. `lost` is called where a request never ends.
 */
export function createArrivals(handOn: (moment: Moment) => void, lost: () => void): Arrivals {
  let waiting: Moment[] = [];
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

  function release(isReady: (moment: Moment) => boolean): void {
    const ready = waiting.filter(isReady).sort((a, b) => a.seen.exchange.answeredAtMs - b.seen.exchange.answeredAtMs);
    if (ready.length === 0) return;
    const gone = new Set(ready);
    const isOverlapped = (moment: Moment): boolean => {
      const own = intervalOf(moment);
      return writes.some(
        one => one.number !== own.number && one.collection === own.collection && one.from < own.to && own.from < one.to,
      );
    };
    waiting = waiting.filter(one => !gone.has(one));
    for (const moment of ready) handOn({ ...moment, isOverlapped: isOverlapped(moment) });
    const earliest = Math.min(frontier, ...waiting.map(({ seen }) => seen.exchange.sentAtMs));
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
    release(({ seen }) => seen.exchange.answeredAtMs <= frontier);
  }

  return {
    size: () => waiting.length + writes.length + ended.size,
    skip: note,
    take(moment) {
      waiting.push(moment);
      if (moment.seen.row.method !== 'GET') writes.push(intervalOf(moment));
      note(moment.seen.exchange);
    },
    settle: () => release(() => true),
  };
}
