import { type Endpoint, isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords, said } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  covering,
  type Session,
  violated,
  violation,
} from '../../protocol/check.ts';
import type { Suspicion, Untried } from '../../state/attribution.ts';
import { putBackGate, watchEntity, writableMembers } from '../../state/control.ts';
import {
  areComparable,
  type Difference,
  differencesOf,
  differenceViolations,
  volatile,
} from '../../state/difference.ts';
import { type Reading, readGate, readSettledGate } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** The plans in which a gate was disabled. */
const takes = new WeakSet<CheckContext>();

const unreadable = ({ answer }: Reading): Untried => ({ because: 'the gate could not be read back', answer });

/** May follow from disabling. */
const follows = ['isEnabled', ...volatile];

/** Disables a gate that was enabled, or disabled, just before. */
const disable =
  (enabled: boolean): Scenario =>
  (context, session, { eventually, attribute }) => {
    const own = context.minimal.param ?? '';
    const others = fixtureNames(context.target, 'gates').filter(gate => gate !== own);
    let param = own;
    let before: Members = {};
    return attribute(session, {
      async attempt(round) {
        // What disabling spoils for good is tried on another gate.
        param = others[round - 2] ?? own;
        const set = await prepareGate(context, session, param, enabled);
        if (!set.success)
          return {
            because: `the gate could not be ${enabled ? 'enabled' : 'disabled'} first (${refusalInWords(set)})`,
            answer: set,
          };
        const settled = await readSettledGate(session, param, eventually);
        if (settled.entity === null) return unreadable(settled);
        before = settled.entity;
        const answer = await session.send({ endpoint: 'disable-gate', param });
        if (!answer.success && enabled)
          return {
            because: `disabling was refused (${refusalInWords(answer)}), which the acceptance check reports`,
            answer,
          };
        if (!answer.success) {
          // Where an enabled gate cannot be disabled either, it is not the repetition that is refused.
          await prepareGate(context, session, param, true);
          const control = takes.has(context) ? answer : await session.send({ endpoint: 'disable-gate', param });
          if (!takes.has(context) && !control.success)
            return { because: `disabling was refused (${refusalInWords(control)}), of an enabled gate too`, answer };
          return { suspicions: [refusedAgain(answer)], covers: ['state.disable-gate-idempotent'] };
        }
        takes.add(context);
        const find = (reading: Reading) => suspicionsOf(context.row, enabled, before, answer, reading);
        const reading = await eventually(
          () => readGate(session, param),
          after => after.entity === null || find(after).length === 0,
          after =>
            find(after)
              .map(({ key }) => key)
              .join(),
        );
        if (reading.entity === null) return unreadable(reading);
        return { suspicions: find(reading), covers: shownBy(context.row, enabled, before, reading.entity) };
      },
      watch: readings => watchEntity(context.row, () => readGate(session, param), readings),
      putBack: () => putBackGate(session, param, before, eventually),
    });
  };

/** What a gate before and after disabling could have shown to be broken. */
function shownBy(row: Endpoint, enabled: boolean, before: Members, after: Members): readonly RequirementId[] {
  const isWhole = before.isEnabled === enabled && areComparable(row, before, after, follows);
  return [
    ...(before.isEnabled === true && after.isEnabled === false ? (['state.disable-gate-false'] as const) : []),
    ...(isWhole ? ([enabled ? 'state.disable-gate-frame' : 'state.disable-gate-idempotent'] as const) : []),
  ];
}

/** Brings a gate into a state with something to lose; a target that refuses that much at once is sent what matters. */
async function prepareGate(
  context: CheckContext,
  session: Session,
  param: string,
  isEnabled: boolean,
): Promise<Answer> {
  const patch = (body: JsonObject) => session.send({ endpoint: 'patch-gate', param, body });
  const rich = { isEnabled, tags: ['conform'], type: 'TEMPORARY', description: 'Set by a conformance run' };
  const full = await patch(writableMembers(rich, context, param));
  return full.success ? full : patch({ isEnabled });
}

const refusedAgain = (answer: Answer): Suspicion => ({
  key: 'a refusal',
  violation: violation(
    answer,
    'state.disable-gate-idempotent',
    'status',
    'a success, as the first time',
    refusalInWords(answer),
  ),
});

/** What an answer to disabling, and a reading after it, show that is not as it should be. */
function suspicionsOf(
  row: Endpoint,
  enabled: boolean,
  before: Members,
  answer: Answer,
  { entity, answer: read }: Reading,
): readonly Suspicion[] {
  const after = entity ?? {};
  const suspicions: Suspicion[] = [];
  // Anything but a boolean is the schema check's finding.
  for (const [key, shown, by, note] of [
    ['isEnabled of the answer', dataObject(answer).isEnabled, answer, ''],
    ['isEnabled', after.isEnabled, read, ', when the gate is read afterwards'],
  ] as const) {
    if (shown !== true) continue;
    const wrong = violation(by, 'state.disable-gate-false', '/data/isEnabled', said(false, note), said(true));
    suspicions.push({ key, violation: wrong });
  }
  const requirement = enabled ? 'state.disable-gate-frame' : 'state.disable-gate-idempotent';
  const differences = differencesOf(row, before, after, follows);
  const expected = ({ field, before: was }: Difference) => `${field} as it was: ${inWords(was)}`;
  const changed = differenceViolations(differences, read, requirement, expected);
  return [...suspicions, ...changed.map((one, index) => ({ key: differences[index]?.field ?? '', violation: one }))];
}

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
  { title: 'disabling an enabled gate once more',  run: disable(true) },
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
    ...liveness,
  ],
  appliesTo: row => isOperation(row, 'gate', 'disable'),
  plan: planOf(scenarios),
};
