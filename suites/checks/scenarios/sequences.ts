import fc from 'fast-check';
import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import { steps as stepsOf } from '../../../contracts/pointer.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { acceptArbitrary } from '../../generators/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { inWords } from '../../judge/words.ts';
import { isSilence } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  minimalApiRequest,
  type Session,
  violation,
} from '../../protocol/check.ts';
import type { Untried } from '../../state/attribution.ts';
import { watchEntity } from '../../state/control.ts';
import { type Reading, readGate } from '../../state/reading.ts';
import { createCare, liveness, type Scenario } from './scenario.ts';

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

/** Takes the steps and tells what the gate must look like; null where every one was refused. */
async function take(
  steps: readonly Step[],
  context: CheckContext,
  session: Session,
): Promise<{ model: JsonObject } | Untried> {
  const param = context.minimal.param ?? '';
  let model: JsonObject | null = null;
  for (const step of steps) {
    const answer = await session.send(
      step === 'disable' ? { endpoint: 'disable-gate', param } : minimalApiRequest(context, step.patch),
    );
    // A refused step changes nothing; whether it should have been taken is another check's question.
    if (answer.success) model = apply(model ?? {}, step);
    else if (isSilence(answer) || answer.status >= 500) return { because: 'a step brought no answer', answer };
  }
  return model === null ? { because: 'every step was refused' } : { model };
}

/** What a gate after some steps could have shown to be broken. */
function shownBy(model: JsonObject, entity: Members, steps: readonly Step[]): readonly RequirementId[] {
  const isDisabled = steps.includes('disable') && model.isEnabled === false && entity.isEnabled === false;
  return [
    ...(Object.keys(model).some(field => entity[field] !== undefined) ? (['state.patch-every-sent'] as const) : []),
    ...(isDisabled ? (['state.disable-gate-false'] as const) : []),
  ];
}

const follow =
  (steps: readonly Step[]): Scenario =>
  (context, session, { eventually, attribute }) => {
    const param = context.minimal.param ?? '';
    return attribute({
      async attempt() {
        const taken = await take(steps, context, session);
        if ('because' in taken) return taken;
        const { model } = taken;
        const mismatches = ({ entity }: Reading) =>
          entity === null ? [] : storedMismatches(model, entity, context.row);
        const reading = await eventually(
          () => readGate(session, param),
          after => mismatches(after).length === 0,
          after =>
            mismatches(after)
              .map(({ pointer }) => pointer)
              .join(),
        );
        if (reading.entity === null) return { because: 'the gate could not be read back', answer: reading.answer };
        const covers = shownBy(model, reading.entity, steps);
        if (covers.length === 0 && mismatches(reading).length === 0)
          return { because: 'the gate shows none of the fields that were sent' };
        return {
          covers,
          suspicions: mismatches(reading).map(({ pointer, sent, got }) => {
            const isDisabling = pointer === '/data/isEnabled' && steps.includes('disable');
            const requirement = isDisabling ? 'state.disable-gate-false' : 'state.patch-every-sent';
            const expected = `${inWords(sent)}, as last sent`;
            const [field = ''] = stepsOf(pointer.slice('/data'.length));
            return { key: field, violation: violation(reading.answer, requirement, pointer, expected, inWords(got)) };
          }),
        };
      },
      watch: readings => watchEntity(context.row, () => readGate(session, param), readings),
      // The steps themselves say what each field is to be.
      putBack: async () => true,
    });
  };

/** Sections 3 and 4.6: after any sequence of patches and disablings the gate has the last value sent of every field. */
export const sequences: ActiveCheck<readonly Step[]> = {
  kind: 'active',
  id: 'sequences',
  level: 'MUST',
  title: 'After any sequence of patches and disablings the gate has the last value sent of every field',
  detects:
    'A field that cannot be changed back, a write that is lost when another follows, a disable that undoes a patch.',
  requirements: () => ['state.patch-every-sent', 'state.disable-gate-false', ...liveness],
  appliesTo: row => isOperation(row, 'gate', 'patch'),
  draws: 'scenario',
  plan(context) {
    const care = createCare(context.settleMs);
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
      run: (steps, session) => follow(steps)(context, session, care),
    };
  },
};
