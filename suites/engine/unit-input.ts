import type { NotExercised } from '../../contracts/report/journal.ts';
import type { ActiveCheck, CheckContext, WatchingCheck } from '../checks/check.ts';
import type { Casebook } from './casebook.ts';
import type { Sighting, Wire } from './session.ts';

/** One active check of one endpoint, about to run. */
export interface UnitInput {
  readonly id: string;
  readonly check: ActiveCheck<never>;
  readonly context: CheckContext;
  readonly wire: Wire;
  readonly seed: number;
  readonly concurrency: number;
  /** Replays one case only. */
  readonly path?: string | undefined;
  readonly watching: (endpoint: CheckContext['endpoint']) => readonly WatchingCheck[];
  /** The casebook of the check that owns a draft: this unit's own, or a watching check's. */
  readonly casebookOf: (unit: string) => Casebook;
  /** Called for each answer that a watching check could judge. */
  readonly onSighting: (unit: string, sighting: Sighting) => void;
  /** True when no further case is to be begun. */
  readonly isTimeUp: () => boolean;
}

/** What running a unit showed, beside what it wrote into the casebooks. */
export interface UnitOutcome {
  cases: number;
  requests: number;
  accepted: number;
  refused: number;
  /** Cases that proved something. */
  proved: number;
  /** Of those: the ones that hold only if the plain request was accepted in this run. */
  provisional: number;
  /** Why cases proved nothing, most frequent first. */
  because: string[];
  remedy?: string;
  notExercised: readonly NotExercised[];
  /** The requirements that its cases showed something of; null where the check does not track them. */
  exercised: Set<string> | null;
}
