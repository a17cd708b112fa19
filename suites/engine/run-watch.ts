import type { Answer } from '../protocol/answer.ts';
import type { CaseDescription, Violation } from '../protocol/check.ts';
import type { Arrival, Begun } from '../sut/observer.ts';
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
