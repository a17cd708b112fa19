import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Suspicion } from './suspicion.ts';

/** How far behind the answers of each operation are: what is farther behind than any that was seen is not excused. */
export interface Delays {
  /** Whether answers of an operation that are not behind are still to be counted. */
  counts(endpoint: EndpointId): boolean;
  /** An answer showed what was written just before: it is not behind. */
  fresh(endpoint: EndpointId): void;
  /** An answer would be explained by being behind. */
  suspect(one: Suspicion, atMs: number): void;
  /** A later answer shows that one was behind indeed. */
  explain(one: Suspicion): void;
  forget(beforeMs: number): void;
}

/** What was seen of one operation. */
interface Delay {
  fresh: number;
  longestMs: number;
  /** Suspicions that being behind may explain, and when they came up. */
  readonly open: Map<Suspicion, number>;
}

/** So many answers that could have been behind, and were not, are a measurement. */
const enough = 20;
/** An answer may be farther behind than the longest that was seen, by this factor. */
const margin = 2;

/** Begins without an answer seen. `measures`: false where being behind excuses answers, however many are not. */
export function createDelays(measures: boolean): Delays {
  const delays = new Map<EndpointId, Delay>();
  const of = (endpoint: EndpointId): Delay => {
    const known = delays.get(endpoint) ?? { fresh: 0, longestMs: 0, open: new Map() };
    delays.set(endpoint, known);
    return known;
  };
  function judge({ fresh, longestMs, open }: Delay): void {
    if (!measures || fresh < enough) return;
    for (const one of open.keys()) {
      if (one.isExplained) open.delete(one);
      else if ((one.behindMs ?? 0) > margin * longestMs || longestMs === 0) one.excuses.delete('lag');
      else one.excuses.add('lag');
    }
  }
  return {
    counts: endpoint => of(endpoint).fresh < enough,
    fresh(endpoint) {
      const delay = of(endpoint);
      delay.fresh += 1;
      if (delay.fresh === enough) judge(delay);
    },
    suspect(one, atMs) {
      const delay = of(one.endpoint);
      delay.open.set(one, atMs);
      judge(delay);
    },
    explain(one) {
      one.isExplained = true;
      const delay = of(one.endpoint);
      delay.open.delete(one);
      delay.longestMs = Math.max(delay.longestMs, one.behindMs ?? 0, 1);
      judge(delay);
    },
    forget(beforeMs) {
      for (const { open } of delays.values()) for (const [one, atMs] of open) if (atMs < beforeMs) open.delete(one);
    },
  };
}
