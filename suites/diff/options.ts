import type { Shown } from '../../contracts/redaction/shown.ts';
import type { Comparison } from '../../contracts/report/difference.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import type { RunOptions } from '../engine/config.ts';
import type { Target } from '../protocol/sut.ts';
import type { Recording } from './record/recording.ts';

/** A server that is compared. */
export interface DiffServer {
  readonly target: Target;
  /** Receives every event of a run of it: of those that look for noise (`run` from 1), and of the last (`run` 0). */
  emit(event: Shown<RunEvent>, run: number): void;
  /** The path of its target file, for the commands that a report prints. */
  readonly config?: string | undefined;
}

/** What is compared, and how. Durations are in milliseconds. */
export interface DiffOptions {
  /** A server, or what a run of it left behind. */
  readonly a: DiffServer | Recording;
  readonly b: DiffServer;
  /** What both runs share; the target, the token and what watches them are set by the comparison. */
  readonly run: Omit<RunOptions, 'target' | 'token' | 'config' | 'journal' | 'path' | 'timeMs' | 'learned'>;
  /** How often each server runs against itself first. */
  readonly noiseRuns: number;
  /** Both were reset or seeded alike: what was there before the run is compared whole. */
  readonly sameStart: boolean;
  /** Told what is done now, for display: "A and B, to see what differs from itself (1 of 1)". */
  readonly onPhase?: (what: string) => void;
}

/** How one side of a comparison ended. */
export interface DiffSideOutcome {
  /** That of its last run: `complete`, `interrupted`, `unreachable`, `error`. */
  readonly outcome: string;
  readonly because?: string;
  readonly requests: number;
}

/** What a comparison came to. */
export interface DiffOutcome {
  readonly comparison: Comparison;
  readonly a: DiffSideOutcome;
  readonly b: DiffSideOutcome;
}

/** Two addresses have one server behind them, or one store: what is written to one shows at the other. */
export class OneBackend extends Error {}
