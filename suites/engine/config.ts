import type { Ms } from '../../contracts/duration.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Answer } from '../protocol/answer.ts';
import type { CaseDescription, Violation } from '../protocol/check.ts';
import type { LearnedWord, Target } from '../protocol/sut.ts';
import type { Arrival, Begun } from '../sut/observer.ts';
import type { Selection } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { Snapshot } from './snapshot.ts';

/** Who watches a run, beside the events that it emits. It judges nothing, and what it does changes no verdict. */
export interface RunWatch {
  /** Told of every request when it goes on the wire, each try of it too. */
  begun?(one: Begun): void;
  /** Told of every answer, in the order in which they came. */
  answer(answer: Answer): void;
  /** The same, and when it came, to which of the tries that `begun` told. */
  answered?(answer: Answer, arrival: Arrival): void;
  /** Told of a case of the plan (`endpoint/check#path`) that was sent, and of what its answers broke. */
  sent(id: string, description: CaseDescription, violations: readonly Violation[]): void;
  /** Waited for when the state of the fixtures is known and nothing was written yet. May throw `RunStopped`. */
  beforeLanes?(run: RunState, snapshot: Snapshot): Promise<void>;
  /** Waited for when the plan was carried out to its end, before the fixtures are put back. */
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
  /** The name of the set of requirements by which the run is judged; the newest one when absent. */
  readonly requirements?: string | undefined;
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** Longest wait for one answer. */
  readonly timeoutMs: Ms<'timeout'>;
  /** Longest wait for a write to become visible. */
  readonly settleMs: Ms<'settle'>;
  /** Slower answers are told at the end of the run, and not judged. */
  readonly maxResponseMs?: Ms<'max-response-time'> | undefined;
  /** Requests a second at most. */
  readonly rate?: number | undefined;
  /** Each request carries a `traceparent` made of the token and its case. */
  readonly trace?: boolean | undefined;
  /** Send GET only. */
  readonly readOnly: boolean;
  /** A broken SHOULD fails too. */
  readonly strict: boolean;
  /** The least coverage, in percent, that whoever reports the run asks for. It is written down, and judges nothing here. */
  readonly minCoverage?: number | undefined;
  /** After so many causes whoever calls says that `enough` is known. It is written down, and counts nothing here. */
  readonly bail?: number | undefined;
  /** Replays one case; the selection must be exactly one check. */
  readonly path?: string | undefined;
  /** What an earlier run learned from the target's answers: then nothing is learned anew. */
  readonly learned?: readonly LearnedWord[] | undefined;
  /** The paths of the target file and of the journal, for the commands a report prints. */
  readonly config?: string | undefined;
  readonly journal?: string | undefined;
  /** Marks what the run creates. */
  readonly token: string;
  readonly signal?: AbortSignal | undefined;
  /**
   * Asked before each request: why enough is known, or null. After that nothing more is sent but what puts the target
   * back. The ends of checks are then emitted as soon as they have something to say, and once more when they are final.
   */
  readonly enough?: (() => string | null) | undefined;
  /**
   * After so many requests nothing more is sent but what puts the target back. Where the target file has a limit of its
   * own (`limits.requests`), the smaller one counts.
   */
  readonly maxRequests?: number | undefined;
  /**
   * How long the run goes on: first everything that can be enumerated, then ever more random scenarios and requests.
   * What was not begun by then is untested. Absent: until the plan is carried out.
   */
  readonly timeMs?: Ms<'time'> | undefined;
  /** Milliseconds since any moment, for `timeMs` and for the duration of the run. */
  readonly clock: () => number;
  /** Told of every answer and every case, and asked to wait between phases: for a comparison of two runs. */
  readonly watch?: RunWatch | undefined;
}

/** The default of every option that has a fixed one; the command line and the vitest adapter take theirs from here. */
export const runDefaults = {
  embedded: false,
  selection: { only: [], skip: [] },
  seed: 1,
  profile: 'standard',
  concurrency: 8,
  timeoutMs: 10_000,
  settleMs: 2_000,
  readOnly: false,
  strict: false,
} as const satisfies Partial<RunConfig>;

/** What tells the entities of one run from those of others. The global, because `conform --help` loads this module. */
export const newToken = (): string => crypto.getRandomValues(Buffer.alloc(4)).toString('hex');

/** A target, and what differs from the defaults. The token is random, and the clock that of the process, if absent. */
export type RunOptions = Pick<RunConfig, 'target'> & {
  readonly [Name in keyof RunConfig]?: RunConfig[Name] | undefined;
};

/** The options of a caller completed by the defaults. */
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
