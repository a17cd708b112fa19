import type { Schema } from '../dialect.ts';
import { experimentFields, manualQualityScore, stratifiedFields } from './experiment.ts';
import { healthCheck } from './health-check.ts';
import { rule } from './rule.ts';
import { flag, integer, number, owner, text, textOrNull, texts, untyped } from './shared.ts';

/** An experiment in an answer (sections 2.5, 4.4 and 4.8). Members that have only a name may have any value. */

export const stratifiedMetric = {
  type: 'object',
  properties: { name: untyped, startDate: untyped, endDate: untyped, type: untyped },
} as const satisfies Schema;

export const entityPropertySource = {
  type: 'object',
  properties: { propertySourceName: untyped, column: untyped },
} as const satisfies Schema;

export const stratifiedCsv = {
  type: 'object',
  properties: { original: untyped, identifier: untyped },
} as const satisfies Schema;

export const stratifiedSampling = {
  type: 'object',
  properties: { ...stratifiedFields, metric: stratifiedMetric, entityPropertySource, csv: stratifiedCsv },
} as const satisfies Schema;

export const reviewer = {
  type: 'object',
  properties: { id: untyped, name: untyped, email: untyped },
} as const satisfies Schema;

export const experimentReviewSettings = {
  type: 'object',
  properties: { requiredReview: flag, allowedReviewers: { type: 'array', items: reviewer } },
} as const satisfies Schema;

export const activeReview = {
  type: 'object',
  properties: { reviewID: untyped, reviewStatus: untyped, description: untyped },
} as const satisfies Schema;

export const qualityCriterion = {
  type: 'object',
  properties: { criterion: untyped, passingDescription: untyped, score: untyped, weight: untyped },
} as const satisfies Schema;

export const qualityScore = {
  type: 'object',
  properties: { score: number, breakdown: { type: 'array', items: qualityCriterion } },
} as const satisfies Schema;

export const summarySection = {
  type: 'object',
  properties: { name: untyped, content: untyped },
} as const satisfies Schema;

export const shipWithHoldout = {
  type: 'object',
  properties: {
    holdoutPercent: untyped,
    shippedGroupID: untyped,
    shippedGroupName: untyped,
    shippedWithHoldoutTime: untyped,
    expectedDuration: untyped,
  },
} as const satisfies Schema;

// biome-ignore format: a table
export const experiment = {
  type: 'object',
  description: 'An experiment.',
  properties: {
    ...experimentFields,
    id:                       text,
    description:              text,
    allocation:               number,
    name:                     text,
    userBuckets:              { type: 'array', items: number, annotation: { compare: 'unordered' } },
    duration:                 integer,
    targetExposures:          integer,
    manualQualityScores:      { type: 'array', items: manualQualityScore, annotation: { compare: 'never' } },
    allocationDuration:       { type: ['integer', 'null'] },
    cohortedAnalysisDuration: integer,
    fixedAnalysisDuration:    integer,
    scheduledReloadHour:      { type: ['integer', 'null'] },
    scheduledReloadDays:      { type: ['array', 'null'], items: integer, annotation: { compare: 'unordered' } },
    stratifiedSampling,
    // The specification gives no types for the members below; those that gates or configs have too are typed as there.
    lastModifierID:           textOrNull,
    lastModifierEmail:        textOrNull,
    lastModifierName:         textOrNull,
    creatorName:              textOrNull,
    lastModifiedTime:         integer,
    createdTime:              integer,
    // "layerID, startTime, endTime, decisionTime (integers)": whether the layer's id is meant too is not clear.
    layerID:                  untyped,
    startTime:                integer,
    endTime:                  integer,
    decisionTime:             integer,
    isStale:                  flag,
    permalink:                text,
    holdoutIDs:               texts,
    version:                  integer,
    externalExperimentName:   untyped,
    owner,
    reviewSettings:           experimentReviewSettings,
    activeReview,
    inlineTargetingRulesJSON: text,
    inlineTargetingRules:     { type: 'array', items: rule },
    qualityScore,
    summarySections:          { type: 'array', items: summarySection },
    shipWithHoldout,
    healthChecks:             { type: 'array', items: healthCheck },
  },
  required: [
    'id', 'description', 'lastModifierName', 'lastModifierID', 'idType', 'status', 'layerID', 'hypothesis', 'primaryMetrics', 'primaryMetricTags',
    'secondaryMetrics', 'secondaryMetricTags', 'groups', 'allocation', 'duration', 'targetingGateID', 'defaultConfidenceInterval', 'bonferroniCorrection', 'tags',
  ],
} as const satisfies Schema;
