import type { BodyOf } from '../../contracts/endpoints.ts';
import { type NameKind, type Names, unknownMembers, unknownMetrics } from '../api/names.ts';
import { noSuch, ofEach, thereAre } from '../api/references.ts';
import type { FieldError } from '../api/response.ts';
import type { Group } from '../entities.ts';

/** What can be wrong with a full update of an experiment beyond its shape (sections 2.5 and 4.4). */

type Body = BodyOf<'update-experiment'>;

/** How far the sizes of groups may be from 100 percent: three times 33.33 is meant to be everybody. */
const tolerance = 0.011;

/**
 * The groups of an update have distinct names, distinct ids where they have one, and sizes from 0 that add up to 100.
 */
export const groupErrors = (groups: readonly Group[]): FieldError[] => {
  const errors: FieldError[] = [];
  const refuse = (index: number, member: keyof Group, errorMessage: string): void =>
    void errors.push({ property: `groups.${index}.${member}`, errorMessage });
  const names = new Set<string | undefined>();
  const ids = new Set<string | undefined>();
  for (const [index, { name, size = 0, id }] of groups.entries()) {
    if (name === undefined) refuse(index, 'name', 'is required');
    else if (names.has(name)) refuse(index, 'name', 'is the name of another group too');
    names.add(name);
    if (size < 0) refuse(index, 'size', 'must be at least 0');
    if (id !== undefined && ids.has(id)) refuse(index, 'id', 'is the id of another group too');
    ids.add(id);
  }
  const total = groups.reduce((sum, { size = 0 }) => sum + size, 0);
  if (Math.abs(total - 100) > tolerance)
    errors.push({ property: 'groups', errorMessage: 'must have sizes that add up to 100' });
  return errors;
};

// biome-ignore format: a table
const kinds: { readonly [M in keyof Body]?: NameKind } = {
  idType:                   'idType',
  secondaryIDType:          'idType',
  team:                     'team',
  teamID:                   'team',
  targetApps:               'app',
  creatorID:                'user',
  creatorEmail:             'email',
  identityResolutionSource: 'identitySource',
  assignmentSourceName:     'assignmentSource',
  targetingGateID:          'gate',
};

/** The error that a property names no group of an experiment. */
export const noSuchGroup = (property: string, groups: readonly Group[]): FieldError => ({
  property,
  errorMessage: `names no group of this experiment; ${thereAre(groups, ({ name }) => name)}`,
});

/** What an update refers to and does not exist. Groups are those of the update itself, by id or by name. */
export const referenceErrors = async (names: Names, body: Body, groups: readonly Group[]): Promise<FieldError[]> => {
  const known = new Set(groups.flatMap(group => [group.id, group.name]));
  const environments = await names.reader.list('environments');
  const places = new Set(environments.flatMap(({ id, name }) => [id, name]));
  return [
    ...(await unknownMembers(names, body, kinds)),
    ...(await ofEach(['primaryMetrics', 'secondaryMetrics', 'otherMetrics'] as const, member =>
      unknownMetrics(names, member, body[member]),
    )),
    ...(await ofEach(body.bayesianPriors, ({ metric }, index) =>
      unknownMetrics(names, `bayesianPriors.${index}.metric`, metric),
    )),
    ...(['controlGroupID', 'launchedGroupID'] as const)
      .filter(member => typeof body[member] === 'string' && !known.has(body[member]))
      .map(member => noSuchGroup(member, groups)),
    ...(body.enabledNonProdEnvironments ?? []).flatMap((name, index) =>
      places.has(name)
        ? []
        : [
            noSuch(
              `enabledNonProdEnvironments.${index}`,
              'environment',
              thereAre(environments, one => one.name),
            ),
          ],
    ),
  ];
};

/**
 * What the sprt settings lack (section 2.5): in the mode `manual` each given group setting must state mde, mean and
 * stdDev; in `in_experiment_control` it must state mde, unless `defaultSPRTMDE` does.
 */
export const sprtErrors = (body: Body): FieldError[] => {
  const needed: readonly ('mde' | 'mean' | 'stdDev')[] =
    body.sprtBaselineMode === 'manual'
      ? ['mde', 'mean', 'stdDev']
      : body.sprtBaselineMode === 'in_experiment_control' && body.defaultSPRTMDE === undefined
        ? ['mde']
        : [];
  return (body.sprtMDESettings ?? []).flatMap(({ groupSettings = [] }, metric) =>
    groupSettings.flatMap((settings, group) =>
      needed
        .filter(member => settings[member] === undefined || settings[member] === null)
        .map(member => ({
          property: `sprtMDESettings.${metric}.groupSettings.${group}.${member}`,
          errorMessage: `is required when sprtBaselineMode is ${body.sprtBaselineMode}`,
        })),
    ),
  );
};
