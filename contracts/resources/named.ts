import type { ObjectSchema, Schema } from '../dialect.ts';
import * as r from './index.ts';

/** All schemas by their names. */
const schemas = { ...r };
type SchemaName = keyof typeof schemas;

/** The name of an export as a file has it: `dynamicConfig` is `dynamic-config`. */
const inWords = (key: string): string => key.replace(/[A-Z]/g, capital => `-${capital.toLowerCase()}`);

/**
 * The schemas with a name of their own: each is a JSON Schema file, and a component of the OpenAPI document to which
 * every use of the same node refers.
 */
// biome-ignore format: a table
export const namedResources: readonly (readonly [name: string, schema: ObjectSchema])[] = ([
  'pagination', 'owner', 'condition', 'segmentCondition', 'variant', 'rule', 'environment', 'gate',
  'dynamicConfig', 'group', 'metricReference', 'healthCheck', 'experiment', 'qualifyingEvent', 'warehouseNative', 'metric',
  'segment', 'promptVersion', 'loggedEvent',
] as const).map(key => [inWords(key), schemas[key]]);

/** The first sentence of a component says what one of it is; absent where its table of fields names it. */
type Part = readonly [name: string, schema: Schema, description?: string];

/**
 * The shapes within resources and bodies, and the closed sets: components of the OpenAPI document alone, so that a
 * client generated from it has a type with a name for each of them.
 */
// biome-ignore format: a table
export const namedParts: readonly Part[] = ([
  'rollout',
  ['environment-request',        r.environmentRequest,                        'An environment in a request.'],
  'environmentsData',
  ['gate-type',                  r.gatePatch.properties.type,                 'How long a gate is meant to stay.'],
  'gateReviewSettings',
  ['experiment-status',          r.experimentFields.status,                   'The status of an experiment.'],
  ['confidence-interval',        r.experimentFields.defaultConfidenceInterval, 'A confidence interval, in percent.'],
  ['identifier-mapping-mode',    r.experimentFields.identifierMappingMode,    'How ids of two types are mapped to one another.'],
  ['analytics-type',             r.experimentFields.analyticsType,            'The statistics of an experiment.'],
  ['sprt-baseline-mode',         r.experimentFields.sprtBaselineMode,         'Where the baseline of a sequential test comes from.'],
  ['scheduled-reload-type',      r.experimentFields.scheduledReloadType,      'How much a scheduled reload computes.'],
  ['experiment-link',            r.link],
  'externalEvent', 'priorMetric', 'bayesianPrior', 'manualQualityScore', 'assignmentSourceFilter', 'sprtGroupSetting',
  'sprtMetricSetting', 'userDimension', 'cureCovariate',
  ['stratified-sampling-request', r.stratifiedSamplingRequest,                'A stratified sampling in a request.'],
  'stratifiedSampling', 'stratifiedMetric', 'entityPropertySource', 'stratifiedCsv', 'reviewer', 'experimentReviewSettings',
  'activeReview', 'qualityCriterion', 'qualityScore', 'summarySection', 'shipWithHoldout', 'deduplicationRate',
  'metricDates', 'healthGroupMetric', 'healthGroup', 'groupBucketInfo', 'healthCheckMetadata',
  ['source-type',                r.qualifyingEvent.properties.sourceType,     'Whether a qualifying event reads a table or a query.'],
  'idTypeMapping', 'customFieldMapping',
  ['metric-type',                r.metricRequest.properties.type,             'The types of metric that can be created.'],
  ['directionality',             r.metricRequest.properties.directionality,   'Which way a metric should move.'],
  ['funnel-count-distinct',      r.metricRequest.properties.funnelCountDistinct, 'What a funnel counts.'],
  ['metric-event-request',       r.metricEventRequest,                        'A metric event in a request.'],
  ['ratio-event-request',        r.ratioEventRequest,                         'An event of a ratio metric in a request.'],
  ['ratio-aggregation',          r.ratioEventRequest.properties.type,         'How an event of a ratio metric is aggregated.'],
  'metricEvent', 'funnelEvent', 'lineage', 'criterion', 'warehouseMetricSource', 'warehouseFunnelEvent',
  'dimensionLimit', 'warehouseComponent',
  ['segment-type',               r.segment.properties.type,                   'How a segment says who is in it.'],
  'segmentRules', 'promptMessage', 'workflowHeader',
] as const satisfies readonly (SchemaName | Part)[]).map((one): Part => (typeof one === 'string' ? [inWords(one), schemas[one]] : one));
