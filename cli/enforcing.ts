import {
  createTrafficJudge,
  type ExchangeSink,
  type SeenBreach,
  type TrafficJudgeOptions,
} from '../suites/traffic/index.ts';
import type { Gate } from '../suites/traffic/proxy/enforce.ts';

/** A gate, and what the judge behind it has to tell it. */
export interface JudgedGate extends Gate {
  breach(breach: SeenBreach): void;
}

/**
 * A gate before a judge: a request is held against the specification by itself, an answer by all that the judge knows.
 * What breaks a MUST does not pass, but for the breaches that are expected.
 */
export function gateBefore(
  sink: () => ExchangeSink,
  options: Omit<TrafficJudgeOptions, 'emit' | 'onBreach'>,
): JudgedGate {
  let found: SeenBreach[] = [];
  let asked: SeenBreach[] = [];
  let requests = 0;
  // Nothing of an answer is known yet, and nothing is reported: this judge only reads requests.
  const reader = createTrafficJudge({ ...options, emit: () => {}, onBreach: breach => void asked.push(breach) });
  return {
    breach: breach => void found.push(breach),
    request(request) {
      asked = [];
      requests += 1;
      const response = { failure: 'not asked yet' };
      reader.observe({ number: requests, source: 'the wall', request, response, sentAtMs: 0, answeredAtMs: 0 });
      return asked.filter(({ side, level }) => side === 'client' && level === 'MUST');
    },
    exchange(exchange) {
      found = [];
      sink().observe(exchange);
      return found.filter(
        ({ side, level, number }) => side === 'server' && level === 'MUST' && number === exchange.number,
      );
    },
  };
}
