import type { Collection } from '../../contracts/endpoint.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { isAccepted } from '../protocol/answer.ts';
import { createArrivals } from './arrivals.ts';
import type { Tally } from './bounded.ts';
import type { Breach } from './breach.ts';
import type { ObservedExchange } from './exchange.ts';
import type { KeyUse } from './key-use.ts';
import type { SeenExchange } from './seen.ts';
import { experimentTracker } from './shadow-experiments.ts';
import { gateTracker } from './shadow-gates.ts';
import { metricTracker } from './shadow-metrics.ts';
import type { Moment, Tracker } from './shadow-moment.ts';
import { neighbourTrackers } from './shadow-neighbours.ts';
import { sourceTracker } from './shadow-sources.ts';
import { walkTracker } from './shadow-walks.ts';

/** What the shadow of the server's state tells and asks. */
export interface ShadowOptions {
  readonly isSoleWriter: boolean;
  /** So long what was written may take to show, in milliseconds. */
  readonly settleMs: number;
  tell(breach: Breach, seen: SeenExchange): void;
  cover(seen: SeenExchange, requirements: Iterable<RequirementId>): void;
  readonly notJudged: Tally;
}

/** The state of a server as its answers showed it, against which later answers are held. */
export interface Shadow {
  /** Takes an exchange of the API; `isBroken` says that its request breaks what is stated. */
  note(seen: SeenExchange, use: KeyUse, isBroken: boolean): void;
  /** Takes one that is none of the API's: it may reset what stands behind it. */
  skip(exchange: ObservedExchange): void;
  /** Judges what still waits for others that may overlap it: none is under way. */
  settle(): void;
  readonly size: () => number;
}

/** Why nothing is said of state where others may write. */
const othersWrite = 'others may write too: --sole-writer says that nobody does';

const undocumented = 'a request that no section documents may have changed anything';
const otherKey = 'several keys are used: whether they see the same is not shown';

/** True of an exchange that may have changed something, by its method (RFC 9110 section 9.2.1) and its answer. */
const mayWrite = ({ request, response }: ObservedExchange): boolean =>
  !/^(GET|HEAD|OPTIONS|TRACE)$/i.test(request.method) &&
  !('status' in response && response.status >= 300 && response.status < 500);

/** How a request ended, as far as its effect goes. */
function effectOf(seen: SeenExchange, use: KeyUse, isBroken: boolean): Moment['effect'] {
  const { answer, body, row } = seen;
  const isUnauthorised = use.isKnown && !use.inHeader;
  if (answer.status >= 400 && answer.status < 500) return isUnauthorised ? 'unauthorised' : 'refused';
  // What was accepted in spite of a fault does what nobody states.
  if (isAccepted(answer) && !isBroken && !isUnauthorised && (body !== undefined || row.body === null))
    return 'accepted';
  return 'unknown';
}

/** Begins without knowing anything. */
export function createShadow(options: ShadowOptions): Shadow {
  const trackers: readonly Tracker[] = [
    gateTracker(options),
    sourceTracker(options),
    experimentTracker(options),
    metricTracker(options),
    ...neighbourTrackers(options),
    walkTracker(options),
  ];
  /** When the last write of a collection was answered that may have changed something. */
  const written = new Map<Collection, number>();

  /** The key of the last request that was accepted. */
  let lastKey: string | undefined;

  function forget(because: string): void {
    options.notJudged.add(because);
    for (const tracker of trackers) tracker.forget();
  }

  function judge(moment: Moment): void {
    const { seen, isOverlapped, effect, key } = moment;
    const { row, exchange } = seen;
    if (effect === 'accepted' || effect === 'unknown') {
      if (lastKey !== undefined && lastKey !== key) forget(otherKey);
      lastKey = key;
    }
    const isWrite = row.method !== 'GET';
    const before = written.get(row.collection);
    const isUnsettled = before !== undefined && exchange.sentAtMs < before + options.settleMs;
    if (isOverlapped) options.notJudged.add('a write of the same collection was under way at the same time');
    for (const tracker of trackers)
      if (tracker.resources.has(row.resource)) tracker.note({ ...moment, isUnsettled: isUnsettled || isOverlapped });
    if (isWrite && (effect === 'accepted' || effect === 'unknown')) {
      written.set(row.collection, Math.max(before ?? 0, exchange.answeredAtMs));
    }
  }

  const arrivals = createArrivals(
    judge,
    () => forget(undocumented),
    () => forget('requests before it were never seen to end'),
  );

  function skip(exchange: ObservedExchange): void {
    if (options.isSoleWriter && mayWrite(exchange)) arrivals.disturb(exchange);
    else arrivals.skip(exchange);
  }

  return {
    note(seen, use, isBroken) {
      if (seen.operation === undefined || !options.isSoleWriter) {
        if (seen.operation !== undefined) options.notJudged.add(othersWrite);
        skip(seen.exchange);
        return;
      }
      const effect = effectOf(seen, use, isBroken);
      arrivals.take({ seen, effect, key: use.key, isOverlapped: false, isUnsettled: false });
    },
    skip,
    settle: arrivals.settle,
    size: () => trackers.reduce((sum, one) => sum + one.size(), arrivals.size()),
  };
}
