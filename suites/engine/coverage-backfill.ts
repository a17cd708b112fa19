import { isOneShot, type Unit } from '../checks/units.ts';
import { GivenUp } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import { signatureOf } from './findings.ts';
import { contextOf, isEnding, type LaneInput } from './lane-input.ts';
import { type LaneState, notePassiveResult } from './lane-state.ts';

/**
 * Endpoints that accepted nothing yet although somebody waits for it (their own filter left only passive checks, or refusals that need an accepted
 * control) get one minimal request.
 */
export async function backfillCoverage(input: LaneInput, state: LaneState): Promise<void> {
  const waiting = input.units.filter(unit => unit.check.kind === 'passive' || isOneShot(unit.endpoint));
  for (const endpoint of new Set(waiting.map(unit => unit.endpoint))) {
    if (state.accepted.has(endpoint)) continue;
    const unit = waiting.find(one => one.endpoint === endpoint) as Unit;
    const context = contextOf(unit, input);
    if (isEnding(context)) continue;
    const path = 'plain';
    const session = openSession(input.wire, `${unit.id}#${path}`, state.passive);
    const answer = await session
      .send({ endpoint, param: context.minimal.param, body: context.minimal.body })
      .catch((error: unknown) => {
        if (error instanceof GivenUp) return null;
        throw error;
      });
    if (answer === null) continue;
    if (answer.success) state.accepted.add(endpoint);
    for (const result of session.passiveResults) {
      const owner = `${endpoint}/${result.check.id}`;
      notePassiveResult(state, owner, result);
      for (const violation of result.violations) {
        const description = { title: 'the minimal request', pointer: '' };
        const source = { unit: owner, index: 0, path, description };
        state.collectorOf(owner).add(signatureOf(owner, violation, null), violation, source);
      }
    }
  }
}
