import type { Json } from '../../contracts/json.ts';
import type { LeftBehind, Notice, Observation } from '../../contracts/report/journal.ts';
import type { Told } from '../model/interpret.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';

/** One attempt of a request, as it went on the wire. */
export interface Begun {
  /** Unique per attempt, counted over the whole run. */
  readonly number: number;
  /** The id of its exchange; repetitions for shrinking or confirming keep the first id. */
  readonly id: string;
  readonly request: ApiRequest;
  /** The body of this attempt, with stamped names. */
  readonly sent: Json | undefined;
  /** Milliseconds of the run's monotonic clock. */
  readonly atMs: number;
}

/** The arrival of an answer: when, and to which attempt. */
export interface Arrival {
  /** The number of the attempt; 0 if nothing went on the wire. */
  readonly number: number;
  /** Earlier attempts of the same request. The target may have carried out those that it did not answer. */
  readonly lost: readonly number[];
  readonly atMs: number;
}

/** Observes every answer, whoever caused it. */
export interface Observer {
  /** Called for every attempt when it goes on the wire. */
  begun?(one: Begun): void;
  note(answer: Answer, arrival: Arrival): void;
  /** Called after `note`. May return suspicions. */
  answered?(answer: Answer, arrival: Arrival): Told | undefined;
  /** Returns its results as the events that end a run; absent if it has none. */
  all?(): readonly (LeftBehind | Notice | Observation)[];
}
