import type { EndpointId } from '../../../contracts/endpoints.ts';
import { compact } from '../../../contracts/present.ts';

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

const inWords = ({ requirement, endpoint, pointer, reason }: ExpectedBreach): string =>
  compact([requirement, endpoint && `at ${endpoint}`, pointer, reason && `(${reason})`]).join(' ');

/**
 * Begins to count how often each expected breach was seen, so that none is expected longer than it is made. Every entry
 * that a breach meets is counted.
 */
export function expectBreaches(entries: readonly ExpectedBreach[]) {
  const counted = entries.map(entry => ({ entry, times: 0 }));
  return {
    /** True of a breach that was expected; it is counted. */
    take(requirement: string, endpoint: EndpointId, pointer: string): boolean {
      const met = counted.filter(
        ({ entry }) =>
          entry.requirement === requirement &&
          (entry.endpoint ?? endpoint) === endpoint &&
          (entry.pointer ?? pointer) === pointer,
      );
      for (const one of met) one.times += 1;
      return met.length > 0;
    },
    /** Every entry in words, and how often it was seen. */
    counts: () => counted.map(({ entry, times }) => ({ entry: inWords(entry), times })),
  };
}
