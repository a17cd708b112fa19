import { isOperation } from '../../../contracts/endpoint.ts';
import type { Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { inWords } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  covering,
  minimalApiRequest,
  unproved,
  type Violation,
  violated,
  violation,
} from '../../protocol/check.ts';
import {
  areComparable,
  type Difference,
  differencesOf,
  differenceViolations,
  volatile,
} from '../../state/difference.ts';
import { readGate, readSettledGate } from '../../state/reading.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** May follow from disabling: their transitions are not shown, since the sample's Launched is no evidence. */
const follows = ['isEnabled', 'status', 'typeReason', ...volatile];

/** Disables a gate that was enabled, or disabled, just before. */
const disable =
  (enabled: boolean): Scenario =>
  async (context, session, eventually) => {
    const param = context.minimal.param ?? '';
    const patch = (more: object) =>
      session.send({ endpoint: 'patch-gate', param, body: { isEnabled: enabled, ...more } });
    // A gate with something to lose; a target that refuses that much at once is given what matters alone.
    const full = await patch({ tags: ['conform'], type: 'TEMPORARY', description: 'Set by a conformance run' });
    const set = full.success ? full : await patch({});
    if (!set.success)
      return unproved(`the gate could not be ${enabled ? 'enabled' : 'disabled'} first (status ${set.status})`);
    const before = (await readSettledGate(session, param, eventually)).entity;
    if (before === null) return unproved('the gate could not be read back');
    const answer = await session.send(minimalApiRequest(context));
    const { status } = answer;
    if (!answer.success && enabled)
      return unproved(`disabling was refused (status ${status}), which the acceptance check reports`);
    if (!answer.success) {
      const expected = 'a success, as the first time';
      return violated(answer, 'state.disable-gate-idempotent', 'status', expected, `status ${status}`);
    }
    const changes = (after: Members) => differencesOf(context.row, before, after, follows);
    const reading = await eventually(
      () => readGate(session, param),
      ({ entity }) => entity === null || (entity.isEnabled !== true && changes(entity).length === 0),
    );
    if (reading.entity === null) return unproved('the gate could not be read back');
    const wrong: Violation[] = [];
    // Anything but a boolean is the schema check's finding.
    for (const [shown, by, expected] of [
      [dataObject(answer).isEnabled, answer, 'false'],
      [reading.entity.isEnabled, reading.answer, 'false, when the gate is read afterwards'],
    ] as const) {
      if (shown === true) wrong.push(violation(by, 'state.disable-gate-false', '/data/isEnabled', expected, 'true'));
    }
    const requirement = enabled ? 'state.disable-gate-frame' : 'state.disable-gate-idempotent';
    const expected = ({ field, before: was }: Difference) => `${field} as it was: ${inWords(was)}`;
    const covers: RequirementId[] = [];
    if (before.isEnabled === true && reading.entity.isEnabled === false) covers.push('state.disable-gate-false');
    if (before.isEnabled === enabled && areComparable(context.row, before, reading.entity, follows))
      covers.push(requirement);
    return covering(
      [...wrong, ...differenceViolations(changes(reading.entity), reading.answer, requirement, expected)],
      covers,
    );
  };

const disableUnknown: Scenario = async (context, session) => {
  const answer = await session.send({ endpoint: 'disable-gate', param: `conform-${context.token}-none` });
  // Where no gate can be disabled, that this one cannot is no wonder.
  if (!answer.success) return { ...covering([], ['state.disable-unknown-gate']), onlyIfAccepted: true };
  return violated(answer, 'state.disable-unknown-gate', 'status', 'no success', `status ${answer.status}`);
};

// biome-ignore format: a table
const scenarios: readonly NamedScenario[] = [
  { title: 'disabling an enabled gate',            run: disable(true) },
  { title: 'disabling a disabled gate',            run: disable(false) },
  { title: 'disabling a gate that does not exist', run: disableUnknown },
];

/** Sections 3 and 4.7: disabling a gate makes `isEnabled` false, changes nothing else, and can be done twice. */
export const disables: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'disables',
  level: 'MUST',
  title: 'Disabling makes isEnabled false, leaves the other settings alone, and can be repeated',
  detects: 'A disable that toggles, that is answered but not stored, that clears the rules, or that invents a gate.',
  requirements: () => [
    'state.disable-gate-false',
    'state.disable-gate-frame',
    'state.disable-gate-idempotent',
    'state.disable-unknown-gate',
  ],
  appliesTo: row => isOperation(row, 'gate', 'disable'),
  plan: planOf(scenarios),
};
