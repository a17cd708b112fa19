import type { EndpointId } from '../../contracts/endpoints.ts';
import { entryOf } from '../protocol/entries.ts';
import { forgetOld } from './knowledge.ts';
import type { Suspicion } from './suspicion.ts';

/** Observations of one operation. */
interface Delay {
  fresh: number;
  longestMs: number;
  /** Suspicions that lag may explain, and when they came up. */
  readonly open: Map<Suspicion, number>;
}

/** Number of fresh answers that make a measurement, each of which could have been stale. */
const enough = 20;
/** Factor by which an answer may be staler than the longest lag seen. */
const margin = 2;

/**
 * Creates a record of how stale the answers of each operation are: only as much lag as was seen is excused. `measures`:
 * false if lag excuses answers however many were fresh.
 */
export function createDelays(measures: boolean) {
  const delays = new Map<EndpointId, Delay>();
  const of = (endpoint: EndpointId): Delay =>
    entryOf(delays, endpoint, () => ({ fresh: 0, longestMs: 0, open: new Map() }));
  function judge({ fresh, longestMs, open }: Delay): void {
    if (!measures || fresh < enough) return;
    for (const one of open.keys()) {
      if (one.isExplained) open.delete(one);
      else if ((one.behindMs ?? 0) > margin * longestMs || longestMs === 0) one.excuses.delete('lag');
      else one.excuses.add('lag');
    }
  }
  return {
    /** True while the fresh answers of an operation are still to be counted. */
    counts: (endpoint: EndpointId): boolean => of(endpoint).fresh < enough,
    /** Counts an answer that showed a recent write: it is not stale. */
    fresh(endpoint: EndpointId): void {
      const delay = of(endpoint);
      delay.fresh += 1;
      if (delay.fresh === enough) judge(delay);
    },
    /** Notes a suspicion that lag would explain. */
    suspect(one: Suspicion, atMs: number): void {
      const delay = of(one.endpoint);
      delay.open.set(one, atMs);
      judge(delay);
    },
    /** Notes that a later answer proved a suspicion to be lag. */
    explain(one: Suspicion): void {
      one.isExplained = true;
      const delay = of(one.endpoint);
      delay.open.delete(one);
      delay.longestMs = Math.max(delay.longestMs, one.behindMs ?? 0, 1);
      judge(delay);
    },
    forget(beforeMs: number): void {
      for (const { open } of delays.values()) forgetOld(open, atMs => atMs < beforeMs);
    },
  };
}
