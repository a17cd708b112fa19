import { type BodyOf, endpoints } from '../../contracts/endpoints.ts';
import { isObject } from '../../contracts/json.ts';
import { type FieldError, refusal } from '../api/response.ts';
import { alongSchema, insteadOfWork, isEmpty, moreErrors, refusing, sentBy } from '../decorators/index.ts';
import { all, type DialectTable, withBody } from './dialect.ts';

/** Services with rules of meaning that no schema can state, or on which the specification is silent. */

/** Refuses undocumented members at every depth. */
const unknownRefused = moreErrors(({ endpoint, body }) => {
  const errors: FieldError[] = [];
  alongSchema(body, endpoints[endpoint].body ?? undefined, (value, schema, property) => {
    if (schema === undefined && property !== '') errors.push({ property, errorMessage: 'is not known' });
    return value;
  });
  return errors;
});

/** Refuses a request without a body if the operation has one. */
const emptyBodyRefused = moreErrors(({ headers }) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
    ? [{ property: '', errorMessage: 'is required' }]
    : [],
);

const roles = ['system', 'user', 'assistant', 'tool'];
const rolesKnown = moreErrors(({ body }) =>
  ((body as BodyOf<'create-prompt-version'>).prompts ?? []).flatMap(({ role = 'user' }, index) =>
    roles.includes(role)
      ? []
      : [{ property: `prompts.${index}.role`, errorMessage: `must be one of ${roles.join(', ')}` }],
  ),
);

// biome-ignore format: a table
const modelRanges: readonly (readonly [name: string, least: number, most: number])[] = [
  ['temperature',        0,  2],
  ['top_p',              0,  1],
  ['frequency_penalty', -2,  2],
  ['presence_penalty',  -2,  2],
  ['max_tokens',         1,  128_000],
];
const modelRangesKept = moreErrors(request =>
  modelRanges.flatMap(([property, least, most]) => {
    const value = sentBy(request)[property];
    return typeof value === 'number' && (value < least || value > most)
      ? [{ property, errorMessage: `must be from ${least} to ${most}` }]
      : [];
  }),
);

const paid = (names: readonly string[], status: number) =>
  insteadOfWork(request => {
    const sent = sentBy(request);
    const needs = names.filter(name => sent[name] !== undefined && sent[name] !== null);
    return needs.length === 0 ? undefined : refusal(status, `The plan does not include ${needs.join(', ')}.`);
  });

const enterprise = ['team', 'teamID'];
/** The fields of experiments and metrics that need a warehouse-native project (sections 2.5 and 2.7). */
// biome-ignore format: a list
const warehouse = [
  'isAnalysisOnly', 'allocationDuration', 'cohortedAnalysisDuration', 'cohortedMetricsMatureAfterEnd', 'cohortWaitUntilEndToInclude',
  'scheduledReloadHour', 'scheduledReloadDays', 'turboMode', 'autoLoadToplineImpact', 'analysisEndTime', 'warehouseNative',
];

/** Refuses a patch that takes another gate's name. */
const namesUnique = refusing(
  409,
  'A gate with this name exists already.',
  async ({ name }, { param }, store) =>
    name !== undefined && (await store.list('gates')).some(gate => gate.id !== param && gate.name === name),
);

/** Lets nobody point a gate at another type of unit. */
const unitTypeStays = refusing(
  409,
  'The unit type cannot change after the first exposure.',
  async ({ idType }, { param }, store) =>
    idType !== undefined && idType !== ((await store.get('gates', param))?.idType ?? idType),
);

/** Requires a name and a type in references to metrics. */
const metricsWhole = moreErrors(request =>
  ['primaryMetrics', 'secondaryMetrics', 'otherMetrics', 'monitoringMetrics', 'metricComponentMetrics'].flatMap(
    property => {
      const list = sentBy(request)[property];
      return (Array.isArray(list) ? list : []).flatMap((one, index) =>
        isObject(one) && typeof one.name === 'string' && typeof one.type === 'string'
          ? []
          : [{ property: `${property}.${index}`, errorMessage: 'needs a name and a type' }],
      );
    },
  ),
);

/** Requires the columns of a metric source to be selected by its query, unless that selects all. */
const columnsSelected = moreErrors(({ body }) => {
  const { sql, timestampColumn, idTypeMapping, skip_validation } = body as BodyOf<'update-qualifying-event'>;
  const selected = /select\s+([\s\S]*?)\s+from\s/i.exec(sql)?.[1] ?? '*';
  if (skip_validation === true || selected.includes('*')) return [];
  const names = selected.split(',').map(part => part.trim().split(/[\s.]/).at(-1) ?? '');
  const missing = (property: string, column: string | undefined): FieldError[] =>
    column === undefined || names.includes(column) ? [] : [{ property, errorMessage: 'is no column of the query' }];
  return [
    ...missing('timestampColumn', timestampColumn),
    ...idTypeMapping.flatMap(({ column }, index) => missing(`idTypeMapping.${index}.column`, column)),
  ];
});

/** Has analyses mature after a cohort only where the cohort has a duration. */
const cohortsTimed = moreErrors(({ body }) => {
  const { cohortedMetricsMatureAfterEnd: matures, cohortedAnalysisDuration } = body as BodyOf<'update-experiment'>;
  return matures === true && cohortedAnalysisDuration === undefined
    ? [{ property: 'cohortedMetricsMatureAfterEnd', errorMessage: 'needs cohortedAnalysisDuration' }]
    : [];
});

/** Refuses events beside settings of the warehouse, which name the sources of a metric themselves. */
const warehouseAlone = moreErrors(({ body }) => {
  const { warehouseNative, metricEvents } = body as BodyOf<'create-metric'>;
  return warehouseNative === undefined || metricEvents === undefined
    ? []
    : [{ property: 'metricEvents', errorMessage: 'cannot stand beside warehouseNative' }];
});

// biome-ignore format: a table
export const strictnessDialects: DialectTable = [
  ['unknown-members-refused', '4',        withBody,                                     'refuses members that are not documented',                          unknownRefused],
  ['empty-body-refused',      '4',        withBody,                                     'refuses a request without the body that its operation has',        emptyBodyRefused],
  ['empty-patch-refused',     '4.6',      'patch-gate',                                 'refuses a patch that changes nothing',                             moreErrors(request => isEmpty(sentBy(request)) ? [{ property: '', errorMessage: 'must change something' }] : []), { warns: ['state.patch-empty-reads'] }],
  ['prompt-roles',            '2.9',      'create-prompt-version',                      'knows four roles of prompts',                                      rolesKnown],
  ['model-ranges',            '2.9',      'create-prompt-version',                      'keeps the settings of models in the ranges that models have',      modelRangesKept],
  ['plan-free',               '2.5, 2.7', all,                                          'answers 402 to what only a larger plan has',                       paid([...enterprise, ...warehouse], 402), { capabilities: ['skip-validation'], mayBeUntested: { checks: ['create-metric/at-once'] } }],
  ['no-skip-validation',      '4.3',      all,                                          'lets nobody skip the validation of SQL (403)',                     paid(['skip_validation'], 403), { capabilities: ['warehouse-native', 'enterprise'] }],
  ['gate-names-unique',       '2.3',      'patch-gate',                                 'gives every gate a name of its own (409)',                         namesUnique],
  ['gate-unit-type-stays',    '2.3',      'patch-gate',                                 'lets no gate have another type of unit than it has (409)',         unitTypeStays],
  ['metrics-whole',           '2.5, 2.7', ['update-experiment', 'patch-gate', 'create-metric'], 'wants metrics named with their types',                             metricsWhole],
  ['columns-selected',        '2.6',      'update-qualifying-event',                    'wants the columns of a metric source to be selected by its query', columnsSelected],
  ['cohorts-timed',           '2.5',      'update-experiment',                          'lets cohorts mature only where they have a duration',              cohortsTimed],
  ['warehouse-alone',         '2.7',      'create-metric',                              'refuses events beside settings of the warehouse',                  warehouseAlone, { warns: ['accept.combination'] }],
];
