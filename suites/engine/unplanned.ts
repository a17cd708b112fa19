import { endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { isGatewayError } from '../client/deferral.ts';
import { livenessViolations } from '../judge/outcome.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { clipped } from '../sut/clipped.ts';
import { openSession } from '../sut/session.ts';
import { signatureOf } from './findings.ts';
import { type LaneState, tellOfRun } from './lane-state.ts';
import { isSporadicDefect } from './shrink-and-confirm.ts';
import { showsAgain } from './trials.ts';

/** A violation that no case tells, the unit that tells it, and how often it was seen. */
export interface Found {
  readonly owner: Unit;
  readonly violation: Violation;
  times: number;
  /** How often its request was sent again to see it again. */
  again: number;
}

/** So many violations are remembered; a target that breaks more in what is sent beside the cases is beyond help. */
const mostFound = 100;
/** So often a request is sent again that an answer was wrong to. */
const mostAgain = 2;

/**
 * Judges the answers to requests that belong to no case: what preflight, learning, investigations and putting back sent.
 * What is wrong with an answer by itself is wrong whoever asked for it. Of cases it notes the errors of the server: a
 * case about something else ends there, and tells nothing of them. Begins with nothing found; `units` are those of the run.
 */
export function createUnplanned(units: readonly Unit[]) {
  const found = new Map<string, Found>();
  const byEndpoint = grouped(units, ({ endpoint }) => endpoint);
  function note(owner: Unit | undefined, violation: Violation): void {
    if (owner === undefined) return;
    const signature = signatureOf(owner.id, violation, null);
    const known = found.get(signature);
    if (known !== undefined) known.times += 1;
    else if (found.size < mostFound) found.set(signature, { owner, violation, times: 1, again: 0 });
  }
  return {
    /** What was found, by the signature of its finding. */
    found: found as ReadonlyMap<string, Found>,
    /** @param isOfCase the answer was sought by a case, so that the passive checks have judged it. */
    judge(answer: Answer, isOfCase = false): void {
      const { request, own, status } = answer;
      // What no check judges of a case is judged here as far as errors of the server go; see `preflight` for the rest.
      if (request.unobserved === true && !isOfCase) return;
      const ofEndpoint = byEndpoint.get(request.endpoint) ?? [];
      if (!isOfCase) {
        const judged = clipped(answer);
        for (const unit of ofEndpoint)
          if (unit.check.kind === 'passive')
            for (const violation of unit.check.observe(judged, endpointRow(request.endpoint)).violations)
              note(unit, violation);
      }
      // A gateway speaks for itself, and what was not answered is told where the run ends for it.
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

/** True where a check of the same operation has told it, or another error of the server there. */
function isTold(lane: LaneState, { owner, violation }: Found, signature: string): boolean {
  if (lane.collectorOf(owner.id).groups.has(signature)) return true;
  if (violation.answer.status < 500) return false;
  return lane.units.some(
    ({ id, endpoint }) =>
      endpoint === owner.endpoint &&
      [...lane.collectorOf(id).groups.values()].some(group => group.violation.answer.status >= 500),
  );
}

/** What was found at the operations of a lane and is not told. */
const untold = (lane: LaneState): readonly (readonly [signature: string, found: Found])[] =>
  [...lane.run.unplanned.found].filter(
    ([signature, one]) => lane.units.includes(one.owner) && !isTold(lane, one, signature),
  );

/**
 * Adds to the findings of a lane what answers to no case have shown and no check has told: a warning where it was seen
 * only once, and once is not the defect.
 */
export function tellUnplanned(lane: LaneState): void {
  for (const [signature, one] of untold(lane)) {
    // The one before it may have told the same error of the server.
    if (isTold(lane, one, signature)) continue;
    const { owner, violation, times, again } = one;
    const seen = { times, of: Math.max(times, 1 + again) };
    const doubt = times > 1 || isSporadicDefect(violation) ? {} : { doubt: 'it was seen only once' };
    tellOfRun(lane, owner, { ...violation, seen, ...doubt });
  }
}

/** Asks again for what answers to no case of a lane have shown and no check has told, where that does no harm. */
export async function askAgain(lane: LaneState): Promise<void> {
  const session = openSession(lane.run.wire, 'investigation#unplanned');
  for (const [, one] of untold(lane)) {
    const { request } = one.violation.answer;
    if (!showsAgain(request)) continue;
    for (; one.again < mostAgain; one.again += 1) await unlessGivenUp(session.send(request), null);
  }
}
