import type { NotExercised } from '../../contracts/report/journal.ts';
import type { Unit } from '../checks/units.ts';
import type { ActiveCheck, CaseDescription, CheckContext, CheckPlan } from '../protocol/check.ts';
import { openSession } from '../sut/session.ts';
import { type AttributedViolation, attribute } from './findings.ts';
import { type LaneState, notePassiveResult } from './lane-state.ts';

/** One active check of one endpoint. */
export type ActiveUnit = Unit & { readonly check: ActiveCheck<never> };

/** True of a unit that sends requests of its own. */
export const isActive = (unit: Unit): unit is ActiveUnit => unit.check.kind === 'active';

/** An active unit, and what it is run with. */
export interface UnitInput {
  readonly unit: ActiveUnit;
  readonly context: CheckContext;
  readonly lane: LaneState;
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
  /** The requirements of which its cases showed something; null where the check does not report its coverage. */
  exercised: Set<string> | null;
}

/** What came of one case. */
export interface CaseResult {
  readonly attributed: readonly AttributedViolation[];
  readonly description: CaseDescription;
}

/** Sends one case of a plan; `path` names it in the evidence. A case that is sent again is not `counted` again. */
export type Execution = (value: unknown, path: string, counted: boolean) => Promise<CaseResult>;

/** Sends cases of a plan; counts them in the unit's outcome, and in `reasons` why cases proved nothing. */
export function createExecution(
  { unit: { id, endpoint }, lane }: UnitInput,
  plan: CheckPlan<unknown>,
  outcome: UnitOutcome,
  reasons: Map<string, number>,
): Execution {
  return async (value, path, counted) => {
    const session = openSession(lane.run.wire, `${id}#${path}`, lane.passive);
    const description = plan.describe(value);
    const result = await plan.run(value, session);
    outcome.requests += session.answers();
    if (result.refusedWord !== undefined) lane.words.noteRefused(result.refusedWord);
    const attributed = attribute(id, result, description);
    for (const seen of session.passiveResults) {
      const owner = `${endpoint}/${seen.check.id}`;
      if (counted) notePassiveResult(lane, owner, seen);
      attributed.push(...attribute(owner, seen, null));
    }
    if (counted) {
      outcome.cases += 1;
      outcome.accepted += session.tally.accepted;
      outcome.refused += session.tally.refused;
      for (const row of result.covers ?? []) outcome.exercised?.add(row);
      if (result.proved) outcome.proved += 1;
      if (result.proved && result.onlyIfAccepted === true) outcome.provisional += 1;
      if (result.because !== undefined) reasons.set(result.because, (reasons.get(result.because) ?? 0) + 1);
    }
    return { attributed, description };
  };
}
