import type { NotExercised } from '../../contracts/report/journal.ts';
import type { ActiveCheck, CheckContext, PassiveCheck } from '../protocol/check.ts';
import type { PassiveResult, Wire } from '../sut/session.ts';
import type { FindingsCollector } from './findings.ts';

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
  readonly passive: (endpoint: CheckContext['endpoint']) => readonly PassiveCheck[];
  /** The collector of the check that owns a violation: this unit's own, or a passive check's. */
  readonly collectorOf: (unit: string) => FindingsCollector;
  /** Called for each answer that a passive check could judge. */
  readonly onPassiveResult: (unit: string, result: PassiveResult) => void;
  /** True when no further case is to be begun. */
  readonly isTimeUp: () => boolean;
}

/** What running a unit showed, beside what it wrote into the collectors. */
export interface UnitOutcome {
  cases: number;
  requests: number;
  accepted: number;
  refused: number;
  /** Cases that proved something. */
  proved: number;
  /** Of those: the ones that hold only if the minimal request was accepted in this run. */
  provisional: number;
  /** Why cases proved nothing, most frequent first. */
  because: string[];
  remedy?: string;
  notExercised: readonly NotExercised[];
  /** The requirements that its cases showed something of; null where the check does not track them. */
  exercised: Set<string> | null;
}
