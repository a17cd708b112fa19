import type { ObjectSchema } from '../dialect.ts';
import * as config from './dynamic-config.ts';
import * as environments from './environment.ts';
import * as experiments from './experiment.ts';
import * as answers from './experiment-answer.ts';
import * as requests from './experiment-request.ts';
import * as gates from './gate.ts';
import * as health from './health-check.ts';
import { loggedEvent } from './logged-event.ts';
import * as metrics from './metric.ts';
import * as prompts from './prompt-version.ts';
import * as sources from './qualifying-event.ts';
import * as rules from './rule.ts';
import * as segments from './segment.ts';
import { owner, pagination } from './shared.ts';
import * as warehouse from './warehouse-native.ts';

export * from './dynamic-config.ts';
export * from './environment.ts';
export * from './experiment.ts';
export * from './experiment-answer.ts';
export * from './experiment-request.ts';
export * from './gate.ts';
export * from './health-check.ts';
export * from './logged-event.ts';
export * from './metric.ts';
export * from './prompt-version.ts';
export * from './qualifying-event.ts';
export * from './rule.ts';
export * from './segment.ts';
export { owner, pagination } from './shared.ts';
export * from './warehouse-native.ts';

/**
 * The stable name of each table of fields in section 2, and the nodes that hold its rows: an object met on the way down a schema is
 * found here by identity, so that a pointer into a request or an answer becomes an id such as `gate.description` or
 * `warehouseNative.criteria`. Request and answer of one resource share their name.
 */
// biome-ignore format: a table
export const fieldTables: readonly (readonly [table: string, ...nodes: ObjectSchema[]])[] = [
  ['pagination',             pagination],
  ['owner',                  owner],
  ['rule',                   rules.rule],
  ['condition',              rules.condition, rules.segmentCondition],
  ['variant',                rules.variant],
  ['rollout',                rules.rollout],
  ['environment',            environments.environmentRequest, environments.environment],
  ['environments',           environments.environmentsBody, environments.environmentsData],
  ['gate',                   gates.gatePatch, gates.gate],
  ['gateReviewSettings',     gates.gateReviewSettings],
  ['dynamicConfig',          config.dynamicConfig],
  ['archive',                config.archiveBody],
  ['experiment',             requests.experimentRequest, answers.experiment],
  ['enableGroups',           requests.enableGroupsBody],
  ['group',                  experiments.group],
  ['metricReference',        experiments.metricReference],
  ['link',                   experiments.link],
  ['externalEvent',          experiments.externalEvent],
  ['bayesianPrior',          experiments.bayesianPrior],
  ['priorMetric',            experiments.priorMetric],
  ['manualQualityScore',     experiments.manualQualityScore],
  ['assignmentSourceFilter', experiments.assignmentSourceFilter],
  ['sprtMetricSetting',      experiments.sprtMetricSetting],
  ['sprtGroupSetting',       experiments.sprtGroupSetting],
  ['userDimension',          experiments.userDimension],
  ['cureCovariate',          experiments.cureCovariate],
  ['stratifiedSampling',     requests.stratifiedSamplingRequest, answers.stratifiedSampling],
  ['stratifiedMetric',       answers.stratifiedMetric],
  ['entityPropertySource',   answers.entityPropertySource],
  ['stratifiedCsv',          answers.stratifiedCsv],
  ['reviewSettings',         answers.experimentReviewSettings],
  ['reviewer',               answers.reviewer],
  ['activeReview',           answers.activeReview],
  ['qualityScore',           answers.qualityScore],
  ['qualityCriterion',       answers.qualityCriterion],
  ['summarySection',         answers.summarySection],
  ['shipWithHoldout',        answers.shipWithHoldout],
  ['healthCheck',            health.healthCheck],
  ['healthCheckMetadata',    health.healthCheckMetadata],
  ['deduplicationRate',      health.deduplicationRate],
  ['metricDates',            health.metricDates],
  ['healthGroup',            health.healthGroup],
  ['healthGroupMetric',      health.healthGroupMetric],
  ['groupBucketInfo',        health.groupBucketInfo],
  ['qualifyingEvent',        sources.qualifyingEventRequest, sources.qualifyingEvent],
  ['idTypeMapping',          sources.idTypeMapping],
  ['customFieldMapping',     sources.customFieldMapping],
  ['metric',                 metrics.metricRequest, metrics.metric],
  ['metricEvent',            metrics.metricEventRequest, metrics.ratioEventRequest, metrics.metricEvent],
  ['funnelEvent',            metrics.funnelEvent],
  ['lineage',                metrics.lineage],
  ['warehouseNative',        warehouse.warehouseNative],
  ['criterion',              warehouse.criterion],
  ['warehouseMetricSource',  warehouse.warehouseMetricSource],
  ['warehouseFunnelEvent',   warehouse.warehouseFunnelEvent],
  ['dimensionLimit',         warehouse.dimensionLimit],
  ['warehouseComponent',     warehouse.warehouseComponent],
  ['segment',                segments.segment],
  ['segmentRules',           segments.segmentRules],
  ['promptVersion',          prompts.promptVersionRequest, prompts.promptVersion],
  ['promptMessage',          prompts.promptMessage],
  ['workflowHeader',         prompts.workflowHeader],
  ['loggedEvent',            loggedEvent],
];
