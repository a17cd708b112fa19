import type { ObservedExchange } from '../exchange/exchange.ts';

/** What those who follow state are told of exchanges, in the order in which things happened. */
interface Course<T> {
  /** A request began. */
  begun(one: T): void;
  /** It ended; `atMs`: when, in milliseconds since the observation began. */
  ended(one: T, atMs: number): void;
  /** Until now anything may have changed in ways that nobody states: nothing was told meanwhile. */
  disturbed(): void;
  /** A request never ended: what it did is not known. */
  lost(): void;
}

/** So many exchanges wait for others that began before them. */
const mostWaiting = 500;

/** What waits; without `one` it may have changed anything. */
interface Waiting<T> {
  readonly exchange: ObservedExchange;
  readonly one: T | undefined;
  readonly from: number;
  readonly to: number;
  isBegun: boolean;
}

/** When a request began, as far as that is known. */
const beganAt = ({ beganAtMs, sentAtMs }: ObservedExchange): number => Math.min(beganAtMs ?? sentAtMs, sentAtMs);

/**
 * Puts exchanges, which come as they end, into the order in which they began and ended. What happened is told when every request that began before it has ended: until then one that is still
 * under way may have begun before it. What happened at the same time overlaps: which was first is not known.
 */
export function createArrivals<T>(course: Course<T>) {
  let waiting: Waiting<T>[] = [];
  /** The requests that ended, beyond the first that has not. */
  const ended = new Map<number, number>();
  let next = 1;
  /** When the last request began before which all have ended. */
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
      // A request that never ends holds up no others for good.
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
    /** Takes one that says nothing, and that the others need not be held against. */
    skip: note,
    take: wait,
    /** Takes one that may have changed anything, in a way that nobody states. */
    disturb: (exchange: ObservedExchange): void => wait(exchange),
    /** Hands on all that waits: no request is under way. */
    settle: (): void => release(Number.POSITIVE_INFINITY),
    /** Those that have begun and not ended, as far as they were told. */
    underWay: (): T[] => waiting.flatMap(({ one, isBegun }) => (isBegun && one !== undefined ? one : [])),
  };
}
