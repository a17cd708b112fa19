import type { EndpointId } from '../../contracts/endpoints.ts';
import { isOneShot, type Unit } from '../checks/units.ts';
import { isAccepted } from '../protocol/answer.ts';
import { minimalApiRequest } from '../protocol/check.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import { attribute } from './findings.ts';
import { contextOf, isEnding, type LaneState, notePassiveResult } from './lane-state.ts';

/**
 * Sends one minimal request to each endpoint that accepted nothing yet although a unit depends on it: where the filter
 * left only passive checks, or (of the endpoints `pending`) results that hold only beside an accepted request.
 */
export async function backfillCoverage(lane: LaneState, pending: readonly EndpointId[]): Promise<void> {
  const waiting = lane.units.filter(
    ({ check, endpoint }) => check.kind === 'passive' || isOneShot(endpoint) || pending.includes(endpoint),
  );
  for (const endpoint of new Set(waiting.map(unit => unit.endpoint))) {
    if (lane.accepted.has(endpoint)) continue;
    const unit = waiting.find(one => one.endpoint === endpoint) as Unit;
    const context = contextOf(unit, lane);
    if (isEnding(context)) continue;
    const path = 'plain';
    const session = openSession(lane.run.wire, `${unit.id}#${path}`, lane.passive);
    const answer = await unlessGivenUp(session.send(minimalApiRequest(context)), null);
    if (answer === null) continue;
    if (isAccepted(answer)) lane.accepted.add(endpoint);
    for (const result of session.passiveResults) {
      const owner = `${endpoint}/${result.check.id}`;
      notePassiveResult(lane, result);
      const source = { unit: owner, index: 0, path, description: { title: 'the minimal request', pointer: '' } };
      for (const { signature, violation } of attribute(owner, result, null))
        lane.collectorOf(owner).add(signature, violation, source);
    }
  }
}
