import { signatureOf } from './casebook.ts';
import { contextOf, isEnding, type LaneInput } from './lane-input.ts';
import { type LaneLedger, noteSighting } from './lane-ledger.ts';
import { isOneShot, type Unit } from './plan.ts';
import { GivenUp } from './pulse.ts';
import { openSession } from './session.ts';

/**
 * Endpoints that accepted nothing yet although somebody waits for it (their own filter left only watching checks, or refusals that need an accepted
 * twin) get one plain request.
 */
export async function exerciseTheUnseen(input: LaneInput, ledger: LaneLedger): Promise<void> {
  const waiting = input.units.filter(unit => unit.check.kind === 'watching' || isOneShot(unit.endpoint));
  for (const endpoint of new Set(waiting.map(unit => unit.endpoint))) {
    if (ledger.accepted.has(endpoint)) continue;
    const unit = waiting.find(one => one.endpoint === endpoint) as Unit;
    const context = contextOf(unit, input);
    if (isEnding(context)) continue;
    const path = 'plain';
    const session = openSession(input.wire, `${unit.id}#${path}`, ledger.watching);
    const answer = await session
      .send({ endpoint, param: context.plain.param, body: context.plain.body })
      .catch((error: unknown) => {
        if (error instanceof GivenUp) return null;
        throw error;
      });
    if (answer === null) continue;
    if (answer.success) ledger.accepted.add(endpoint);
    for (const sighting of session.sightings) {
      const owner = `${endpoint}/${sighting.check.id}`;
      noteSighting(ledger, owner, sighting);
      for (const draft of sighting.drafts) {
        const description = { title: 'the plain request', pointer: '' };
        const source = { unit: owner, index: 0, path, description };
        ledger.casebookOf(owner).add(signatureOf(owner, draft, null), draft, source);
      }
    }
  }
}
