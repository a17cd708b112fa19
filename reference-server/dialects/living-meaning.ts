import { isDeepStrictEqual } from 'node:util';
import { isObject, type Members } from '../../contracts/json.ts';
import type { HandlerRequest } from '../api/request.ts';
import { refusal } from '../api/response.ts';
import { insteadFor, insteadOfWork, sentBy } from '../decorators/operations.ts';
import type { Dialect } from './dialect.ts';

/** Services that want what belongs together to come together, and names to be new: rules that no table states. */

/** Refuses bodies of which this is true with 422. */
const senseless = (message: string, when: (body: Members, request: HandlerRequest) => boolean) =>
  insteadOfWork(request => (when(sentBy(request), request) ? refusal(422, message) : undefined));

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
const benjamini = ['benjaminiHochbergPerVariant', 'benjaminiHochbergPerMetric'];
const anyOf = (body: Members, names: readonly string[]): boolean => names.some(name => isSet(body[name]));
const objects = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

const secondaryDiffers = senseless(
  'The secondary id type must be another than the first.',
  ({ idType, secondaryIDType }) => isSet(secondaryIDType) && secondaryIDType === idType,
);
const mappingNeedsSecond = senseless(
  'A mapping of ids needs a secondary id type.',
  body => isSet(body.identifierMappingMode) && !isSet(body.secondaryIDType),
);
const benjaminiAlone = senseless(
  'Benjamini-Hochberg takes the place of Bonferroni.',
  body => anyOf(body, benjamini) && anyOf(body, ['bonferroniCorrection', 'bonferroniCorrectionPerMetric']),
);
const benjaminiTogether = senseless(
  'Benjamini-Hochberg needs Bonferroni.',
  body => anyOf(body, benjamini) && !isSet(body.bonferroniCorrection),
);
const primaryOnlyNeeds = senseless(
  'Primary metrics only: of which correction?',
  body => isSet(body.benjaminiPrimaryMetricsOnly) && !anyOf(body, benjamini),
);
const bonferroniTogether = senseless(
  'The correction per metric needs the correction per variant.',
  body => isSet(body.bonferroniCorrectionPerMetric) && !isSet(body.bonferroniCorrection),
);
const durationOrExposures = senseless(
  'An experiment ends after a time or after exposures, not both.',
  body => isSet(body.duration) && isSet(body.targetExposures),
);
const sequentialFrequentist = senseless(
  'Sequential testing is frequentist.',
  body => isSet(body.sequentialTesting) && isSet(body.analyticsType) && body.analyticsType !== 'frequentist',
);
const reasonOfDecision = senseless(
  'A reason needs a decision.',
  body => isSet(body.decisionReason) && body.decisionReason !== '' && body.status !== 'decision_made',
);
const sources = ['users', 'devices', 'companies'];
const dimensionsOfSources = senseless('There is no such property source.', body =>
  objects(body.preComputedUserDimensions).some(({ propertySource }) => !sources.includes(String(propertySource))),
);
const parametersAgree = senseless('All groups must have the same parameters.', body => {
  const keys = objects(body.groups).map(({ parameterValues }) => Object.keys(parameterValues ?? {}).sort());
  return keys.some(each => !isDeepStrictEqual(each, keys[0]));
});
const sidecarNeedsLinks = senseless(
  'A sidecar experiment needs a link to its page.',
  body => body.isSidecar === true && objects(body.links).length === 0,
);
const statusStays = insteadFor('experiments', (experiment, request) =>
  experiment !== undefined && sentBy(request).status !== experiment.status
    ? refusal(409, 'The status changes when the experiment is started or stopped.')
    : undefined,
);
const oneSystemMessage = senseless(
  'There is one system message at most.',
  body => objects(body.prompts).filter(({ role }) => role === 'system').length > 1,
);
const systemFirst = senseless('The system message comes first.', body => {
  const roles = objects(body.prompts).map(({ role }) => role);
  return roles.lastIndexOf('system') > 0 && roles[0] !== 'system';
});

const queryOrTable = senseless('A table has a tableName, and a query has none.', ({ sourceType, tableName }) =>
  sourceType === undefined ? isSet(tableName) : (sourceType === 'table') !== isSet(tableName),
);
const partitionOfTable = senseless(
  'Only tables have a partition column.',
  body => isSet(body.datePartitionColumn) && body.sourceType !== 'table',
);
const known = { tables: /^warehouse\.\w+$/, columns: ['user_id', 'device_id', 'occurred_at', 'amount', '*'] };
const unquoted = (name: string): string => name.replace(/^["`]|["`]$/g, '');
/** The tables and columns of a query are looked up in the warehouse, as far as they can be read so simply. */
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
  [timestampColumn, ...objects(idTypeMapping).map(({ column }) => column)].some(
    name => !known.columns.includes(String(name)),
  ),
);
const dryRunsParsed = insteadOfWork(request =>
  sentBy(request).dryRun === true &&
  !known.tables.test(unquoted(/\bfrom\s+([\w."`]+)/i.exec(String(sentBy(request).sql))?.[1] ?? ''))
    ? refusal(422, 'The query could not be run.')
    : undefined,
);

const metricNamesUnique = insteadOfWork(async (request, store) => {
  const { name } = sentBy(request);
  const taken = (await store.list('metrics')).some(metric => metric.name === name);
  return taken ? refusal(409, 'There is a metric of this name.') : undefined;
});
const namesFolded = insteadOfWork(async (request, store) => {
  const name = String(sentBy(request).name).toLowerCase();
  const taken = (await store.list('metrics')).some(metric => metric.name?.toLowerCase() === name);
  return taken ? refusal(409, 'There is a metric of this name, but for the case of letters.') : undefined;
});
const versionsUnique = (member: 'name' | 'id') =>
  insteadFor('prompts', (prompt, request) => {
    const value = sentBy(request)[member];
    const taken = value !== undefined && prompt?.versions.some(version => version[member] === value);
    return taken ? refusal(409, `There is a version of this ${member}.`) : undefined;
  });
const windowWhole = senseless(
  'A custom window has a start and an end.',
  body => body.rollupTimeWindow === 'custom' && !(isSet(body.customRollUpStart) || isSet(body.customRollUpEnd)),
);
const twoEvents = senseless(
  'A ratio has two events.',
  body => body.type === 'ratio' && objects(body.metricEvents).length < 2,
);

const experiment = { endpoints: ['update-experiment'], mayWarn: ['accept.combination'] } as const;
const source = {
  endpoints: ['update-qualifying-event'],
  mayWarn: ['accept.combination'],
} as const;
const metric = { endpoints: ['create-metric'], mayWarn: ['accept.combination', 'accept.metric-types'] } as const;
const prompt = { endpoints: ['create-prompt-version'], mayWarn: ['accept.combination'] } as const;

// biome-ignore format: a table
export const meaningDialects: readonly Dialect[] = [
  { id: 'secondary-id-differs',     section: '2.5', title: 'wants a secondary id type that is not the first',                     ...experiment, decorator: secondaryDiffers },
  { id: 'mapping-needs-second-id',  section: '2.5', title: 'wants a secondary id type with a mapping of ids',                     ...experiment, decorator: mappingNeedsSecond },
  { id: 'benjamini-alone',          section: '2.5', title: 'takes Benjamini-Hochberg only without Bonferroni',                    ...experiment, decorator: benjaminiAlone },
  { id: 'benjamini-together',       section: '2.5', title: 'takes Benjamini-Hochberg only with Bonferroni',                       ...experiment, decorator: benjaminiTogether },
  { id: 'primary-only-needs-benjamini', section: '2.5', title: 'wants a correction with `benjaminiPrimaryMetricsOnly`',           ...experiment, decorator: primaryOnlyNeeds },
  { id: 'bonferroni-together',      section: '2.5', title: 'takes the correction per metric only with that per variant',          ...experiment, decorator: bonferroniTogether },
  { id: 'duration-or-exposures',    section: '2.5', title: 'takes a duration or a number of exposures, not both',                 ...experiment, decorator: durationOrExposures },
  { id: 'sequential-frequentist',   section: '2.5', title: 'tests sequentially in frequentist experiments only',                  ...experiment, decorator: sequentialFrequentist },
  { id: 'decision-has-reason',      section: '2.5', title: 'takes the reason of a decision only with one',                        ...experiment, decorator: reasonOfDecision },
  { id: 'dimensions-have-sources',  section: '2.5', title: 'knows three property sources of dimensions',                          ...experiment, decorator: dimensionsOfSources },
  { id: 'parameters-agree',         section: '2.5', title: 'wants the same parameters in all groups',                             ...experiment, decorator: parametersAgree },
  { id: 'sidecar-has-links',        section: '2.5', title: 'wants a link with a sidecar experiment',                              ...experiment, decorator: sidecarNeedsLinks },
  { id: 'experiment-status-stays',  section: '3',   title: 'takes the present status of an experiment and no other (409)',        ...experiment, decorator: statusStays },
  { id: 'prompt-one-system',        section: '2.9', title: 'takes one system message',                                            ...prompt, decorator: oneSystemMessage },
  { id: 'prompt-system-first',      section: '2.9', title: 'wants the system message first',                                      ...prompt, decorator: systemFirst },
  { id: 'prompt-names-unique',      section: '2.9', title: 'gives every version of a prompt a name of its own (409)',             ...prompt, decorator: versionsUnique('name') },
  { id: 'prompt-ids-unique',        section: '2.9', title: 'gives every version of a prompt an id of its own (409)',              ...prompt, decorator: versionsUnique('id') },
  { id: 'source-query-or-table',    section: '2.6', title: 'takes a table name with a table, and with nothing else',              ...source, decorator: queryOrTable },
  { id: 'source-partition-of-table', section: '2.6', title: 'takes a partition column with a table, and with nothing else',       ...source, decorator: partitionOfTable },
  { id: 'source-tables-known',      section: '2.6', title: 'reads the query, and knows the tables of the warehouse (422)',        ...source, decorator: parsed('tables') },
  { id: 'source-columns-known',     section: '2.6', title: 'reads the query, and knows the columns of the warehouse (422)',       ...source, decorator: parsed('columns') },
  { id: 'source-mapping-known',     section: '2.6', title: 'maps ids only to columns that the warehouse has (422)',               ...source, decorator: mappedColumns },
  { id: 'source-dry-run-runs',      section: '4.3', title: 'runs the query in dry runs, and no sooner (422)',                     ...source, decorator: dryRunsParsed },
  { id: 'metric-names-unique',      section: '2.7', title: 'gives every metric a name of its own, whatever its type (409)',       ...metric, decorator: metricNamesUnique },
  { id: 'metric-names-folded',      section: '2.7', title: 'takes names of metrics for the same in any letter case (409)',        ...metric, decorator: namesFolded },
  { id: 'metric-window-whole',      section: '2.7', title: 'wants a start or an end with a custom window',                        ...metric, decorator: windowWhole },
  { id: 'metric-ratio-of-two',      section: '2.7', title: 'wants two events in a ratio',                                         ...metric, decorator: twoEvents },
];
