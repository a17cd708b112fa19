import type { Properties, Schema } from '../dialect.ts';
import { described, list, object } from '../object.ts';
import * as annotations from './annotations.ts';
import { creatorEmail, creatorID, flag, idType, sentence, tags, team, teamID, text, timestamp } from './shared.ts';

/** The fields of an experiment that are the same in requests and answers, and the objects within them (section 2.5). */

/** A group. Sizes are percent. */
// biome-ignore format: a table
export const group = described('A group of an experiment.', {
  name:            { type: 'string', annotation: annotations.displayName },
  size:            { type: 'number', annotation: { examples: [50] } },
  parameterValues: { type: 'object', annotation: { alike: true, examples: [{}, { color: 'blue' }] } },
  id:              { type: 'string', annotation: annotations.groupReference },
  disabled:        flag,
  description:     sentence,
  foreignGroupID:  { type: 'string', annotation: annotations.groupReference },
  highlighted:     flag,
});

/** A metric, by its name and type. */
export const metricReference = {
  type: 'object',
  description: 'A metric, named.',
  properties: {
    name: { type: 'string', annotation: annotations.metricName },
    type: { type: 'string', annotation: annotations.metricName },
    hypothesizedValue: { type: 'number', annotation: { examples: [1.5], furtherExamples: [0, 2.25] } },
  },
  annotation: annotations.metricName,
} as const satisfies Schema;

export const link = object({
  url: { type: 'string', annotation: { formatHint: 'url' } },
  title: { type: 'string', annotation: annotations.words },
});

export const externalEvent = object({ name: { type: 'string', annotation: annotations.words }, timestamp });

export const priorMetric = {
  type: 'object',
  properties: { name: metricReference.properties.name, type: metricReference.properties.type },
  annotation: annotations.metricName,
} as const satisfies Schema;

export const bayesianPrior = object({
  metric: priorMetric,
  priorMean: { type: 'number', annotation: { examples: [0] } },
  priorStdDev: { type: 'number', annotation: { examples: [1] } },
});

/** The identifiers of the default checks of a quality score (section 2.5). */
// biome-ignore format: one line
export const defaultChecks = ['HYPOTHESIS_LENGTH', 'BALANCED_EXPOSURE', 'PRIMARY_METRICS_LENGTH', 'COMPARISON_CORRECTION', 'GUARDRAIL_METRIC_TAGS', 'SUFFICIENT_SAMPLE', 'POWER_ANALYSIS', 'SEQUENTIAL_TESTING'] as const;

export const manualQualityScore = object({
  criteriaDescription: sentence,
  score: { type: 'number', annotation: { examples: [50] } },
  weight: { type: 'number', annotation: { examples: [10] } },
});

/** The identifiers of the default checks of a quality score: of these an update changes the weight alone (section 2.5). */
// biome-ignore format: a list
export const defaultQualityChecks: readonly string[] = [
  'HYPOTHESIS_LENGTH', 'BALANCED_EXPOSURE', 'PRIMARY_METRICS_LENGTH', 'COMPARISON_CORRECTION',
  'GUARDRAIL_METRIC_TAGS', 'SUFFICIENT_SAMPLE', 'POWER_ANALYSIS', 'SEQUENTIAL_TESTING',
];

export const assignmentSourceFilter = object({
  column: { type: 'string', annotation: annotations.column },
  values: list(text),
});

/** The expectation of a metric in one group. The specification gives no types. */
export const sprtGroupSetting = object({
  groupKey: { annotation: annotations.groupKey },
  mde: { annotation: { examples: [0.05] } },
  mean: { annotation: { examples: [1] } },
  stdDev: { annotation: { examples: [0.5] } },
});

export const sprtMetricSetting = object({
  metricKey: { type: 'string', annotation: annotations.metricName },
  groupSettings: list(sprtGroupSetting),
});

/** The specification gives no types here. */
export const userDimension = object({
  name: { annotation: { examples: ['country', 'age_group'], furtherExamples: ['platform'] } },
  propertySource: { annotation: { examples: ['users'] } },
});

/** The specification gives no types here. */
export const cureCovariate = object({
  name: { annotation: { examples: ['country'], furtherExamples: ['age_group', 'platform'] } },
  type: { annotation: { examples: ['user_property'] } },
});

/** The members of stratified sampling that are the same in requests and answers. */
export const stratifiedFields = {
  useStratifiedSalt: flag,
  useUnits: flag,
  deltaReduction: { type: 'number', annotation: { examples: [0.5], furtherExamples: [0, 0.25] } },
  spreadReduction: { type: 'number', annotation: { examples: [0.5], furtherExamples: [0, 0.25] } },
} as const satisfies Properties;

const metricReferences = {
  type: 'array',
  items: metricReference,
  annotation: { compare: 'unordered' },
} as const satisfies Schema;
const correction = { type: 'boolean', annotation: { uncertain: [true] } } as const satisfies Schema;
const warehouseFlag = { type: 'boolean', annotation: annotations.warehouse } as const satisfies Schema;

/** The fields that state no bound, pattern or length. */
// biome-ignore format: a table
export const experimentFields = {
  idType,
  hypothesis:                    sentence,
  groups:                        { type: 'array', items: group, annotation: { formatHint: 'groups' } },
  targetingGateID:               { type: ['string', 'null'], annotation: annotations.gateReference },
  bonferroniCorrection:          flag,
  defaultConfidenceInterval:     { enum: ['80', '90', '95', '98', '99'] },
  status:                        { enum: ['active', 'setup', 'decision_made', 'abandoned', 'archived', 'experiment_stopped', 'assignment_stopped'], annotation: { semantics: 'guarded', examples: ['setup'] } },
  secondaryIDType:               { type: ['string', 'null'], annotation: { ...annotations.idType, differsFrom: 'idType', uncertain: true } },
  identifierMappingMode:         { enum: ['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany'], annotation: { beside: ['secondaryIDType'] } },
  identityResolutionSource:      { type: ['string', 'null'], annotation: { semantics: 'reference', refersTo: 'identitySource' } },
  links:                         list(link),
  externalEvents:                { type: 'array', items: externalEvent, annotation: { compare: 'unordered' } },
  controlGroupID:                { type: 'string', annotation: annotations.groupReference },
  primaryMetricTags:             tags,
  secondaryMetricTags:           tags,
  tags,
  primaryMetrics:                metricReferences,
  secondaryMetrics:              metricReferences,
  otherMetrics:                  metricReferences,
  targetApps:                    { type: 'string', annotation: annotations.app },
  sequentialTesting:             flag,
  // Corrections may exclude one another, or build upon one another.
  bonferroniCorrectionPerMetric: correction,
  benjaminiHochbergPerVariant:   correction,
  benjaminiHochbergPerMetric:    correction,
  benjaminiPrimaryMetricsOnly:   correction,
  // Only -1, 1 and 7 "for cloud experiments": which experiments those are is not shown, so any integer is legal.
  defaultRollupWindow:           { type: 'integer', annotation: { examples: [7, 1, -1] } },
  defaultChanceToBeatThreshold:  { type: 'number', annotation: { ...annotations.bayesian, examples: [0.95] } },
  bayesianPriors:                { type: 'array', items: bayesianPrior, annotation: { ...annotations.bayesian, compare: 'unordered' } },
  launchedGroupID:               { type: ['string', 'null'], annotation: { semantics: 'guarded', refersTo: 'group' } },
  assignmentSourceName:          { type: 'string', annotation: { semantics: 'reference', refersTo: 'assignmentSource' } },
  assignmentSourceExperimentName: { type: 'string', annotation: { semantics: 'reference', refersTo: 'assignmentExperiment' } },
  creatorID,
  creatorEmail,
  isAnalysisOnly:                { type: ['boolean', 'null'], annotation: annotations.warehouse },
  team,
  teamID,
  cohortedMetricsMatureAfterEnd: warehouseFlag,
  cohortWaitUntilEndToInclude:   warehouseFlag,
  scheduledReloadType:           { enum: ['full', 'incremental'], annotation: { beside: ['scheduledReloadHour'] } },
  turboMode:                     warehouseFlag,
  autoLoadToplineImpact:         warehouseFlag,
  analysisEndTime:               { type: 'string', annotation: { ...annotations.warehouse, formatHint: 'iso-date-time', beside: ['isAnalysisOnly=true'] } },
  assignmentSourceFilters:       { type: 'array', items: assignmentSourceFilter, annotation: { beside: ['assignmentSourceName'], compare: 'unordered' } },
  analyticsType:                 { enum: ['frequentist', 'bayesian', 'sprt'] },
  defaultSPRTPowerParam:         { type: 'number', annotation: { beside: ['analyticsType=sprt'], examples: [80] } },
  defaultSPRTMDE:                { type: 'number', annotation: { beside: ['analyticsType=sprt'], examples: [0.05] } },
  sprtBaselineMode:              { enum: ['manual', 'in_experiment_control'], annotation: { beside: ['analyticsType=sprt', 'defaultSPRTMDE'], valueNeeds: { manual: ['sprtMDESettings'] } } },
  sprtMDESettings:               { type: 'array', items: sprtMetricSetting, annotation: { semantics: 'reference', refersTo: 'groupKey', beside: ['analyticsType=sprt'], compare: 'unordered' } },
  isSidecar:                     { type: 'boolean', annotation: { uncertain: [true] } },
  decisionReason:                { type: 'string', annotation: { ...annotations.sentence, ...annotations.uncertain } },
  preComputedUserDimensions:     { type: 'array', items: userDimension, annotation: { ...annotations.uncertain, compare: 'unordered' } },
  cureCovariates:                { type: 'array', items: cureCovariate, annotation: { ...annotations.uncertain, compare: 'unordered' } },
  enabledNonProdEnvironments:    { type: 'array', items: { type: 'string', annotation: annotations.environment }, annotation: { ...annotations.uncertain, compare: 'unordered' } },
} as const satisfies Properties;
