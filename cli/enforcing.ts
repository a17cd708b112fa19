import {
  createTrafficJudge,
  type ExchangeSink,
  type ObservedExchange,
  type SeenBreach,
  type TrafficJudgeOptions,
} from '../suites/traffic/index.ts';
import type { Gate } from '../suites/traffic/proxy/enforce.ts';

/** A gate, and what the judge behind it has to tell it. */
export interface JudgedGate extends Gate {
  breach(breach: SeenBreach): void;
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
 * an answer against all that the judge knows. What breaks a MUST does not pass, but for the breaches that are expected.
 * What an answer shows of state is known once all that overlaps it has ended: where requests come one after another, at
 * once.
 */
export function gateBefore(
  judge: () => JudgeBehind,
  options: Omit<TrafficJudgeOptions, 'emit' | 'onBreach'>,
): JudgedGate {
  let found: SeenBreach[] = [];
  let asked: SeenBreach[] = [];
  let requests = 0;
  // Nothing of an answer is known yet, and nothing is reported: this judge only reads requests.
  const reader = createTrafficJudge({
    ...options,
    soleWriter: false,
    emit: () => {},
    onBreach: breach => void asked.push(breach),
  });
  return {
    breach: breach => void found.push(breach),
    request(request, sentAtMs) {
      asked = [];
      requests += 1;
      const response = { failure: 'not asked yet' };
      reader.observe({ number: requests, source: 'the wall', request, response, sentAtMs, answeredAtMs: sentAtMs });
      return asked.filter(({ side, level }) => side === 'client' && level === 'MUST');
    },
    exchange(exchange, isAlone) {
      found = [];
      if (asksToWait(exchange)) reader.observe(exchange);
      const { sink, settle } = judge();
      sink.observe(exchange);
      if (isAlone) settle();
      return found.filter(
        ({ side, level, number }) => side === 'server' && level === 'MUST' && number === exchange.number,
      );
    },
  };
}
