import { isDeepStrictEqual } from 'node:util';
import { type Members, membersOf, objectsIn } from '../../contracts/json.ts';
import { onValidBody, refusing } from '../decorators/index.ts';
import { combined, type DialectTable, type Remarks } from './dialect.ts';

/** Services that require related fields together, and new names to be unique: rules that no table states. */

/** Refuses bodies that match `when` with 422. */
const senseless = (message: string, when: (body: Members) => boolean) => refusing(422, message, when);

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
const benjamini = ['benjaminiHochbergPerVariant', 'benjaminiHochbergPerMetric'];
const anyOf = (body: Members, names: readonly string[]): boolean => names.some(name => isSet(body[name]));

const benjaminiAlone = senseless(
  'Benjamini-Hochberg takes the place of Bonferroni.',
  body => anyOf(body, benjamini) && anyOf(body, ['bonferroniCorrection', 'bonferroniCorrectionPerMetric']),
);
const sources = ['users', 'devices', 'companies'];
const dimensionsOfSources = senseless('There is no such property source.', body =>
  objectsIn(body.preComputedUserDimensions).some(({ propertySource }) => !sources.includes(String(propertySource))),
);
const parametersAgree = senseless('All groups must have the same parameters.', body => {
  const keys = objectsIn(body.groups).map(({ parameterValues }) => Object.keys(parameterValues ?? {}).sort());
  return keys.some(each => !isDeepStrictEqual(each, keys[0]));
});
/** Knows groups by their places: one in the place of another is another one by name. */
const groupsByPlace = refusing(422, 'Groups cannot be renamed.', async ({ groups }, { param }, store) => {
  const experiment = await store.get('experiments', param);
  const names = (list: unknown) => objectsIn(list).map(({ name }) => name);
  return experiment !== undefined && !isDeepStrictEqual(names(groups), names(experiment.groups));
});
const statusStays = refusing(
  409,
  'The status changes when the experiment is started or stopped.',
  async ({ status }, { param }, store) => {
    const experiment = await store.get('experiments', param);
    return experiment !== undefined && status !== experiment.status;
  },
);
const systemFirst = senseless('The system message comes first.', body => {
  const roles = objectsIn(body.prompts).map(({ role }) => role);
  return roles.lastIndexOf('system') > 0 && roles[0] !== 'system';
});

const queryOrTable = senseless('A table has a tableName, and a query has none.', ({ sourceType, tableName }) =>
  sourceType === undefined ? isSet(tableName) : (sourceType === 'table') !== isSet(tableName),
);
const known = { tables: /^warehouse\.\w+$/, columns: ['user_id', 'device_id', 'occurred_at', 'amount', '*'] };
const unquoted = (name: string): string => name.replace(/^["`]|["`]$/g, '');
/** Looks up the tables or columns of a query in the warehouse, as far as simple patterns can read them. */
const parsed = (looks: 'tables' | 'columns') =>
  senseless('The query names a table or a column that the warehouse does not have.', ({ sql }) => {
    const text = String(sql);
    if (looks === 'tables') {
      const table = /\bfrom\s+([\w."`]+)/i.exec(text)?.[1];
      return table !== undefined && !known.tables.test(unquoted(table));
    }
    const selected = /select\s+([\s\S]*?)\s+from\s/i.exec(text)?.[1] ?? '*';
    return selected.split(',').some(part => !known.columns.includes(unquoted(part.trim().split(/\s+as\s+/i)[0] ?? '')));
  });
const mappedColumns = senseless('A mapped column is not one of the source.', ({ idTypeMapping, timestampColumn }) =>
  [timestampColumn, ...objectsIn(idTypeMapping).map(({ column }) => column)].some(
    name => !known.columns.includes(String(name)),
  ),
);
const identifiers = senseless('A column, a table or a field of a source has an identifier of SQL.', body => {
  const { timestampColumn, datePartitionColumn, tableName = '', all_columns: named = [] } = body;
  const mapped = [...objectsIn(body.idTypeMapping).map(({ column }) => column), timestampColumn, datePartitionColumn];
  const fields = objectsIn(body.customFieldMapping).map(({ key }) => key);
  const names = [...mapped, ...fields, ...(Array.isArray(named) ? named : []), ...String(tableName).split('.')];
  return names.some(name => name !== undefined && name !== '' && !/^[a-z_]\w*$/i.test(String(name)));
});
const dryRunsParsed = senseless(
  'The query could not be run.',
  ({ dryRun, sql }) =>
    dryRun === true && !known.tables.test(unquoted(/\bfrom\s+([\w."`]+)/i.exec(String(sql))?.[1] ?? '')),
);

const metricNamesUnique = refusing(409, 'There is a metric of this name.', async ({ name }, _request, store) =>
  (await store.list('metrics')).some(metric => metric.name === name),
);
const namesFolded = refusing(
  409,
  'There is a metric of this name, but for the case of letters.',
  async ({ name }, _request, store) =>
    (await store.list('metrics')).some(metric => metric.name?.toLowerCase() === String(name).toLowerCase()),
);
const idOfPath = refusing(
  409,
  'The body names another prompt.',
  ({ id }, { param }) => id !== undefined && id !== param,
);
const columnsOnce = senseless('A column is mapped once.', ({ idTypeMapping }) => {
  const columns = objectsIn(idTypeMapping).map(({ column }) => column);
  return new Set(columns).size < columns.length;
});
const columnsNamed = senseless('A mapped column is not one of those that are named.', body => {
  const { all_columns: named, idTypeMapping, timestampColumn } = body;
  const used = [timestampColumn, ...objectsIn(idTypeMapping).map(({ column }) => column)];
  return body.skip_validation === true && Array.isArray(named) && used.some(column => !named.includes(column));
});
const baseOfLogarithm = senseless('A base needs the transform.', ({ warehouseNative }) => {
  const { logTransformBase, useLogTransform } = membersOf(warehouseNative);
  return isSet(logTransformBase) && useLogTransform !== true;
});
const versionsUnique = (member: 'name' | 'id') =>
  refusing(409, `There is a version of this ${member}.`, async (body, { param }, store) => {
    const value = body[member];
    return (
      value !== undefined && (await store.get('prompts', param))?.versions.some(version => version[member] === value)
    );
  });

const partsOf: Readonly<Record<string, string>> = {
  funnel: 'funnelEventList',
  composite: 'metricComponentMetrics',
  composite_sum: 'metricComponentMetrics',
  percentile: 'percentile',
};
const typeHasParts = senseless('A metric of this type has parts.', body => {
  const part = partsOf[String(body.type)];
  return part !== undefined && (!isSet(body[part]) || isDeepStrictEqual(body[part], []));
});

const typed: Remarks = { mayWarn: ['accept.combination', 'accept.metric-types'] };

const ended = ['abandoned', 'archived', 'decision_made', 'experiment_stopped', 'assignment_stopped'];
/** Decides an experiment whose group is launched, and gives everybody that group. */
const launchDecides = onValidBody(body =>
  isSet(body.launchedGroupID) ? { ...body, status: 'decision_made', allocation: 100 } : body,
);
const endStopsAllocation = onValidBody(body =>
  ended.includes(String(body.status)) ? { ...body, allocation: 0 } : body,
);
/** Has one team, whose id says which; in the directory of the reference server names are ids. */
const teamOfId = onValidBody(({ team, teamID, ...body }) => ({
  ...body,
  ...(team !== undefined && { team: teamID ?? team }),
  ...(teamID !== undefined && { teamID }),
}));
const withoutIds = onValidBody(({ environments, ...body }) => ({
  ...body,
  environments: objectsIn(environments).map(({ id, name, ...one }) => ({ ...one, name: name ?? id })),
}));

// biome-ignore format: a table
export const meaningDialects: DialectTable = [
  ['secondary-id-differs',         '2.5', 'update-experiment',       'wants a secondary id type that is not the first',               senseless('The secondary id type must be another than the first.', ({ idType, secondaryIDType }) => isSet(secondaryIDType) && secondaryIDType === idType), combined],
  ['mapping-needs-second-id',      '2.5', 'update-experiment',       'wants a secondary id type with a mapping of ids',               senseless('A mapping of ids needs a secondary id type.', body => isSet(body.identifierMappingMode) && !isSet(body.secondaryIDType)), combined],
  ['benjamini-alone',              '2.5', 'update-experiment',       'takes Benjamini-Hochberg only without Bonferroni',              benjaminiAlone, combined],
  ['benjamini-together',           '2.5', 'update-experiment',       'takes Benjamini-Hochberg only with Bonferroni',                 senseless('Benjamini-Hochberg needs Bonferroni.', body => anyOf(body, benjamini) && !isSet(body.bonferroniCorrection)), combined],
  ['primary-only-needs-benjamini', '2.5', 'update-experiment',       'wants a correction with `benjaminiPrimaryMetricsOnly`',         senseless('Primary metrics only: of which correction?', body => isSet(body.benjaminiPrimaryMetricsOnly) && !anyOf(body, benjamini)), combined],
  ['bonferroni-together',          '2.5', 'update-experiment',       'takes the correction per metric only with that per variant',    senseless('The correction per metric needs the correction per variant.', body => isSet(body.bonferroniCorrectionPerMetric) && !isSet(body.bonferroniCorrection)), combined],
  ['duration-or-exposures',        '2.5', 'update-experiment',       'takes a duration or a number of exposures, not both',           senseless('An experiment ends after a time or after exposures, not both.', body => isSet(body.duration) && isSet(body.targetExposures)), combined],
  ['sequential-frequentist',       '2.5', 'update-experiment',       'tests sequentially in frequentist experiments only',            senseless('Sequential testing is frequentist.', body => isSet(body.sequentialTesting) && isSet(body.analyticsType) && body.analyticsType !== 'frequentist'), combined],
  ['decision-has-reason',          '2.5', 'update-experiment',       'takes the reason of a decision only with one',                  senseless('A reason needs a decision.', body => isSet(body.decisionReason) && body.decisionReason !== '' && body.status !== 'decision_made'), combined],
  ['dimensions-have-sources',      '2.5', 'update-experiment',       'knows three property sources of dimensions',                    dimensionsOfSources, combined],
  ['parameters-agree',             '2.5', 'update-experiment',       'wants the same parameters in all groups',                       parametersAgree, combined],
  ['experiment-groups-by-place',   '2.5', 'update-experiment',       'knows the groups of an experiment by their places (422)',       groupsByPlace, combined],
  ['sidecar-has-links',            '2.5', 'update-experiment',       'wants a link with a sidecar experiment',                        senseless('A sidecar experiment needs a link to its page.', body => body.isSidecar === true && objectsIn(body.links).length === 0), combined],
  ['experiment-status-stays',      '3',   'update-experiment',       'takes the present status of an experiment and no other (409)',  statusStays, combined],
  ['experiment-launch-decides',    '2.5', 'update-experiment',       'decides an experiment whose group is launched',                 launchDecides],
  ['experiment-end-stops',         '2.5', 'update-experiment',       'takes the allocation away from an experiment that ends',        endStopsAllocation],
  ['environment-names-wanted',     '4.1', 'update-environments',     'wants the name of every environment',                           senseless('An environment needs a name.', body => objectsIn(body.environments).some(({ name }) => name === undefined)), { ...combined, untested: ['update-environments/disposable'] }],
  ['environments-by-name',         '4.1', 'update-environments',     'knows environments by their names, and makes one of a new name', withoutIds, { ...combined, untested: ['update-environments/disposable'], changes: ['environments'] }],
  ['prompt-one-system',            '2.9', 'create-prompt-version',   'takes one system message',                                      senseless('There is one system message at most.', body => objectsIn(body.prompts).filter(({ role }) => role === 'system').length > 1), combined],
  ['prompt-system-first',          '2.9', 'create-prompt-version',   'wants the system message first',                                systemFirst, combined],
  ['temperature-or-top-p',         '2.9', 'create-prompt-version',   'takes a temperature or `top_p`, not both',                      senseless('Give a temperature or top_p, not both.', ({ temperature, top_p }) => isSet(temperature) && isSet(top_p)), combined],
  ['prompt-names-unique',          '2.9', 'create-prompt-version',   'gives every version of a prompt a name of its own (409)',       versionsUnique('name'), combined],
  ['prompt-ids-unique',            '2.9', 'create-prompt-version',   'gives every version of a prompt an id of its own (409)',        versionsUnique('id'), combined],
  ['prompt-id-of-path',            '2.9', 'create-prompt-version',   'takes no other id of a version than that of the path (409)',    idOfPath, combined],
  ['source-columns-named',         '4.3', 'update-qualifying-event', 'wants the mapped columns among those that a request names',     columnsNamed],
  ['source-columns-once',          '2.6', 'update-qualifying-event', 'maps a column to one kind of unit id',                          columnsOnce, combined],
  ['source-query-or-table',        '2.6', 'update-qualifying-event', 'takes a table name with a table, and with nothing else',        queryOrTable, combined],
  ['source-partition-of-table',    '2.6', 'update-qualifying-event', 'takes a partition column with a table, and with nothing else',  senseless('Only tables have a partition column.', body => isSet(body.datePartitionColumn) && body.sourceType !== 'table'), combined],
  ['source-tables-known',          '2.6', 'update-qualifying-event', 'reads the query, and knows the tables of the warehouse (422)',  parsed('tables'), combined],
  ['source-columns-known',         '2.6', 'update-qualifying-event', 'reads the query, and knows the columns of the warehouse (422)', parsed('columns'), combined],
  ['source-mapping-known',         '2.6', 'update-qualifying-event', 'maps ids only to columns that the warehouse has (422)',         mappedColumns, combined],
  ['source-identifiers',           '2.6', 'update-qualifying-event', 'takes only identifiers of SQL for columns, tables and fields',  identifiers],
  ['source-dry-run-runs',          '4.3', 'update-qualifying-event', 'runs the query in dry runs, and no sooner (422)',               dryRunsParsed, combined],
  ['team-of-its-id',               '2.6, 2.7', ['update-qualifying-event', 'create-metric'], 'takes the team of `teamID` where a team is named too', teamOfId],
  ['metric-names-unique',          '2.7', 'create-metric',           'gives every metric a name of its own, whatever its type (409)', metricNamesUnique, typed],
  ['metric-names-folded',          '2.7', 'create-metric',           'takes names of metrics for the same in any letter case (409)',  namesFolded, typed],
  ['metric-window-whole',          '2.7', 'create-metric',           'wants a start or an end with a custom window',                  senseless('A custom window has a start and an end.', body => body.rollupTimeWindow === 'custom' && !(isSet(body.customRollUpStart) || isSet(body.customRollUpEnd))), typed],
  ['metric-ratio-of-two',          '2.7', 'create-metric',           'wants two events in a ratio',                                   senseless('A ratio has two events.', body => body.type === 'ratio' && objectsIn(body.metricEvents).length < 2), typed],
  ['metric-base-of-logarithm',     '2.7', 'create-metric',           'takes the base of a logarithm with the transform only',         baseOfLogarithm],
  ['composites-increase',          '2.7', 'create-metric',           'takes no directionality for composite metrics',                 senseless('A composite metric goes where its parts go.', ({ type, directionality }) => (type === 'composite' || type === 'composite_sum') && isSet(directionality)), typed],
  ['metric-type-has-parts',        '2.7', 'create-metric',           'wants the parts that the type of a metric is made of',          typeHasParts],
];
