import type { Properties, Schema } from '../dialect.ts';
import * as means from './meanings.ts';
import { creatorEmail, creatorID, flag, idType, sentence, tags, team, text, timestamp } from './shared.ts';

/** The fields of an experiment that read the same in a request and in an answer, and the objects within them (section 2.5). */

/** A group. Sizes are percent. */
// biome-ignore format: a table
export const group = {
  type: 'object',
  description: 'A group of an experiment.',
  properties: {
    name:            { type: 'string', meaning: means.displayName },
    size:            { type: 'number', meaning: { ordinary: [50] } },
    parameterValues: { type: 'object', meaning: { ordinary: [{}, { color: 'blue' }] } },
    id:              { type: 'string', meaning: means.groupReference },
    disabled:        flag,
    description:     sentence,
    foreignGroupID:  { type: 'string', meaning: means.groupReference },
    highlighted:     flag,
  },
} as const satisfies Schema;

/** A metric by its name and type. */
export const metricReference = {
  type: 'object',
  description: 'A metric, named.',
  properties: {
    name: { type: 'string', meaning: means.metricName },
    type: { type: 'string', meaning: means.metricName },
    hypothesizedValue: { type: 'number', meaning: { ordinary: [1.5] } },
  },
  meaning: means.metricName,
} as const satisfies Schema;

export const link = {
  type: 'object',
  properties: { url: { type: 'string', meaning: { flavour: 'url' } }, title: { type: 'string', meaning: means.words } },
} as const satisfies Schema;

export const externalEvent = {
  type: 'object',
  properties: { name: { type: 'string', meaning: means.words }, timestamp },
} as const satisfies Schema;

export const priorMetric = {
  type: 'object',
  properties: { name: metricReference.properties.name, type: metricReference.properties.type },
  meaning: means.metricName,
} as const satisfies Schema;

export const bayesianPrior = {
  type: 'object',
  properties: {
    metric: priorMetric,
    priorMean: { type: 'number', meaning: { ordinary: [0] } },
    priorStdDev: { type: 'number', meaning: { ordinary: [1] } },
  },
} as const satisfies Schema;

export const manualQualityScore = {
  type: 'object',
  properties: {
    criteriaDescription: sentence,
    score: { type: 'number', meaning: { ordinary: [50] } },
    weight: { type: 'number', meaning: { ordinary: [10] } },
  },
} as const satisfies Schema;

export const assignmentSourceFilter = {
  type: 'object',
  properties: { column: { type: 'string', meaning: means.column }, values: { type: 'array', items: text } },
} as const satisfies Schema;

/** What a metric is expected to show in one group: the specification names the members and gives no types. */
export const sprtGroupSetting = {
  type: 'object',
  properties: {
    groupKey: { meaning: means.groupReference },
    mde: { meaning: { ordinary: [0.05] } },
    mean: { meaning: { ordinary: [1] } },
    stdDev: { meaning: { ordinary: [0.5] } },
  },
} as const satisfies Schema;

export const sprtMetricSetting = {
  type: 'object',
  properties: {
    metricKey: { type: 'string', meaning: means.metricName },
    groupSettings: { type: 'array', items: sprtGroupSetting },
  },
} as const satisfies Schema;

/** The specification gives no types here. */
export const userDimension = {
  type: 'object',
  properties: {
    name: { meaning: { ordinary: ['country', 'age_group'] } },
    propertySource: { meaning: { ordinary: ['users'] } },
  },
} as const satisfies Schema;

/** The specification gives no types here. */
export const cureCovariate = {
  type: 'object',
  properties: { name: { meaning: { ordinary: ['country'] } }, type: { meaning: { ordinary: ['user_property'] } } },
} as const satisfies Schema;

/** The members of stratified sampling that requests and answers share. */
export const stratifiedFields = {
  useStratifiedSalt: flag,
  useUnits: flag,
  deltaReduction: { type: 'number', meaning: { ordinary: [0.5] } },
  spreadReduction: { type: 'number', meaning: { ordinary: [0.5] } },
} as const satisfies Properties;

const metricReferences = {
  type: 'array',
  items: metricReference,
  meaning: { compare: 'unordered' },
} as const satisfies Schema;
const warehouseFlag = { type: 'boolean', meaning: means.warehouse } as const satisfies Schema;

/** The rows of the table that state no bound, pattern or length. */
// biome-ignore format: a table
export const experimentFields = {
  idType,
  hypothesis:                    sentence,
  groups:                        { type: 'array', items: group, meaning: { flavour: 'groups' } },
  targetingGateID:               { type: ['string', 'null'], meaning: means.gateReference },
  bonferroniCorrection:          flag,
  defaultConfidenceInterval:     { enum: ['80', '90', '95', '98', '99'] },
  status:                        { enum: ['active', 'setup', 'decision_made', 'abandoned', 'archived', 'experiment_stopped', 'assignment_stopped'], meaning: { semantics: 'guarded', ordinary: ['setup'] } },
  secondaryIDType:               { type: ['string', 'null'], meaning: means.idType },
  identifierMappingMode:         { enum: ['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany'] },
  identityResolutionSource:      { type: ['string', 'null'], meaning: { semantics: 'reference', refersTo: 'identitySource' } },
  links:                         { type: 'array', items: link },
  externalEvents:                { type: 'array', items: externalEvent, meaning: { compare: 'unordered' } },
  controlGroupID:                { type: 'string', meaning: means.groupReference },
  primaryMetricTags:             tags,
  secondaryMetricTags:           tags,
  tags,
  primaryMetrics:                metricReferences,
  secondaryMetrics:              metricReferences,
  otherMetrics:                  metricReferences,
  targetApps:                    { type: 'string', meaning: means.app },
  sequentialTesting:             flag,
  bonferroniCorrectionPerMetric: flag,
  benjaminiHochbergPerVariant:   flag,
  benjaminiHochbergPerMetric:    flag,
  benjaminiPrimaryMetricsOnly:   flag,
  // Only -1, 1 and 7 "for cloud experiments": which experiments those are is not shown, so any integer is legal.
  defaultRollupWindow:           { type: 'integer', meaning: { ordinary: [7, 1, -1] } },
  defaultChanceToBeatThreshold:  { type: 'number', meaning: { ...means.bayesian, ordinary: [0.95] } },
  bayesianPriors:                { type: 'array', items: bayesianPrior, meaning: { ...means.bayesian, compare: 'unordered' } },
  launchedGroupID:               { type: ['string', 'null'], meaning: { semantics: 'guarded', refersTo: 'group' } },
  assignmentSourceName:          { type: 'string', meaning: { semantics: 'reference', refersTo: 'assignmentSource' } },
  assignmentSourceExperimentName: { type: 'string', meaning: { semantics: 'reference', refersTo: 'assignmentSource' } },
  creatorID,
  creatorEmail,
  isAnalysisOnly:                { type: ['boolean', 'null'], meaning: means.warehouse },
  team,
  teamID:                        team,
  cohortedMetricsMatureAfterEnd: warehouseFlag,
  cohortWaitUntilEndToInclude:   warehouseFlag,
  scheduledReloadType:           { enum: ['full', 'incremental'], meaning: { beside: ['scheduledReloadHour'] } },
  turboMode:                     warehouseFlag,
  autoLoadToplineImpact:         warehouseFlag,
  analysisEndTime:               { type: 'string', meaning: { ...means.warehouse, flavour: 'iso-date-time', beside: ['isAnalysisOnly=true'] } },
  assignmentSourceFilters:       { type: 'array', items: assignmentSourceFilter, meaning: { beside: ['assignmentSourceName'], compare: 'unordered' } },
  analyticsType:                 { enum: ['frequentist', 'bayesian', 'sprt'] },
  defaultSPRTPowerParam:         { type: 'number', meaning: { beside: ['analyticsType=sprt'], ordinary: [80] } },
  defaultSPRTMDE:                { type: 'number', meaning: { beside: ['analyticsType=sprt'], ordinary: [0.05] } },
  sprtBaselineMode:              { enum: ['manual', 'in_experiment_control'], meaning: { beside: ['analyticsType=sprt', 'defaultSPRTMDE'], valueNeeds: { manual: ['sprtMDESettings'] } } },
  sprtMDESettings:               { type: 'array', items: sprtMetricSetting, meaning: { semantics: 'reference', refersTo: 'group', beside: ['analyticsType=sprt'], compare: 'unordered' } },
  isSidecar:                     flag,
  decisionReason:                sentence,
  preComputedUserDimensions:     { type: 'array', items: userDimension, meaning: { compare: 'unordered' } },
  cureCovariates:                { type: 'array', items: cureCovariate, meaning: { compare: 'unordered' } },
  enabledNonProdEnvironments:    { type: 'array', items: { type: 'string', meaning: means.environment }, meaning: { compare: 'unordered' } },
} as const satisfies Properties;
