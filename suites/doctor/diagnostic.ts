import type { EndpointId } from '../../contracts/endpoints.ts';

/** What a diagnosis looks at, in its order. */
export const areas = ['reachable', 'key', 'fixtures', 'lists', 'clock', 'capabilities'] as const;

/** One thing that was looked at. A `problem` keeps a run from proving something; a `note` is there to be known. */
export interface Diagnostic {
  readonly area: (typeof areas)[number];
  readonly state: 'ok' | 'problem' | 'note';
  readonly text: string;
  readonly remedy?: string;
  /** Endpoints that cannot be tested while the problem lasts. */
  readonly endpoints?: readonly EndpointId[];
}
