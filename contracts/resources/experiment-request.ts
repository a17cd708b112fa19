import type { Schema } from '../dialect.ts';
import { object, record } from '../object.ts';
import * as annotations from './annotations.ts';
import { defaultQualityChecks, experimentFields, manualQualityScore, stratifiedFields } from './experiment.ts';
import { description, listOf, nameOf, newNameOf } from './shared.ts';

/** Stratified sampling in a request. */
export const stratifiedSamplingRequest = object(stratifiedFields);

const scored = (criteriaDescription: string, weight: number) => ({ criteriaDescription, score: 50, weight });

/**
 * Three lists. All default checks have weight 0, with a score of weight 0: nothing is left to renormalise. Next, the
 * maximum number of scores. Last, the default checks with weights again.
 */
const qualityScores = [
  [...defaultQualityChecks, 'A score of no weight'].map(name => scored(name, 0)),
  Array.from({ length: 10 }, (_, index) => scored(`Score ${index + 1} of ten`, 10)),
  defaultQualityChecks.map(name => scored(name, 10)),
];

/**
 * The body of Fully Update Experiment (sections 2.5 and 4.4). The specification lists `defaultConfidenceInterval` and
 * `status` as required, but its own sample lacks them. They are not required here, so that their absence is never
 * judged; the suite always sends them.
 */
// biome-ignore format: a table
export const experimentRequest = {
  type: 'object',
  properties: {
    ...experimentFields,
    description,
    allocation:               { type: 'number', minimum: 0, maximum: 100, annotation: { examples: [100, 50.46, 0] } },
    name:                     newNameOf(100, '^[a-zA-Z0-9_\\- ]*$'),
    userBuckets:              listOf({ type: 'number', minimum: 0, exclusiveMaximum: 1000, annotation: { examples: [0, 500, 999] } }, { compare: 'unordered' }),
    duration:                 { type: 'integer', exclusiveMinimum: 1, annotation: { examples: [14] } },
    targetExposures:          { type: 'integer', exclusiveMinimum: 1, annotation: { examples: [1000] } },
    manualQualityScores:      { type: 'array', items: manualQualityScore, maxItems: 10, annotation: { compare: 'never', furtherExamples: qualityScores } },
    allocationDuration:       { type: ['integer', 'null'], exclusiveMinimum: 1, annotation: { ...annotations.warehouse, examples: [14] } },
    cohortedAnalysisDuration: { type: 'integer', exclusiveMinimum: 1, annotation: { ...annotations.warehouse, examples: [14] } },
    fixedAnalysisDuration:    { type: 'integer', exclusiveMinimum: 1, annotation: { examples: [14] } },
    scheduledReloadHour:      { type: ['integer', 'null'], minimum: 0, maximum: 23, annotation: { ...annotations.warehouse, examples: [9] } },
    scheduledReloadDays:      { type: ['array', 'null'], items: { type: 'integer', minimum: 0, maximum: 6 }, annotation: { beside: ['scheduledReloadHour'], compare: 'unordered', nullMeans: [0, 1, 2, 3, 4, 5, 6] } },
    stratifiedSampling:       stratifiedSamplingRequest,
  },
  required: ['description', 'idType', 'hypothesis', 'groups', 'allocation', 'targetingGateID', 'bonferroniCorrection'],
} as const satisfies Schema;

/** The body of Enable Experiment Groups (section 4.8). */
export const enableGroupsBody = record({
  group_names: listOf(nameOf('groupName'), { compare: 'never' }),
});
