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

/** Answers after which a client has to wait (RFC 9110 section 10.2.3). */
const asksToWait = ({ response }: ObservedExchange): boolean =>
  'status' in response && (response.status === 429 || response.status === 503);

/** What is told of requests or of exchanges: their breaches, and what of them could not be judged. */
function gathering() {
  let breaches: SeenBreach[] = [];
  let unjudged: Unjudged[] = [];
  return {
    breach: (one: SeenBreach): void => void breaches.push(one),
    unjudged: (one: Unjudged): void => void unjudged.push(one),
    /** What of that which is told meanwhile keeps something from passing. */
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
 * A gate before a judge: a request is held against the specification, and against how long its client was asked to wait,
 * an answer against all that the judge knows. What breaks a MUST does not pass, but for the breaches that are expected, and
 * neither does what could not be judged: nobody knows whether it breaks one.
 * What an answer shows of state is known once all that overlaps it has ended: where requests come one after another, at
 * once.
 */
export function gateBefore(
  judge: () => Pick<TrafficJudge, 'settle'> & { readonly sink: ExchangeSink },
  options: Omit<TrafficJudgeOptions, 'emit' | 'onBreach' | 'onUnjudged'>,
): Gate & Omit<ReturnType<typeof gathering>, 'objections'> {
  const [asked, answered] = [gathering(), gathering()];
  let number = 0;
  // Nothing of an answer is known yet, and nothing is reported: this judge only reads requests.
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
