import { list, object, requiring } from '../object.ts';
import { experimentFields, manualQualityScore, stratifiedFields } from './experiment.ts';
import { healthCheck } from './health-check.ts';
import { inlineTargetingRule } from './rule.ts';
import {
  flag,
  integer,
  listOf,
  number,
  owner,
  text,
  textOrNull,
  texts,
  unorderedOf,
  untyped,
  untypedObject,
} from './shared.ts';

/** An experiment in an answer (sections 2.5, 4.4 and 4.8). Members that have only a name may have any value. */

export const stratifiedMetric = untypedObject('name', 'startDate', 'endDate', 'type');

export const entityPropertySource = untypedObject('propertySourceName', 'column');

export const stratifiedCsv = untypedObject('original', 'identifier');

export const stratifiedSampling = object({
  ...stratifiedFields,
  metric: stratifiedMetric,
  entityPropertySource,
  csv: stratifiedCsv,
});

export const reviewer = untypedObject('id', 'name', 'email');

export const experimentReviewSettings = object({ requiredReview: flag, allowedReviewers: list(reviewer) });

export const activeReview = untypedObject('reviewID', 'reviewStatus', 'description');

export const qualityCriterion = untypedObject('criterion', 'passingDescription', 'score', 'weight');

export const qualityScore = object({ score: number, breakdown: list(qualityCriterion) });

export const summarySection = untypedObject('name', 'content');

export const shipWithHoldout = untypedObject(
  'holdoutPercent',
  'shippedGroupID',
  'shippedGroupName',
  'shippedWithHoldoutTime',
  'expectedDuration',
);

// biome-ignore format: a table
export const experiment = requiring('An experiment.', {
    ...experimentFields,
    id:                       text,
    description:              text,
    allocation:               number,
    name:                     text,
    userBuckets:              unorderedOf(number),
    duration:                 integer,
    targetExposures:          integer,
    manualQualityScores:      listOf(manualQualityScore, { compare: 'never' }),
    allocationDuration:       { type: ['integer', 'null'] },
    cohortedAnalysisDuration: integer,
    fixedAnalysisDuration:    integer,
    scheduledReloadHour:      { type: ['integer', 'null'] },
    scheduledReloadDays:      { type: ['array', 'null'], items: integer, annotation: { compare: 'unordered' } },
    stratifiedSampling,
    // The specification gives no types for the members below. Those that gates or configs have too are typed as there.
    lastModifierID:           textOrNull,
    lastModifierEmail:        textOrNull,
    lastModifierName:         textOrNull,
    creatorName:              textOrNull,
    lastModifiedTime:         integer,
    createdTime:              integer,
    // "layerID, startTime, endTime, decisionTime (integers)": it is unclear whether this includes the layer's id.
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
    inlineTargetingRules:     list(inlineTargetingRule),
    qualityScore,
    summarySections:          list(summarySection),
    shipWithHoldout,
    healthChecks:             list(healthCheck),
  }, [
    'id', 'description', 'lastModifierName', 'lastModifierID', 'idType', 'status', 'layerID', 'hypothesis', 'primaryMetrics', 'primaryMetricTags',
    'secondaryMetrics', 'secondaryMetricTags', 'groups', 'allocation', 'duration', 'targetingGateID', 'defaultConfidenceInterval', 'bonferroniCorrection', 'tags',
    'version',
  ]);
