import type { Schema } from '../dialect.ts';
import { experimentFields, manualQualityScore, stratifiedFields } from './experiment.ts';
import * as means from './meanings.ts';
import { description } from './shared.ts';

/** Stratified sampling as it is sent. */
export const stratifiedSamplingRequest = {
  type: 'object',
  properties: stratifiedFields,
} as const satisfies Schema;

/**
 * The body of Fully Update Experiment (sections 2.5 and 4.4). `defaultConfidenceInterval` and `status` are listed as required, and
 * missing from the specification's own sample: they are not required here, so that nobody is judged by their absence, and the
 * suite always sends them.
 */
// biome-ignore format: a table
export const experimentRequest = {
  type: 'object',
  properties: {
    ...experimentFields,
    description,
    allocation:               { type: 'number', minimum: 0, maximum: 100, meaning: { ordinary: [100, 50.46, 0] } },
    name:                     { type: 'string', minLength: 3, maxLength: 100, pattern: '^[a-zA-Z0-9_\\- ]*$', meaning: means.displayName },
    userBuckets:              { type: 'array', items: { type: 'number', minimum: 0, exclusiveMaximum: 1000, meaning: { ordinary: [0, 500, 999] } }, meaning: { compare: 'unordered' } },
    duration:                 { type: 'integer', exclusiveMinimum: 1, meaning: { ordinary: [14] } },
    targetExposures:          { type: 'integer', exclusiveMinimum: 1, meaning: { ordinary: [1000] } },
    manualQualityScores:      { type: 'array', items: manualQualityScore, maxItems: 10, meaning: { compare: 'never' } },
    allocationDuration:       { type: ['integer', 'null'], exclusiveMinimum: 1, meaning: { ...means.warehouse, ordinary: [14] } },
    cohortedAnalysisDuration: { type: 'integer', exclusiveMinimum: 1, meaning: { ...means.warehouse, ordinary: [14] } },
    fixedAnalysisDuration:    { type: 'integer', exclusiveMinimum: 1, meaning: { ordinary: [14] } },
    scheduledReloadHour:      { type: ['integer', 'null'], minimum: 0, maximum: 23, meaning: { ...means.warehouse, ordinary: [9] } },
    scheduledReloadDays:      { type: ['array', 'null'], items: { type: 'integer', minimum: 0, maximum: 6 }, meaning: { beside: ['scheduledReloadHour'], compare: 'unordered' } },
    stratifiedSampling:       stratifiedSamplingRequest,
  },
  required: ['description', 'idType', 'hypothesis', 'groups', 'allocation', 'targetingGateID', 'bonferroniCorrection'],
} as const satisfies Schema;

/** The body of Enable Experiment Groups (section 4.8). */
export const enableGroupsBody = {
  type: 'object',
  properties: {
    group_names: {
      type: 'array',
      items: { type: 'string', meaning: means.groupReference },
      meaning: { compare: 'never' },
    },
  },
  required: ['group_names'],
} as const satisfies Schema;
