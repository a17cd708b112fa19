import type { BodyOf } from '../../contracts/endpoints.ts';
import type { Problem } from '../api/answer.ts';
import { checkEntity, checkMetric, checkMetrics, checkName } from '../api/references.ts';
import type { NameKind } from '../directory.ts';
import type { Group } from '../entities.ts';
import type { Reader } from '../store/store.ts';

type Body = BodyOf<'update-experiment'>;

// biome-ignore format: a table
const names: readonly (readonly [member: keyof Body, kind: NameKind])[] = [
  ['idType',                         'idType'],
  ['secondaryIDType',                'idType'],
  ['team',                           'team'],
  ['teamID',                         'team'],
  ['targetApps',                     'app'],
  ['creatorID',                      'user'],
  ['creatorEmail',                   'email'],
  ['identityResolutionSource',       'identitySource'],
  ['assignmentSourceName',           'assignmentSource'],
];

const metricLists = ['primaryMetrics', 'secondaryMetrics', 'otherMetrics'] as const;
const groupMembers = ['controlGroupID', 'launchedGroupID'] as const;

/** What an update refers to and does not exist. Groups are those of the update itself, by id or by name. */
export const experimentReferences = async (store: Reader, body: Body, groups: readonly Group[]): Promise<Problem[]> => {
  const problems: Problem[] = [];
  for (const [member, kind] of names) checkName(problems, member, kind, body[member]);
  await checkEntity(problems, store, 'targetingGateID', 'gates', 'gate', body.targetingGateID);
  for (const member of metricLists) await checkMetrics(problems, store, member, body[member]);
  for (const [index, prior] of (body.bayesianPriors ?? []).entries())
    await checkMetric(problems, store, `bayesianPriors.${index}.metric`, prior.metric);
  const known = new Set(groups.flatMap(group => [group.id, group.name]));
  for (const member of groupMembers)
    if (typeof body[member] === 'string' && !known.has(body[member]))
      problems.push({ property: member, errorMessage: 'names no group of this experiment' });
  for (const [index, name] of (body.enabledNonProdEnvironments ?? []).entries()) {
    const environments = await store.list('environments');
    if (!environments.some(environment => environment.id === name || environment.name === name))
      problems.push({ property: `enabledNonProdEnvironments.${index}`, errorMessage: 'names no known environment' });
  }
  return problems;
};
