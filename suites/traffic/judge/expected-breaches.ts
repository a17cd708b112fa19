import type { EndpointId } from '../../../contracts/endpoints.ts';

/** A breach that a client makes on purpose, as its tests of refusals do. */
export interface ExpectedBreach {
  /** The requirement of the client that is broken: `client.body-constraint`. */
  readonly requirement: string;
  /** Only at this operation; absent: at any. */
  readonly endpoint?: EndpointId;
  /** Only at this place of the request; absent: at any. */
  readonly pointer?: string;
  /** Why it is sent. */
  readonly reason?: string;
}

/** What of a breach decides whether it was expected. */
interface Breach {
  readonly requirement: string;
  readonly endpoint: EndpointId;
  readonly pointer: string;
}

/** Counts how often each expected breach was seen, so that none is expected longer than it is made. */
export interface ExpectedBreaches {
  /** True of a breach that was expected; it is counted. */
  take(breach: Breach): boolean;
  /** Every entry in words, and how often it was seen. */
  counts(): { readonly entry: string; readonly times: number }[];
}

const inWords = ({ requirement, endpoint, pointer, reason }: ExpectedBreach): string =>
  [
    requirement,
    ...(endpoint === undefined ? [] : [`at ${endpoint}`]),
    ...(pointer === undefined ? [] : [pointer]),
    ...(reason === undefined ? [] : [`(${reason})`]),
  ].join(' ');

const isMet = (one: ExpectedBreach, { requirement, endpoint, pointer }: Breach): boolean =>
  one.requirement === requirement &&
  (one.endpoint === undefined || one.endpoint === endpoint) &&
  (one.pointer === undefined || one.pointer === pointer);

/** Begins to count. Every entry that a breach meets is counted. */
export function expectBreaches(entries: readonly ExpectedBreach[]): ExpectedBreaches {
  const times = entries.map(() => 0);
  return {
    take(breach) {
      let found = false;
      for (const [index, entry] of entries.entries()) {
        if (!isMet(entry, breach)) continue;
        times[index] = (times[index] ?? 0) + 1;
        found = true;
      }
      return found;
    },
    counts: () => entries.map((entry, index) => ({ entry: inWords(entry), times: times[index] ?? 0 })),
  };
}
