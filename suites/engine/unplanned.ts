import { endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { isGatewayError } from '../client/deferral.ts';
import { livenessViolations } from '../judge/outcome.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { answerOrNull } from '../protocol/stop.ts';
import { clipped } from '../sut/clipped.ts';
import { openSession } from '../sut/session.ts';
import { keepable, signatureOf } from './findings.ts';
import { groupsOf, type LaneState, tellOfRun } from './lane-state.ts';
import { isSporadicDefect } from './shrink-and-confirm.ts';
import { showsAgain } from './trials.ts';

/** A violation that no case reports, the unit that reports it instead, and the number of sightings. */
export interface Found {
  readonly owner: Unit;
  readonly violation: Violation;
  times: number;
  /** Number of times its request was repeated. */
  again: number;
}

/** Maximum number of remembered violations; a target with more is beyond help. */
const mostFound = 100;
/** Maximum number of repetitions of a request with a wrong answer. */
const mostAgain = 2;

/**
 * Judges answers that belong to no case: those of preflight, learning, investigations and restoring. The passive checks
 * apply to any answer. Answers in cases are checked only for server errors, because a case about something else ends
 * there without reporting them. `units` are those of the run.
 */
export function createUnplanned(units: readonly Unit[]) {
  const found = new Map<string, Found>();
  const byEndpoint = grouped(units, ({ endpoint }) => endpoint);
  function note(owner: Unit | undefined, violation: Violation): void {
    if (owner === undefined) return;
    const signature = signatureOf(owner.id, violation, null);
    const known = found.get(signature);
    if (known !== undefined) known.times += 1;
    else if (found.size < mostFound)
      found.set(signature, { owner, violation: keepable(violation), times: 1, again: 0 });
  }
  return {
    /** The violations by the signature of their finding. */
    found: found as ReadonlyMap<string, Found>,
    /** @param isOfCase a case sent the request, so the passive checks have judged the answer. */
    judge(answer: Answer, isOfCase = false): void {
      const { request, own, status } = answer;
      // Unobserved requests outside cases are skipped, see `preflight`; in cases, only server errors are judged here.
      if (request.unobserved === true && !isOfCase) return;
      const ofEndpoint = byEndpoint.get(request.endpoint) ?? [];
      if (!isOfCase) {
        const judged = clipped(answer);
        for (const unit of ofEndpoint)
          if (unit.check.kind === 'passive')
            for (const violation of unit.check.observe(judged, endpointRow(request.endpoint)).violations)
              note(unit, violation);
      }
      // A gateway error is not the target's, and the end of the run reports missing answers.
      if (!own || status < 500 || isGatewayError(status)) return;
      for (const violation of livenessViolations(answer)) {
        const citing = ofEndpoint.find(({ check, endpoint }) =>
          citedBy(check, endpoint).includes(violation.requirement),
        );
        note(citing, violation);
      }
    },
  };
}

/** True if a check of the same operation reports it, or another server error there. */
function isTold(lane: LaneState, { owner, violation }: Found, signature: string): boolean {
  if (lane.collectorOf(owner.id).groups.has(signature)) return true;
  if (violation.answer.status < 500) return false;
  const own = lane.units.filter(({ endpoint }) => endpoint === owner.endpoint);
  return groupsOf(lane, own).some(group => group.violation.answer.status >= 500);
}

/** Returns the unreported violations at the operations of a lane. */
const untold = (lane: LaneState): readonly (readonly [signature: string, found: Found])[] =>
  [...lane.run.unplanned.found].filter(
    ([signature, one]) => lane.units.includes(one.owner) && !isTold(lane, one, signature),
  );

/**
 * Adds the unreported violations of answers to no case to a lane's findings. One seen only once is a warning, unless it
 * is sporadic by nature.
 */
export function tellUnplanned(lane: LaneState): void {
  for (const [signature, one] of untold(lane)) {
    // The previous iteration may have reported the same server error.
    if (isTold(lane, one, signature)) continue;
    const { owner, violation, times, again } = one;
    const seen = { times, of: Math.max(times, 1 + again) };
    const doubt = times > 1 || isSporadicDefect(violation) ? {} : { doubt: 'it was seen only once' };
    tellOfRun(lane, owner, { ...violation, seen, ...doubt });
  }
}

/** Repeats the requests of unreported violations in a lane, if that does no harm. */
export async function askAgain(lane: LaneState): Promise<void> {
  const session = openSession(lane.run.wire, 'investigation#unplanned');
  for (const [, one] of untold(lane)) {
    const { request } = one.violation.answer;
    if (!showsAgain(request)) continue;
    for (; one.again < mostAgain; one.again += 1) await answerOrNull(session, request);
  }
}
