import type { ExchangeSink, ObservedExchange } from '../exchange/exchange.ts';
import type { BodyRoom, BodyStore } from './body-store.ts';
import { type Framing, originForm, type RequestHead, type ResponseHead, responseFraming, Unreadable } from './head.ts';

/** The state shared by all connections of a proxy. */
export interface Observation {
  readonly sink: ExchangeSink;
  readonly room: BodyRoom;
  /** Returns the number of the next exchange, from 1. */
  next(): number;
  /** Returns the milliseconds since the observation began. */
  now(): number;
  /** Reports in one line something that cannot be judged. */
  notice(text: string): void;
  /** Counts an exchange that begins (1) or ends (-1). */
  count(change: 1 | -1): void;
}

interface UnderWay {
  readonly number: number;
  readonly head: RequestHead;
  readonly body: BodyStore;
  readonly beganAtMs: number;
  sentAtMs: number | null;
  answer: { readonly head: ResponseHead; readonly body: BodyStore; endedAtMs: number | null } | null;
}

/** Maximum number of requests per connection that wait for answers; above it, no more of its answers are judged. */
const mostWaiting = 1_000;

/**
 * Pairs the requests of one connection with their answers, in order, and hands on each finished exchange. `source`: the
 * name of the connection, for people.
 */
export function createPairing(source: string, observation: Observation) {
  const { sink, room, now } = observation;
  const waiting: UnderWay[] = [];
  let isInterim = false;
  let failure: string | null = null;
  let answered = 0;

  function hand(
    { number, head, body, beganAtMs, sentAtMs }: UnderWay,
    response: ObservedExchange['response'],
    atMs: number,
  ): void {
    if (sentAtMs === null) body.cut();
    const { method, target, headers } = head;
    observation.count(-1);
    try {
      sink.observe({
        number,
        source,
        request: { method, target: originForm(target), headers, body: body.take(headers) },
        response,
        beganAtMs,
        sentAtMs: sentAtMs ?? atMs,
        answeredAtMs: atMs,
      });
    } catch (error) {
      observation.notice(`${source}: exchange ${number} is not judged: ${(error as Error).message}`);
    }
  }

  /** Hands on the first exchange once both sides are complete, or its answer is and `isLast` is set. */
  function settle(isLast = false): void {
    const [first] = waiting;
    if (first?.answer?.endedAtMs == null || (first.sentAtMs === null && !isLast)) return;
    waiting.shift();
    answered += 1;
    const { head, body, endedAtMs } = first.answer;
    const { status, headers } = head;
    hand(first, { status, headers, body: body.take(headers) }, endedAtMs);
  }

  function giveUp(one: UnderWay, why: string, isDropped = false): void {
    one.answer?.body.take([]);
    const words = one.answer ? `${why}, in the middle of the answer` : why;
    hand(one, { failure: words, ...(isDropped ? { isDropped } : {}) }, now());
  }

  /**
   * Fails the waiting requests and every later one, because no more answers can be read. `byTarget`: the target closed
   * the connection on its own, not because the client had.
   */
  function fail(why: string, byTarget = false): void {
    failure = why;
    settle(true);
    for (const [index, one] of waiting.splice(0).entries()) {
      // A reused connection may be closed at any time, and an answer may close one while a request is still being sent.
      const isDue = one.answer !== null || (answered === 0 && one.sentAtMs !== null);
      giveUp(one, why, byTarget && index === 0 && isDue);
    }
  }

  return {
    fail,
    requestHead(head: RequestHead): void {
      if (waiting.length >= mostWaiting) fail(`more than ${mostWaiting} requests of the connection waited for answers`);
      observation.count(1);
      const [number, body] = [observation.next(), room.store()];
      waiting.push({ number, head, body, beganAtMs: now(), sentAtMs: null, answer: null });
    },
    requestData: (part: Buffer): void => void waiting.at(-1)?.body.add(part),
    requestEnd(): void {
      const last = waiting.at(-1);
      if (!last) return;
      last.sentAtMs = now();
      if (failure === null) settle();
      else for (const one of waiting.splice(0)) giveUp(one, failure);
    },
    /** Returns how the body of the answer ends. Throws `Unreadable` if no request waits for one. */
    responseHead(head: ResponseHead): Framing | 'raw' {
      const [first] = waiting;
      if (!first || first.answer?.endedAtMs != null)
        throw new Unreadable('the target sends more than it was asked for');
      isInterim = head.status < 200 && head.status !== 101;
      if (isInterim) return { kind: 'none' };
      first.answer = { head, body: room.store(), endedAtMs: null };
      if (head.status !== 101) return responseFraming(head, first.head.method);
      first.answer.endedAtMs = now();
      settle(true);
      return 'raw';
    },
    responseData: (part: Buffer): void => void waiting[0]?.answer?.body.add(part),
    responseEnd(): void {
      const [first] = waiting;
      if (isInterim || first?.answer == null) return;
      first.answer.endedAtMs = now();
      settle();
    },
  };
}
