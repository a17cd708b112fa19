import { isOperation } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { isObject, type Members } from '../../../contracts/json.ts';
import { dataObject } from '../../protocol/answer.ts';
import { type ActiveCheck, judged, minimalApiRequest, unproved } from '../../protocol/check.ts';
import { areComparable, differencesOf, differenceViolations } from '../../state/difference.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** The settings of an experiment: what an update sends. Everything else of an answer is computed, stamped or open. */
const settings = Object.keys(endpoints['update-experiment'].body.properties);

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

const enableGroup: Scenario = async (context, session) => {
  const { param } = context.minimal;
  const update = minimalRequest(context.target, context.discovered, 'update-experiment', param);
  const first = isBlockedRequest(update)
    ? await session.send(minimalApiRequest(context))
    : await session.send({ endpoint: 'update-experiment', param, body: update.body });
  if (!first.success) return unproved(`the experiment could not be read first (status ${first.status})`);
  const answer = await session.send(minimalApiRequest(context));
  if (!answer.success) return unproved(`enabling was refused (status ${answer.status})`);
  const [before, after] = [dataObject(first), dataObject(answer)];
  const differences = differencesOf(context.row, settingsOf(before, after), settingsOf(after, before), [
    'manualQualityScores',
  ]);
  if (!areComparable(context.row, settingsOf(before, after), settingsOf(after, before), ['manualQualityScores']))
    return unproved('the two answers show no setting in common');
  return judged(
    differenceViolations(differences, answer, 'state.enable-groups-frame', ({ field }) => `${field} as it was`),
  );
};

/** Section 4.8: enabling groups leaves the rest of the experiment alone; which groups end up disabled is open. */
export const restUnchanged: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'rest-unchanged',
  level: 'MUST',
  title: 'Enabling groups leaves the rest of the experiment as it was',
  detects: 'An operation that drops the other groups, resets the allocation or answers with another experiment.',
  requirements: () => ['state.enable-groups-frame'],
  appliesTo: row => isOperation(row, 'experiment', 'enable'),
  plan: planOf([{ title: 'an update, then enabling a group', run: enableGroup }]),
};
