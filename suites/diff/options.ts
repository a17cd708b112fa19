import type { Shown } from '../../contracts/redaction/shown.ts';
import type { Comparison } from '../../contracts/report/difference.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import type { RunOptions } from '../engine/config.ts';
import type { Target } from '../protocol/sut.ts';
import type { Recording } from './record/recording.ts';

/** A server to compare. */
export interface DiffServer {
  readonly target: Target;
  /** Receives every event of its runs: `run` counts from 1 for the runs that look for noise, and is 0 for the last. */
  emit(event: Shown<RunEvent>, run: number): void;
  /** The path of its target file, for the commands in a report. */
  readonly config?: string | undefined;
}

/** The options of a comparison. Durations are in milliseconds. */
export interface DiffOptions {
  /** A server, or the recording of one of its runs. */
  readonly a: DiffServer | Recording;
  readonly b: DiffServer;
  /** The options of both runs; the comparison itself sets target, token and watch. */
  readonly run: Omit<RunOptions, 'target' | 'token' | 'config' | 'journal' | 'path' | 'timeMs' | 'learned'>;
  /** Number of runs in which each server is compared with itself first. */
  readonly noiseRuns: number;
  /** True if both were reset or seeded alike: values from before the run are then compared in full. */
  readonly sameStart: boolean;
  /** Called with the current phase, for display: "A and B, to see what differs from itself (1 of 1)". */
  readonly onPhase?: (what: string) => void;
}

/** How the last run of one side ended. */
export interface DiffSideOutcome {
  /** `complete`, `interrupted`, `unreachable` or `error`. */
  readonly outcome: string;
  readonly because?: string;
  readonly requests: number;
}

/** The result of a comparison. */
export interface DiffOutcome {
  readonly comparison: Comparison;
  readonly a: DiffSideOutcome;
  readonly b: DiffSideOutcome;
}

/** Thrown if two addresses lead to one server or store: a write at one shows at the other. */
export class OneBackend extends Error {}
