import type { ExchangeSink, ObservedExchange } from '../exchange/exchange.ts';
import type { BodyRoom, BodyStore } from './body-store.ts';
import { type Framing, responseFraming } from './framing.ts';
import { type RequestHead, type ResponseHead, Unreadable } from './head.ts';
import { originForm } from './rewrite.ts';

/** What all connections of a proxy share. */
export interface Observation {
  readonly sink: ExchangeSink;
  readonly room: BodyRoom;
  /** The number of the next exchange, from 1. */
  next(): number;
  /** Milliseconds since the observation began. */
  now(): number;
  /** Tells in a line of something that cannot be judged. */
  notice(text: string): void;
  /** An exchange begins, or is over. */
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

/** So many requests of one connection may wait for their answers; with more, none of its answers is judged any more. */
const mostWaiting = 1_000;

/**
 * Joins the requests of one connection with their answers, in order, and hands on each exchange that is over. `source`
 * names the connection, for a person.
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

  /** Hands on the first exchange where both its sides are whole, or no more of the request is to come. */
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
    const words = one.answer === null ? why : `${why}, in the middle of the answer`;
    hand(one, { failure: words, ...(isDropped ? { isDropped } : {}) }, now());
  }

  /**
   * No answer can be read any more; `why` is said of each request that waits for one, and of each that follows.
   * `byTarget`: it was the target that ended the connection, and not because the client had.
   */
  function fail(why: string, byTarget = false): void {
    failure = why;
    settle(true);
    for (const [index, one] of waiting.splice(0).entries()) {
      // A connection that was used before may be closed at any time, and one on which a request still comes by an answer.
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
      if (last === undefined) return;
      last.sentAtMs = now();
      if (failure === null) settle();
      else for (const one of waiting.splice(0)) giveUp(one, failure);
    },
    /** Returns how the body of the answer ends. Throws `Unreadable` where no request waits for one. */
    responseHead(head: ResponseHead): Framing | 'raw' {
      const [first] = waiting;
      if (first === undefined || first.answer?.endedAtMs != null)
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
