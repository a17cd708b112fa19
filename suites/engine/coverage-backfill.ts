import { isOneShot, type Unit } from '../checks/units.ts';
import { GivenUp } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import { signatureOf } from './findings.ts';
import { contextOf, isEnding, type LaneState, notePassiveResult } from './lane-state.ts';

/**
 * Sends one minimal request to each endpoint that accepted nothing yet although a unit depends on it: where the filter
 * left only passive checks, or refusals that need an accepted control.
 */
export async function backfillCoverage(lane: LaneState): Promise<void> {
  const waiting = lane.units.filter(unit => unit.check.kind === 'passive' || isOneShot(unit.endpoint));
  for (const endpoint of new Set(waiting.map(unit => unit.endpoint))) {
    if (lane.accepted.has(endpoint)) continue;
    const unit = waiting.find(one => one.endpoint === endpoint) as Unit;
    const context = contextOf(unit, lane);
    if (isEnding(context)) continue;
    const path = 'plain';
    const session = openSession(lane.run.wire, `${unit.id}#${path}`, lane.passive);
    const answer = await session
      .send({ endpoint, param: context.minimal.param, body: context.minimal.body })
      .catch((error: unknown) => {
        if (error instanceof GivenUp) return null;
        throw error;
      });
    if (answer === null) continue;
    if (answer.success) lane.accepted.add(endpoint);
    for (const result of session.passiveResults) {
      const owner = `${endpoint}/${result.check.id}`;
      notePassiveResult(lane, owner, result);
      for (const violation of result.violations) {
        const description = { title: 'the minimal request', pointer: '' };
        const source = { unit: owner, index: 0, path, description };
        lane.collectorOf(owner).add(signatureOf(owner, violation, null), violation, source);
      }
    }
  }
}
