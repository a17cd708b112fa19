import fc from 'fast-check';
import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { acceptArbitrary } from '../../generators/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { inWords } from '../../judge/words.ts';
import { type ActiveCheck, covering, minimalApiRequest, unproved, violation } from '../../protocol/check.ts';
import { createEventually } from '../../state/eventually.ts';
import { readGate } from '../../state/reading.ts';
import type { Scenario } from './scenario.ts';

/** One step of a sequence: a patch, or disabling the gate. */
type Step = { readonly patch: JsonObject } | 'disable';

const stepInWords = (step: Step): string =>
  step === 'disable' ? 'disable' : `patch ${Object.keys(step.patch).join(', ') || 'nothing'}`;

/** Members that name the same team or the same person: sending one may change the others. */
const named: readonly (readonly string[])[] = [
  ['team', 'teamID'],
  ['creatorID', 'creatorEmail'],
];

/** What the gate must look like after the steps so far: the last value sent of each field. */
function apply(model: JsonObject, step: Step): JsonObject {
  if (step === 'disable') return { ...model, isEnabled: false };
  const next = { ...model, ...step.patch };
  for (const group of named) {
    const sent = group.filter(field => Object.hasOwn(step.patch, field));
    for (const field of group) if (sent.length > 1 || (sent.length === 1 && !sent.includes(field))) delete next[field];
  }
  return next;
}

const follow =
  (steps: readonly Step[]): Scenario =>
  async (context, session, eventually) => {
    const param = context.minimal.param ?? '';
    let model: JsonObject = {};
    let taken = 0;
    for (const step of steps) {
      const answer = await session.send(
        step === 'disable' ? { endpoint: 'disable-gate', param } : minimalApiRequest(context, step.patch),
      );
      // A refused step changes nothing; whether it should have been taken is another check's question.
      if (!answer.success) continue;
      taken += 1;
      model = apply(model, step);
    }
    if (taken === 0) return unproved('every step was refused');
    const { entity, answer } = await eventually(
      () => readGate(session, param),
      reading => reading.entity === null || storedMismatches(model, reading.entity, context.row).length === 0,
    );
    if (entity === null) return unproved('the gate could not be read back');
    const covers: RequirementId[] = [];
    if (Object.keys(model).some(field => entity[field] !== undefined)) covers.push('state.patch-every-sent');
    if (steps.includes('disable') && model.isEnabled === false && entity.isEnabled === false)
      covers.push('state.disable-gate-false');
    const mismatches = storedMismatches(model, entity, context.row);
    if (mismatches.length === 0 && covers.length === 0)
      return unproved('the gate shows none of the fields that were sent');
    return covering(
      mismatches.map(({ pointer, sent, got }) => {
        const isDisabling = pointer === '/data/isEnabled' && steps.includes('disable');
        const requirement = isDisabling ? 'state.disable-gate-false' : 'state.patch-every-sent';
        return violation(answer, requirement, pointer, `${inWords(sent)}, as last sent`, inWords(got));
      }),
      covers,
    );
  };

/** Sections 3 and 4.6: after any sequence of patches and disablings the gate has the last value sent of every field. */
export const sequences: ActiveCheck<readonly Step[]> = {
  kind: 'active',
  id: 'sequences',
  level: 'MUST',
  title: 'After any sequence of patches and disablings the gate has the last value sent of every field',
  detects:
    'A field that cannot be changed back, a write that is lost when another follows, a disable that undoes a patch.',
  requirements: () => ['state.patch-every-sent', 'state.disable-gate-false'],
  appliesTo: row => isOperation(row, 'gate', 'patch'),
  draws: 'scenario',
  plan(context) {
    const eventually = createEventually(context.settleMs);
    const patch = acceptArbitrary(context.row.body ?? { type: 'object' }, {}, context.target).map(
      ({ body }): Step => ({ patch: body }),
    );
    const step = fc.oneof(
      { weight: 4, arbitrary: patch },
      { weight: 1, arbitrary: fc.constantFrom<Step>('disable', { patch: { isEnabled: true } }) },
    );
    return {
      arbitrary: fc.array(step, { minLength: 1, maxLength: 6 }),
      parallel: false,
      describe: steps => ({
        title: steps.map(stepInWords).join(', then '),
        pointer: '',
        sent: steps.map(one => (one === 'disable' ? 'disable' : one.patch)),
      }),
      run: (steps, session) => follow(steps)(context, session, eventually),
    };
  },
};
