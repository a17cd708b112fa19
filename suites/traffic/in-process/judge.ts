import type { SeenBreach } from '../exchange/breach.ts';
import type { ObservedExchange, ObservedRequest } from '../exchange/exchange.ts';
import { targetBelow } from '../exchange/paths.ts';
import { createTrafficJudge } from '../judge/judge.ts';
import type { TrafficJudgeOptions } from '../judge/options.ts';
import { type BodyRoom, createBodyRoom } from '../wire/body-store.ts';

/** Options for judging the traffic of this process. */
export interface InProcessOptions extends Pick<TrafficJudgeOptions, 'naming' | 'apiKey' | 'soleWriter' | 'expected'> {
  /** The base URL that the client under test uses. Other requests are ignored. */
  readonly baseUrl: string | URL;
}

/** Judges the traffic of this process, as observed by `judgedFetch` and `judgedInterceptor`. */
export interface InProcessJudge {
  /**
   * Returns the breaches since the last call, in the order seen: those of one side, or of both. Waits until the answers
   * under way have been read.
   */
  breaches(side?: SeenBreach['side']): Promise<readonly SeenBreach[]>;
  /** Returns the number of observed exchanges. */
  exchanges(): number;
}

/** Hands observed traffic to a judge. */
export interface Observer {
  readonly room: BodyRoom;
  /** Returns the path and query below the base URL; undefined for other requests. Throws for an invalid URL. */
  targetOf(url: string | URL): string | undefined;
  /** Begins an exchange. The returned function ends it, and never throws. */
  begin(): (request: ObservedRequest, response: ObservedExchange['response']) => void;
  /** Delays `breaches` until this work is done. The work may fail. */
  wait(work: Promise<unknown>): void;
}

const observers = new WeakMap<InProcessJudge, Observer>();

/** Returns the observer of a judge. Throws for an object that `judgeInProcess` did not make. */
export function observerOf(judge: InProcessJudge): Observer {
  const observer = observers.get(judge);
  if (!observer) throw new TypeError('not a judge of this process: make one with judgeInProcess');
  return observer;
}

/**
 * Starts judging the traffic of this process, for tests of a client.
 *
 * @throws TypeError for an invalid base URL
 */
export function judgeInProcess(options: InProcessOptions): InProcessJudge {
  const baseUrl = new URL(options.baseUrl);
  const base = `${baseUrl.origin}${baseUrl.pathname.replace(/\/+$/, '')}`;
  let found: SeenBreach[] = [];
  let begun = 0;
  let handed = 0;
  const underWay = new Set<Promise<unknown>>();
  const start = performance.now();
  const judge = createTrafficJudge({
    ...options,
    baseUrl,
    // `onBreach` reports everything needed; the events are not used.
    emit: () => {},
    onBreach: breach => void found.push(breach),
  });
  const own: InProcessJudge = {
    exchanges: () => handed,
    async breaches(side) {
      while (underWay.size > 0) await Promise.all(underWay);
      judge.settle();
      const told = found.filter(breach => !side || breach.side === side);
      found = found.filter(breach => !told.includes(breach));
      return told;
    },
  };
  observers.set(own, {
    room: createBodyRoom(),
    targetOf: url => targetBelow(new URL(url), base),
    begin() {
      begun += 1;
      const number = begun;
      const sentAtMs = performance.now() - start;
      return (request, response) => {
        handed += 1;
        const answeredAtMs = performance.now() - start;
        judge.observe({ number, source: 'this process', request, response, sentAtMs, answeredAtMs });
      };
    },
    wait(work) {
      const waited: Promise<unknown> = work.catch(() => {}).then(() => underWay.delete(waited));
      underWay.add(waited);
    },
  });
  return own;
}
