import type { Naming } from '../../../contracts/target.ts';
import type { SeenBreach } from '../exchange/breach.ts';
import type { ObservedExchange, ObservedRequest } from '../exchange/exchange.ts';
import { targetBelow } from '../exchange/paths.ts';
import type { ExpectedBreach } from '../judge/expected-breaches.ts';
import { createTrafficJudge } from '../judge/judge.ts';
import { type BodyRoom, createBodyRoom } from '../wire/body-store.ts';

/** What the traffic of a process is judged with. */
export interface InProcessOptions {
  /** The base URL that the client under test is given. Requests to anything else are nobody's business here. */
  readonly baseUrl: string | URL;
  /** Names that differ from those of the specification. */
  readonly naming?: Partial<Naming>;
  /** The key, where it is known: then it is recognised wherever it is sent. */
  readonly apiKey?: string;
  /** Nobody but this process writes: an answer that contradicts earlier ones breaks a MUST. False when absent: a warning. */
  readonly soleWriter?: boolean;
  /** Breaches that the client makes on purpose, as tests of refusals do. */
  readonly expected?: readonly ExpectedBreach[];
}

/** Judges what passes in this process; `judgedFetch` and `judgedInterceptor` hand it what they see. */
export interface InProcessJudge {
  /**
   * What was broken since it was asked last, in the order in which it was seen: by the client, by the server, or by
   * both. Waits until the answers that are under way have been read.
   */
  breaches(side?: SeenBreach['side']): Promise<readonly SeenBreach[]>;
  /** Exchanges that were handed over. */
  exchanges(): number;
}

/** What sees traffic, as it hands it to a judge. */
export interface Observer {
  readonly room: BodyRoom;
  /** The path and query below the base URL; undefined for a request to anything else. Throws for what is no URL. */
  targetOf(url: string | URL): string | undefined;
  /** Begins an exchange; what it returns ends it, and never throws. */
  begin(): (request: ObservedRequest, response: ObservedExchange['response']) => void;
  /** Work that has to be done before the breaches can be told. It may fail. */
  wait(work: Promise<unknown>): void;
}

const observers = new WeakMap<InProcessJudge, Observer>();

/** The observer of a judge. Throws for an object that `judgeInProcess` did not make. */
export function observerOf(judge: InProcessJudge): Observer {
  const observer = observers.get(judge);
  if (observer === undefined) throw new TypeError('not a judge of this process: make one with judgeInProcess');
  return observer;
}

/**
 * Begins to judge the traffic of this process, for tests of a client.
 *
 * @throws TypeError for a base URL that is none
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
    // What the events would tell, the breaches tell as they are seen.
    emit: () => {},
    onBreach: breach => void found.push(breach),
  });
  const own: InProcessJudge = {
    exchanges: () => handed,
    async breaches(side) {
      while (underWay.size > 0) await Promise.all(underWay);
      judge.settle();
      const told = found.filter(breach => side === undefined || breach.side === side);
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
