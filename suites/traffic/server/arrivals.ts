import type { ObservedExchange } from '../exchange/exchange.ts';

/** Receives the beginnings and ends of requests in the order in which they happened. */
interface Course<T> {
  /** A request began. */
  begun(one: T): void;
  /** A request ended; `atMs`: milliseconds since the observation began. */
  ended(one: T, atMs: number): void;
  /** Anything may have changed until now in unstated ways; nothing was reported meanwhile. */
  disturbed(): void;
  /** A request never ended: its effect is unknown. */
  lost(): void;
}

/** Above twice this number of waiting exchanges, stop waiting for earlier requests. */
const mostWaiting = 500;

/** A waiting exchange; without `one` it may have changed anything. */
interface Waiting<T> {
  readonly exchange: ObservedExchange;
  readonly one: T | undefined;
  readonly from: number;
  readonly to: number;
  isBegun: boolean;
}

/** Returns when a request began, as far as known. */
const beganAt = ({ beganAtMs, sentAtMs }: ObservedExchange): number => Math.min(beganAtMs ?? sentAtMs, sentAtMs);

/**
 * Sorts exchanges, which arrive as they end, by their beginnings and ends. Reports an event only when every request
 * that began before it has ended, because an open request may still have begun earlier. Simultaneous events overlap:
 * their order is unknown.
 */
export function createArrivals<T>(course: Course<T>) {
  let waiting: Waiting<T>[] = [];
  /** The beginnings of ended requests whose predecessors have not all ended, by number. */
  const ended = new Map<number, number>();
  let next = 1;
  /** The latest beginning among the requests before which all have ended. */
  let frontier = Number.NEGATIVE_INFINITY;
  let disturbances = 0;

  function advance(): void {
    for (let began = ended.get(next); began !== undefined; began = ended.get(next)) {
      ended.delete(next);
      frontier = Math.max(frontier, began);
      next += 1;
    }
  }

  function tell(waits: Waiting<T>, isEnd: boolean): void {
    const { one } = waits;
    waits.isBegun = true;
    if (isEnd) waiting = waiting.filter(other => other !== waits);
    if (one === undefined) {
      disturbances += isEnd ? -1 : 1;
      if (disturbances === 0) course.disturbed();
    } else if (disturbances > 0) return;
    else if (isEnd) course.ended(one, waits.to);
    else course.begun(one);
  }

  function release(before: number): void {
    const due = waiting.flatMap(waits => [
      ...(waits.isBegun || waits.from >= before ? [] : [{ waits, at: waits.from, isEnd: false }]),
      ...(waits.to >= before ? [] : [{ waits, at: waits.to, isEnd: true }]),
    ]);
    due.sort(
      (a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd) || a.waits.exchange.number - b.waits.exchange.number,
    );
    for (const { waits, isEnd } of due) tell(waits, isEnd);
  }

  function note(exchange: ObservedExchange): void {
    if (exchange.number >= next) ended.set(exchange.number, beganAt(exchange));
    advance();
    if (ended.size + waiting.length > 2 * mostWaiting) {
      // A request that never ends must not hold up the others forever.
      next = Math.min(...ended.keys(), exchange.number + 1);
      advance();
      waiting = [];
      disturbances = 0;
      course.lost();
    }
    release(frontier);
  }

  function wait(exchange: ObservedExchange, one?: T): void {
    const { sentAtMs: from, answeredAtMs, coarseMs = 0 } = exchange;
    waiting.push({ exchange, one, from, to: Math.max(from, answeredAtMs) + coarseMs, isBegun: false });
    note(exchange);
  }

  return {
    size: (): number => waiting.length + ended.size,
    /** Takes an exchange that says nothing and need not be compared. */
    skip: note,
    take: wait,
    /** Takes an exchange that may have changed anything in an unstated way. */
    disturb: (exchange: ObservedExchange): void => wait(exchange),
    /** Reports everything that waits. Call it only if no request is under way. */
    settle: (): void => release(Number.POSITIVE_INFINITY),
    /** Returns the reported requests that have begun and not ended. */
    underWay: (): T[] => waiting.flatMap(({ one, isBegun }) => (isBegun && one !== undefined ? one : [])),
  };
}
