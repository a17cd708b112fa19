import { type Ms, usualSettleMs } from '../../contracts/duration.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CaseDescription, Violation } from '../protocol/check.ts';
import type { LearnedWord, Target } from '../protocol/sut.ts';
import type { Arrival, Begun } from '../sut/observer.ts';
import type { Selection } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { Snapshot } from './snapshot.ts';

/** Watches a run, beside its events. It judges nothing and changes no verdict. */
export interface RunWatch {
  /** Called when a request goes on the wire, once per attempt. */
  begun?(one: Begun): void;
  /** Called for every answer, in order of arrival. */
  answer(answer: Answer): void;
  /** The same with its arrival: when, and to which attempt of `begun`. */
  answered?(answer: Answer, arrival: Arrival): void;
  /** Called for each planned case (`endpoint/check#path`) that was sent, with the violations of its answers. */
  sent(id: string, description: CaseDescription, violations: readonly Violation[]): void;
  /** Awaited when the state of the fixtures is known, before the first write. May throw `RunStopped`. */
  beforeLanes?(run: RunState, snapshot: Snapshot): Promise<void>;
  /** Awaited when the plan has been carried out, before the fixtures are restored. */
  beforeRestore?(run: RunState, snapshot: Snapshot): Promise<void>;
}

/** Everything that decides what a run sends and how. Durations are in milliseconds. */
export interface RunConfig {
  readonly target: Target;
  /** True when the target is the reference server of this package, started for this run. */
  readonly embedded: boolean;
  readonly selection: Selection;
  readonly seed: number;
  readonly profile: Profile;
  /** The set of requirements that judges the run; the newest when absent. */
  readonly requirements?: string | undefined;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /** Maximum wait for one answer. */
  readonly timeoutMs: Ms<'timeout'>;
  /** Maximum wait for a write to become visible. */
  readonly settleMs: Ms<'settle'>;
  /** Slower answers are reported at the end of the run, but not judged. */
  readonly maxResponseMs?: Ms<'max-response-time'> | undefined;
  /** Maximum number of requests per second. */
  readonly rate?: number | undefined;
  /** Send a `traceparent` made of the token and the case with each request. */
  readonly trace?: boolean | undefined;
  /** Send GET only. */
  readonly readOnly: boolean;
  /** A violated SHOULD fails the run too. */
  readonly strict: boolean;
  /** Minimum coverage in percent that the reporter demands. Recorded in the journal only. */
  readonly minCoverage?: number | undefined;
  /** Number of causes after which the caller reports `enough`. Recorded in the journal only. */
  readonly bail?: number | undefined;
  /** Replays one case; the selection must contain exactly one active check. */
  readonly path?: string | undefined;
  /** The vocabulary that an earlier run learned. If present, nothing new is learned. */
  readonly learned?: readonly LearnedWord[] | undefined;
  /** The paths of the target file and the journal, for the commands in a report. */
  readonly config?: string | undefined;
  readonly journal?: string | undefined;
  /** Marks what the run creates. */
  readonly token: string;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called before each request: returns the reason to stop, or null. After that only requests that restore the target
   * are sent. Ends of checks are emitted early, and once more when final.
   */
  readonly enough?: (() => string | null) | undefined;
  /**
   * Maximum number of requests, not counting those that restore the target. The smaller of this and the target file's
   * `limits.requests` applies.
   */
  readonly maxRequests?: number | undefined;
  /**
   * Duration of the run: first everything that can be enumerated, then random scenarios and requests. Units not begun
   * by then are untested. Absent: until the plan is done.
   */
  readonly timeMs?: Ms<'time'> | undefined;
  /** Milliseconds since an arbitrary moment, for `timeMs` and the duration of the run. */
  readonly clock: () => number;
  /** Sees every answer and case, and may delay phases: for comparing two runs. */
  readonly watch?: RunWatch | undefined;
}

/** The defaults shared by the command line and the vitest adapter. */
export const runDefaults = {
  embedded: false,
  selection: { only: [], skip: [] },
  seed: 1,
  profile: 'standard',
  concurrency: 8,
  timeoutMs: 10_000,
  settleMs: usualSettleMs,
  readOnly: false,
  strict: false,
} as const satisfies Partial<RunConfig>;

/**
 * Returns a token that distinguishes the entities of one run. Uses the global `crypto`, because `conform --help` loads
 * this module.
 */
export const newToken = (): string => crypto.getRandomValues(Buffer.alloc(4)).toString('hex');

/** A target, and overrides of the defaults. If absent, the token is random and the clock is the process's. */
export type RunOptions = Pick<RunConfig, 'target'> & {
  readonly [Name in keyof RunConfig]?: RunConfig[Name] | undefined;
};

/** Completes a caller's options with the defaults. */
export function configOf(options: RunOptions): RunConfig {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const limits = [options.maxRequests, options.target.limits?.requests].filter(limit => limit !== undefined);
  return {
    token: newToken(),
    clock: () => performance.now(),
    ...runDefaults,
    ...(given as Partial<RunConfig>),
    ...(limits.length === 0 ? {} : { maxRequests: Math.min(...limits) }),
    target: options.target,
  };
}
