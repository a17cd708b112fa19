import type { ObjectSchema, Schema } from '../dialect.ts';
import * as r from './index.ts';

/**
 * The schemas with a name of their own: each is a JSON Schema file, and a component of the OpenAPI document to which
 * every use of the same node refers.
 */
// biome-ignore format: a table
export const namedResources: readonly (readonly [name: string, schema: ObjectSchema])[] = [
  ['pagination',       r.pagination],
  ['owner',            r.owner],
  ['condition',        r.condition],
  ['segment-condition', r.segmentCondition],
  ['variant',          r.variant],
  ['rule',             r.rule],
  ['environment',      r.environment],
  ['gate',             r.gate],
  ['dynamic-config',   r.dynamicConfig],
  ['group',            r.group],
  ['metric-reference', r.metricReference],
  ['health-check',     r.healthCheck],
  ['experiment',       r.experiment],
  ['qualifying-event', r.qualifyingEvent],
  ['warehouse-native', r.warehouseNative],
  ['metric',           r.metric],
  ['segment',          r.segment],
  ['prompt-version',   r.promptVersion],
  ['logged-event',     r.loggedEvent],
];

/** The first sentence of a component says what one of it is; absent where its table of fields names it. */
type Part = readonly [name: string, schema: Schema, description?: string];

/**
 * The shapes within resources and bodies, and the closed sets: components of the OpenAPI document alone, so that a
 * client generated from it has a type with a name for each of them.
 */
// biome-ignore format: a table
export const namedParts: readonly Part[] = [
  ['rollout',                    r.rollout],
  ['environment-request',        r.environmentRequest,                        'An environment in a request.'],
  ['environments-data',          r.environmentsData],
  ['gate-type',                  r.gatePatch.properties.type,                 'How long a gate is meant to stay.'],
  ['gate-review-settings',       r.gateReviewSettings],
  ['experiment-status',          r.experimentFields.status,                   'The status of an experiment.'],
  ['confidence-interval',        r.experimentFields.defaultConfidenceInterval, 'A confidence interval, in percent.'],
  ['identifier-mapping-mode',    r.experimentFields.identifierMappingMode,    'How ids of two types are mapped to one another.'],
  ['analytics-type',             r.experimentFields.analyticsType,            'The statistics of an experiment.'],
  ['sprt-baseline-mode',         r.experimentFields.sprtBaselineMode,         'Where the baseline of a sequential test comes from.'],
  ['scheduled-reload-type',      r.experimentFields.scheduledReloadType,      'How much a scheduled reload computes.'],
  ['experiment-link',            r.link],
  ['external-event',             r.externalEvent],
  ['prior-metric',               r.priorMetric],
  ['bayesian-prior',             r.bayesianPrior],
  ['manual-quality-score',       r.manualQualityScore],
  ['assignment-source-filter',   r.assignmentSourceFilter],
  ['sprt-group-setting',         r.sprtGroupSetting],
  ['sprt-metric-setting',        r.sprtMetricSetting],
  ['user-dimension',             r.userDimension],
  ['cure-covariate',             r.cureCovariate],
  ['stratified-sampling-request', r.stratifiedSamplingRequest,                'A stratified sampling in a request.'],
  ['stratified-sampling',        r.stratifiedSampling],
  ['stratified-metric',          r.stratifiedMetric],
  ['entity-property-source',     r.entityPropertySource],
  ['stratified-csv',             r.stratifiedCsv],
  ['reviewer',                   r.reviewer],
  ['experiment-review-settings', r.experimentReviewSettings],
  ['active-review',              r.activeReview],
  ['quality-criterion',          r.qualityCriterion],
  ['quality-score',              r.qualityScore],
  ['summary-section',            r.summarySection],
  ['ship-with-holdout',          r.shipWithHoldout],
  ['deduplication-rate',         r.deduplicationRate],
  ['metric-dates',               r.metricDates],
  ['health-group-metric',        r.healthGroupMetric],
  ['health-group',               r.healthGroup],
  ['group-bucket-info',          r.groupBucketInfo],
  ['health-check-metadata',      r.healthCheckMetadata],
  ['source-type',                r.qualifyingEvent.properties.sourceType,     'Whether a qualifying event reads a table or a query.'],
  ['id-type-mapping',            r.idTypeMapping],
  ['custom-field-mapping',       r.customFieldMapping],
  ['metric-type',                r.metricRequest.properties.type,             'The types of metric that can be created.'],
  ['directionality',             r.metricRequest.properties.directionality,   'Which way a metric should move.'],
  ['funnel-count-distinct',      r.metricRequest.properties.funnelCountDistinct, 'What a funnel counts.'],
  ['metric-event-request',       r.metricEventRequest,                        'A metric event in a request.'],
  ['ratio-event-request',        r.ratioEventRequest,                         'An event of a ratio metric in a request.'],
  ['ratio-aggregation',          r.ratioEventRequest.properties.type,         'How an event of a ratio metric is aggregated.'],
  ['metric-event',               r.metricEvent],
  ['funnel-event',               r.funnelEvent],
  ['lineage',                    r.lineage],
  ['criterion',                  r.criterion],
  ['warehouse-metric-source',    r.warehouseMetricSource],
  ['warehouse-funnel-event',     r.warehouseFunnelEvent],
  ['dimension-limit',            r.dimensionLimit],
  ['warehouse-component',        r.warehouseComponent],
  ['segment-type',               r.segment.properties.type,                   'How a segment says who is in it.'],
  ['segment-rules',              r.segmentRules],
  ['prompt-message',             r.promptMessage],
  ['workflow-header',            r.workflowHeader],
];
