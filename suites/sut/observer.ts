import type { Json } from '../../contracts/json.ts';
import type { LeftBehind, Notice, Observation } from '../../contracts/report/journal.ts';
import type { Told } from '../model/interpret.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';

/** One try of a request, as it went on the wire. */
export interface Begun {
  /** Counted over the whole run: each try has its own. */
  readonly number: number;
  /** The id of its exchange: what is sent again, to be shrunk or confirmed, has that of the first time. */
  readonly id: string;
  readonly request: ApiRequest;
  /** The body as it is in this try, names stamped. */
  readonly sent: Json | undefined;
  /** Milliseconds of the run's monotonic clock. */
  readonly atMs: number;
}

/** When an answer came, and to which of the tries of its request. */
export interface Arrival {
  /** The number of the try; 0 where nothing went on the wire. */
  readonly number: number;
  /** Earlier tries of the same request: whether the target carried them out is not known. */
  readonly lost: readonly number[];
  readonly atMs: number;
}

/** Takes note of every answer, whoever caused it. */
export interface Observer {
  /** Told of every try when it goes on the wire. */
  begun?(one: Begun): void;
  note(answer: Answer): void;
  /** Told after `note` when the answer came, and to which try. What it is held against may tell something by it. */
  answered?(answer: Answer, arrival: Arrival): Told | undefined;
  /** What it noted, as the events that end a run; absent where it has none. */
  all?(): readonly (LeftBehind | Notice | Observation)[];
}
