import type { WireFailure } from '../../contracts/behaviour.ts';
import type { HandlerResponse } from './response.ts';

/** The header that tells which behaviour made an answer. */
export const behaviourHeader = 'x-reference-behaviour';

/** What a request is to meet in the place of the answer of its operation, or on the way of that one. */
export interface PlannedAnswer {
  /** The id of the behaviour. */
  readonly behaviour: string;
  /** So many more requests it answers; null where there is no end. */
  readonly left: number | null;
  /** The answer; that of the operation when absent. */
  readonly answer?: HandlerResponse;
  readonly wire?: WireFailure | undefined;
  readonly bytesPerSecond?: number | undefined;
  /** Whether the operation is carried out, and when. */
  readonly effect: 'before' | 'after' | 'none';
}

/** What behaviours make of one request beside its operations. */
export interface Planned {
  readonly planned?: PlannedAnswer;
  /** Resolves when the request has been held back for long enough. */
  readonly hold?: () => Promise<void>;
}
