import type { EndpointId } from '../../../contracts/endpoints.ts';
import { compact } from '../../../contracts/present.ts';

/** A breach that the client makes on purpose, as in tests of refusals. */
export interface ExpectedBreach {
  /** The broken requirement of the client: `client.body-constraint`. */
  readonly requirement: string;
  /** Applies only at this operation; absent: at any. */
  readonly endpoint?: EndpointId;
  /** Applies only at this place in the request; absent: at any. */
  readonly pointer?: string;
  /** Why the client sends it. */
  readonly reason?: string;
}

const inWords = ({ requirement, endpoint, pointer, reason }: ExpectedBreach): string =>
  compact([requirement, endpoint && `at ${endpoint}`, pointer, reason && `(${reason})`]).join(' ');

/**
 * Counts how often each expected breach was seen, so that outdated entries are noticed. A breach counts for every entry
 * that it matches.
 */
export function expectBreaches(entries: readonly ExpectedBreach[]) {
  const counted = entries.map(entry => ({ entry, times: 0 }));
  return {
    /** Counts a breach. Returns true if it was expected. */
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
    /** Returns every entry in words with its count. */
    counts: () => counted.map(({ entry, times }) => ({ entry: inWords(entry), times })),
  };
}
