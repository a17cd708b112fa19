import { present } from '../contracts/present.ts';
import {
  createTrafficJudge,
  type ExchangeSink,
  type ObservedExchange,
  type SeenBreach,
  type TrafficJudge,
  type TrafficJudgeOptions,
  type Unjudged,
} from '../suites/traffic/index.ts';
import type { Gate, Objections } from '../suites/traffic/wire/enforce.ts';

/** True if the answer makes the client wait (RFC 9110 section 10.2.3). */
const asksToWait = ({ response }: ObservedExchange): boolean =>
  'status' in response && (response.status === 429 || response.status === 503);

/** Gathers the breaches of requests or exchanges, and those that could not be judged. */
function gathering() {
  let breaches: SeenBreach[] = [];
  let unjudged: Unjudged[] = [];
  return {
    breach: (one: SeenBreach): void => void breaches.push(one),
    unjudged: (one: Unjudged): void => void unjudged.push(one),
    /** Runs `act` and returns what it reported that keeps the request or answer from passing. */
    objections(act: () => void, isOfIt: (one: Pick<Unjudged, 'side' | 'number'>) => boolean): Objections {
      breaches = [];
      unjudged = [];
      act();
      return present({
        breaches: breaches.filter(one => one.level === 'MUST' && isOfIt(one)),
        unjudged: unjudged.find(isOfIt)?.because,
      });
    },
  };
}

/**
 * Returns a gate before a judge. It judges a request by the specification and by how long its client was asked to wait,
 * and an answer by all that the judge knows.
 *
 * Does not pass anything that breaks a MUST, except expected breaches. Does not pass anything that could not be judged
 * either, because it may break one.
 *
 * State shown by an answer is judged once all overlapping exchanges have ended; for sequential requests, at once.
 */
export function gateBefore(
  judge: () => Pick<TrafficJudge, 'settle'> & { readonly sink: ExchangeSink },
  options: Omit<TrafficJudgeOptions, 'emit' | 'onBreach' | 'onUnjudged'>,
): Gate & Omit<ReturnType<typeof gathering>, 'objections'> {
  const [asked, answered] = [gathering(), gathering()];
  let number = 0;
  // This judge only reads requests: it knows no answers and reports nothing.
  const reader = createTrafficJudge({
    ...options,
    judgesState: false,
    emit: () => {},
    onBreach: asked.breach,
    onUnjudged: asked.unjudged,
  });
  return {
    breach: answered.breach,
    unjudged: answered.unjudged,
    request(request, sentAtMs) {
      number += 1;
      const response = { failure: 'not asked yet' };
      const exchange = { number, source: 'the wall', request, response, sentAtMs, answeredAtMs: sentAtMs };
      return asked.objections(
        () => reader.observe(exchange),
        ({ side }) => side === 'client',
      );
    },
    exchange(exchange, isAlone) {
      if (asksToWait(exchange)) reader.observe(exchange);
      const { sink, settle } = judge();
      return answered.objections(
        () => {
          sink.observe(exchange);
          if (isAlone) settle();
        },
        ({ side, number: own }) => side === 'server' && own === exchange.number,
      );
    },
  };
}
