import { isOperation } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { isObject, type Members } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { dataObject } from '../../protocol/answer.ts';
import { type ActiveCheck, minimalApiRequest } from '../../protocol/check.ts';
import { areComparable, type Difference, differencesOf, differenceViolations } from '../../state/difference.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** The operation whose body says which settings are sets, and of which the order counts. */
const whole = endpoints['update-experiment'];

/** The settings of an experiment: what an update sends. Everything else of an answer is computed, stamped or open. */
const settings = Object.keys(whole.body.properties);

/** Merged with the scores that there are, and renormalised. */
const notCompared = ['manualQualityScores'];

/** A group without `disabled`, which is what the operation is about. */
function withoutDisabled(group: unknown): unknown {
  if (!isObject(group)) return group;
  const { disabled: _, ...rest } = group;
  return rest;
}

/** The settings of an experiment that another answer shows as well: two operations may show different parts of it. */
const settingsOf = (experiment: Members, other: Members): Members =>
  Object.fromEntries(
    Object.entries(experiment)
      .filter(([field]) => settings.includes(field) && other[field] !== undefined)
      .map(([field, value]) => [
        field,
        field === 'groups' && Array.isArray(value) ? value.map(withoutDisabled) : value,
      ]),
  );

/** An update is read for what the experiment is, for no operation reads one; sent again, it is the control. */
const enableGroup: Scenario = (context, session, { attribute }) => {
  const { param } = context.minimal;
  const update = minimalRequest(context.target, context.discovered, 'update-experiment', param);
  const read = () =>
    session.send(
      isBlockedRequest(update)
        ? minimalApiRequest(context)
        : { endpoint: 'update-experiment', param, body: update.body },
    );
  const differences = (before: Members, after: Members) =>
    differencesOf(whole, settingsOf(before, after), settingsOf(after, before), notCompared);
  return attribute({
    async attempt() {
      const first = await read();
      if (!first.success)
        return { because: `the experiment could not be read first (${refusalInWords(first)})`, answer: first };
      const answer = await session.send(minimalApiRequest(context));
      if (!answer.success) return { because: `enabling was refused (${refusalInWords(answer)})`, answer };
      const [before, after] = [dataObject(first), dataObject(answer)];
      if (!areComparable(context.row, settingsOf(before, after), settingsOf(after, before), notCompared))
        return { because: 'the two answers show no setting in common' };
      const changed = differences(before, after);
      const expected = ({ field }: Difference) => `${field} as it was`;
      const violations = differenceViolations(changed, answer, 'state.enable-groups-frame', expected);
      return {
        suspicions: violations.map((violation, index) => ({ key: changed[index]?.field ?? '', violation })),
        covers: ['state.enable-groups-frame'],
      };
    },
    async watch(readings) {
      const moving: string[] = [];
      let last = await read();
      for (let number = 0; number < readings; number += 1) {
        const next = await read();
        if (last.success && next.success)
          moving.push(...differences(dataObject(last), dataObject(next)).map(({ field }) => field));
        last = next;
      }
      return moving;
    },
    // Each try begins with the whole update.
    putBack: async () => !isBlockedRequest(update),
  });
};

/** Section 4.8: enabling groups leaves the rest of the experiment alone; which groups end up disabled is open. */
export const restUnchanged: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'rest-unchanged',
  level: 'MUST',
  title: 'Enabling groups leaves the rest of the experiment as it was',
  detects: 'An operation that drops the other groups, resets the allocation or answers with another experiment.',
  requirements: () => ['state.enable-groups-frame', ...liveness],
  appliesTo: row => isOperation(row, 'experiment', 'enable'),
  plan: planOf([{ title: 'an update, then enabling a group', run: enableGroup }]),
};
