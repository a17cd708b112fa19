import type { Profile } from '../../contracts/report/journal.ts';
import type { Target } from '../protocol/sut.ts';
import type { Selection } from './plan.ts';

/** Everything that decides what a run sends and how. */
export interface RunOptions {
  readonly target: Target;
  readonly embedded: boolean;
  readonly selection: Selection;
  readonly seed: number;
  readonly profile: Profile;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** How long, in milliseconds, what should become visible is waited for; 2 seconds if absent. */
  readonly settleMs?: number;
  readonly rate?: number | undefined;
  readonly readOnly: boolean;
  readonly strict: boolean;
  /** Replays one case; the selection must be exactly one check. */
  readonly path?: string | undefined;
  /** The target file's path, for the commands a report prints. */
  readonly config?: string | undefined;
  /** Marks what the run creates; absent: a random one. */
  readonly token?: string;
  readonly signal?: AbortSignal;
  /** After so many requests nothing more is sent but what puts the target back. */
  readonly maxRequests?: number | undefined;
  /**
   * How long, in milliseconds, the run goes on: everything that can be enumerated first, then ever more random scenarios and requests. What was not begun by then
   * is untested. Absent: until the plan is carried out.
   */
  readonly timeMs?: number | undefined;
  /** Milliseconds since any moment, for `timeMs`; the clock of the process if absent. */
  readonly clock?: () => number;
}
