import { present } from '../contracts/present.ts';
import {
  createTrafficJudge,
  type ExchangeSink,
  type ObservedExchange,
  type SeenBreach,
  type TrafficJudgeOptions,
  type Unjudged,
} from '../suites/traffic/index.ts';
import type { Gate, Objections } from '../suites/traffic/wire/enforce.ts';

/** A gate, and what the judge behind it has to tell it. */
interface JudgedGate extends Gate {
  breach(breach: SeenBreach): void;
  unjudged(one: Unjudged): void;
}

/** What judges exchanges that are over. */
interface JudgeBehind {
  readonly sink: ExchangeSink;
  /** Judges at once what waits for others: no other request is under way. */
  readonly settle: () => void;
}

/** Answers after which a client has to wait (RFC 9110 section 10.2.3). */
const asksToWait = ({ response }: ObservedExchange): boolean =>
  'status' in response && (response.status === 429 || response.status === 503);

/**
 * A gate before a judge: a request is held against the specification, and against how long its client was asked to wait,
 * an answer against all that the judge knows. What breaks a MUST does not pass, but for the breaches that are expected, and
 * neither does what could not be judged: nobody knows whether it breaks one.
 * What an answer shows of state is known once all that overlaps it has ended: where requests come one after another, at
 * once.
 */
export function gateBefore(
  judge: () => JudgeBehind,
  options: Omit<TrafficJudgeOptions, 'emit' | 'onBreach' | 'onUnjudged'>,
): JudgedGate {
  let found: SeenBreach[] = [];
  let blind: Unjudged[] = [];
  let asked: SeenBreach[] = [];
  let blindAsked: Unjudged[] = [];
  let requests = 0;
  // Nothing of an answer is known yet, and nothing is reported: this judge only reads requests.
  const reader = createTrafficJudge({
    ...options,
    judgesState: false,
    emit: () => {},
    onBreach: breach => void asked.push(breach),
    onUnjudged: one => void blindAsked.push(one),
  });
  return {
    breach: breach => void found.push(breach),
    unjudged: one => void blind.push(one),
    request(request, sentAtMs) {
      asked = [];
      blindAsked = [];
      requests += 1;
      const response = { failure: 'not asked yet' };
      reader.observe({ number: requests, source: 'the wall', request, response, sentAtMs, answeredAtMs: sentAtMs });
      return objections(asked, blindAsked, ({ side }) => side === 'client');
    },
    exchange(exchange, isAlone) {
      found = [];
      blind = [];
      if (asksToWait(exchange)) reader.observe(exchange);
      const { sink, settle } = judge();
      sink.observe(exchange);
      if (isAlone) settle();
      return objections(found, blind, ({ side, number }) => side === 'server' && number === exchange.number);
    },
  };
}

/** What of that which was told keeps something from passing. */
function objections(
  breaches: readonly SeenBreach[],
  blind: readonly Unjudged[],
  isOfIt: (one: Pick<Unjudged, 'side' | 'number'>) => boolean,
): Objections {
  const unjudged = blind.find(isOfIt)?.because;
  return present({ breaches: breaches.filter(one => one.level === 'MUST' && isOfIt(one)), unjudged });
}
