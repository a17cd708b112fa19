import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type ActiveCheck, covering, violated } from '../../protocol/check.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { writableMembers } from '../scenarios/parts.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
import { disabledByRun, ownRulesOnceDisabled } from './own-parts.ts';
import { look, own, patchOf, type Scene, type Step, stimulus, write } from './stimulus.ts';

const about: readonly RequirementId[] = [
  'state.disable-gate-false',
  'state.disable-gate-frame',
  'state.disable-gate-idempotent',
];

const patch =
  (body: JsonObject) =>
  ({ context }: Scene) => {
    const { param = '' } = context.minimal;
    return patchOf(param, writableMembers(body, context, param));
  };

/** Gives the gate something to lose; a target that refuses that much at once is sent only what matters. */
const enabled: Step = write({
  what: 'enabling the gate first',
  request: patch({ isEnabled: true, tags: ['conform'], type: 'TEMPORARY', description: 'Set by a conformance run' }),
  less: patch({ isEnabled: true }),
});
const disabling: Step = write({ ...own(), what: 'disabling' });
const disablingAgain: Step = write({ ...own(), what: 'disabling', refusalBreaks: 'state.disable-gate-idempotent' });
const gate: Step = look(entityKinds.gate);

const disableUnknown: Scenario = async ({ token }, session) => {
  const answer = await session.send({ endpoint: 'disable-gate', param: `conform-${token}-none` });
  // If no gate can be disabled, this refusal proves nothing.
  if (!answer.success) return { ...covering([], ['state.disable-unknown-gate']), onlyIfAccepted: true };
  return violated(answer, 'state.disable-unknown-gate', 'status', 'no success', `status ${answer.status}`);
};

/** Changes this gate's rules once it is disabled, when they decide nothing. Used if no gate was found disabled. */
const ownRulesOf = (gate: string): NamedScenario => ({
  title: 'the rules of a gate that was disabled, with parts changed',
  run: stimulus([], ...ownRulesOnceDisabled(gate, disabling)),
});

// biome-ignore format: a table
const scenarios: readonly NamedScenario[] = [
  { title: 'disabling an enabled gate',            run: stimulus(about, enabled, gate, disabling, gate) },
  { title: 'disabling a disabled gate',            run: stimulus(about, enabled, disabling, gate, disablingAgain, gate) },
  { title: 'disabling an enabled gate once more',  run: stimulus(about, enabled, disabling, gate) },
  { title: 'disabling a gate that does not exist', run: disableUnknown },
];

/** Sections 3 and 4.7: disabling a gate makes `isEnabled` false, changes nothing else, and can be done twice. */
export const disables: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'disables',
  level: 'MUST',
  title: 'Disabling makes isEnabled false, leaves the other settings alone, and can be repeated',
  detects: 'A disable that toggles, that is answered but not stored, that clears the rules, or that invents a gate.',
  requirements: () => [...about, 'state.disable-unknown-gate', ...liveness],
  appliesTo: row => isOperation(row, 'gate', 'disable'),
  plan(context) {
    const gate = disabledByRun(context);
    return planOf(context, ...scenarios, ...(gate === undefined ? [] : [ownRulesOf(gate)]));
  },
};
