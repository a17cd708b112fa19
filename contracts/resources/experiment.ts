import type { Properties, Schema } from '../dialect.ts';
import { membersOf } from '../json.ts';
import { described, list, object } from '../object.ts';
import * as annotations from './annotations.ts';
import {
  creatorEmail,
  creatorID,
  flag,
  flagOf,
  idType,
  listOf,
  nameOf,
  nameOrNullOf,
  numberLike,
  numberOf,
  sentence,
  tags,
  team,
  teamID,
  text,
  textOf,
  textOrNullOf,
  timestamp,
  unorderedOf,
} from './shared.ts';

/** The fields of an experiment that are the same in requests and answers, and the objects in them (section 2.5). */

/** A group. Sizes are percent. */
// biome-ignore format: a table
export const group = described('A group of an experiment.', {
  name:            textOf(annotations.displayName),
  size:            numberLike(50),
  parameterValues: { type: 'object', annotation: { alike: true, examples: [{}, { color: 'blue' }] } },
  id:              nameOf('group'),
  disabled:        flag,
  description:     sentence,
  foreignGroupID:  nameOf('group'),
  highlighted:     flag,
});

/** A reference to a metric by name and type. */
export const metricReference = {
  type: 'object',
  description: 'A metric, named.',
  properties: {
    name: nameOf('metric'),
    type: nameOf('metric'),
    hypothesizedValue: numberOf({ examples: [1.5], furtherExamples: [0, 12.345] }),
  },
  annotation: annotations.metricName,
} as const satisfies Schema;

export const link = object({
  url: textOf({ formatHint: 'url' }),
  title: textOf(annotations.words),
});

export const externalEvent = object({ name: textOf(annotations.words), timestamp });

export const priorMetric = {
  type: 'object',
  properties: { name: metricReference.properties.name, type: metricReference.properties.type },
  annotation: annotations.metricName,
} as const satisfies Schema;

export const bayesianPrior = object({
  metric: priorMetric,
  priorMean: numberLike(0),
  priorStdDev: numberLike(1),
});

export const manualQualityScore = object({
  criteriaDescription: sentence,
  score: numberLike(50),
  weight: numberLike(10),
});

/** The identifiers of the default checks of a quality score. An update changes only their weights (section 2.5). */
// biome-ignore format: a list
export const defaultQualityChecks: readonly string[] = [
  'HYPOTHESIS_LENGTH', 'BALANCED_EXPOSURE', 'PRIMARY_METRICS_LENGTH', 'COMPARISON_CORRECTION',
  'GUARDRAIL_METRIC_TAGS', 'SUFFICIENT_SAMPLE', 'POWER_ANALYSIS', 'SEQUENTIAL_TESTING',
];

/** Section 2.5: the maximum number of manual scores that an experiment keeps. */
export const mostScores = 10;

/** Returns the trimmed criteria of a list of scores; `name` is the member that holds them. */
export const criteriaOf = (list: unknown, name: 'criteriaDescription' | 'criterion'): readonly string[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const criterion = membersOf(one)[name];
    return typeof criterion === 'string' ? [criterion.trim()] : [];
  });

export const assignmentSourceFilter = object({
  column: nameOf('column'),
  values: unorderedOf(text),
});

/** The expectation of a metric in one group. The specification gives no types. */
export const sprtGroupSetting = object({
  groupKey: { annotation: annotations.reference('groupKey') },
  mde: { annotation: { examples: [0.123], furtherExamples: [0.377] } },
  mean: { annotation: { examples: [12.345], furtherExamples: [7.512] } },
  stdDev: { annotation: { examples: [1.623], furtherExamples: [2.251] } },
});

export const sprtMetricSetting = object({
  metricKey: nameOf('metric'),
  groupSettings: unorderedOf(sprtGroupSetting),
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
  deltaReduction: numberOf({ examples: [0.5], furtherExamples: [0, 0.25] }),
  spreadReduction: numberOf({ examples: [0.5], furtherExamples: [0, 0.25] }),
} as const satisfies Properties;

const metricReferences = unorderedOf(metricReference);
const correction = flagOf({ uncertain: [true] });
const warehouseFlag = flagOf(annotations.warehouse);

/** The fields without a bound, pattern or length. */
// biome-ignore format: a table
export const experimentFields = {
  idType,
  hypothesis:                    sentence,
  groups:                        listOf(group, { formatHint: 'groups' }),
  targetingGateID:               nameOrNullOf('gate'),
  bonferroniCorrection:          flag,
  defaultConfidenceInterval:     { enum: ['80', '90', '95', '98', '99'] },
  status:                        { enum: ['active', 'setup', 'decision_made', 'abandoned', 'archived', 'experiment_stopped', 'assignment_stopped'], annotation: { semantics: 'guarded', examples: ['setup'] } },
  secondaryIDType:               textOrNullOf({ ...annotations.reference('idType'), differsFrom: 'idType', uncertain: true }),
  identifierMappingMode:         { enum: ['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany'], annotation: { beside: ['secondaryIDType'] } },
  identityResolutionSource:      nameOrNullOf('identitySource'),
  links:                         list(link),
  externalEvents:                unorderedOf(externalEvent),
  controlGroupID:                nameOf('group'),
  primaryMetricTags:             tags,
  secondaryMetricTags:           tags,
  tags,
  primaryMetrics:                metricReferences,
  secondaryMetrics:              metricReferences,
  otherMetrics:                  metricReferences,
  targetApps:                    nameOf('app'),
  sequentialTesting:             flag,
  // Some corrections may exclude or require each other.
  bonferroniCorrectionPerMetric: correction,
  benjaminiHochbergPerVariant:   correction,
  benjaminiHochbergPerMetric:    correction,
  benjaminiPrimaryMetricsOnly:   correction,
  // Only -1, 1 and 7 "for cloud experiments": the specification does not show which those are, so any integer is legal.
  defaultRollupWindow:           { type: 'integer', annotation: { examples: [7, 1, -1] } },
  defaultChanceToBeatThreshold:  numberOf({ ...annotations.bayesian, examples: [0.95] }),
  bayesianPriors:                unorderedOf(bayesianPrior, annotations.bayesian),
  launchedGroupID:               textOrNullOf({ semantics: 'guarded', refersTo: 'group' }),
  assignmentSourceName:          nameOf('assignmentSource'),
  assignmentSourceExperimentName: nameOf('assignmentExperiment'),
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
  analysisEndTime:               textOf({ ...annotations.warehouse, formatHint: 'iso-date-time', beside: ['isAnalysisOnly=true'] }),
  assignmentSourceFilters:       listOf(assignmentSourceFilter, { beside: ['assignmentSourceName'], compare: 'unordered', repeatable: true }),
  analyticsType:                 { enum: ['frequentist', 'bayesian', 'sprt'], annotation: { valueNeeds: { sprt: ['defaultSPRTMDE'] } } },
  defaultSPRTPowerParam:         numberOf({ beside: ['analyticsType=sprt'], examples: [80] }),
  defaultSPRTMDE:                numberOf({ beside: ['analyticsType=sprt'], examples: [0.05] }),
  sprtBaselineMode:              { enum: ['manual', 'in_experiment_control'], annotation: { beside: ['analyticsType=sprt', 'defaultSPRTMDE'], valueNeeds: { manual: ['sprtMDESettings'] } } },
  sprtMDESettings:               listOf(sprtMetricSetting, { ...annotations.reference('groupKey'), beside: ['analyticsType=sprt'], compare: 'unordered' }),
  isSidecar:                     flagOf({ uncertain: [true] }),
  decisionReason:                textOf({ ...annotations.sentence, ...annotations.uncertain }),
  preComputedUserDimensions:     unorderedOf(userDimension, annotations.uncertain),
  cureCovariates:                unorderedOf(cureCovariate, annotations.uncertain),
  enabledNonProdEnvironments:    unorderedOf(nameOf('environment'), annotations.uncertain),
} as const satisfies Properties;
