import type { ObjectSchema, Schema } from '../dialect.ts';
import * as r from './index.ts';

/** All schemas by name. */
const schemas = { ...r };
type SchemaName = keyof typeof schemas;

/** Converts the name of an export to that of a file: `dynamicConfig` becomes `dynamic-config`. */
const inWords = (key: string): string => key.replace(/[A-Z]/g, capital => `-${capital.toLowerCase()}`);

/**
 * The named schemas. Each is a JSON Schema file, and a component of the OpenAPI document to which all uses of the same
 * node refer.
 */
// biome-ignore format: a table
export const namedResources: readonly (readonly [name: string, schema: ObjectSchema])[] = ([
  'pagination', 'owner', 'condition', 'segmentCondition', 'variant', 'rule', 'inlineTargetingRule', 'environment', 'gate',
  'dynamicConfig', 'group', 'metricReference', 'healthCheck', 'experiment', 'qualifyingEvent', 'warehouseNative', 'metric',
  'segment', 'promptVersion', 'loggedEvent',
] as const).map(key => [inWords(key), schemas[key]]);

/** A component. Its description says what an instance is; absent if its table of fields names it. */
type Part = readonly [name: string, schema: Schema, description?: string];

/**
 * The shapes within resources and bodies, and the closed sets. They are components of the OpenAPI document only, so
 * that a generated client has a named type for each.
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
  'segmentRules', 'promptMessage', 'workflowHeader',
] as const satisfies readonly (SchemaName | Part)[]).map((one): Part => (typeof one === 'string' ? [inWords(one), schemas[one]] : one));
