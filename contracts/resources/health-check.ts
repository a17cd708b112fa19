import type { Schema } from '../dialect.ts';
import { text, texts, untyped } from './shared.ts';

/** The health checks of an experiment in an answer (section 2.5). Members that have only a name may have any value. */

export const deduplicationRate = {
  type: 'object',
  properties: { group_id: untyped, rate: untyped, group_name: untyped },
} as const satisfies Schema;

/** The first and last dates with data of a metric, as ISO 8601 date-times. */
export const metricDates = {
  type: 'object',
  properties: { metric_name: untyped, earliest_date: text, latest_date: text },
} as const satisfies Schema;

export const healthGroupMetric = {
  type: 'object',
  properties: { metricKey: untyped, metricTitle: untyped },
} as const satisfies Schema;

export const healthGroup = {
  type: 'object',
  properties: { groupID: untyped, groupName: untyped, metrics: { type: 'array', items: healthGroupMetric } },
} as const satisfies Schema;

export const groupBucketInfo = {
  type: 'object',
  properties: { groupID: untyped, averageBucketSize: untyped },
} as const satisfies Schema;

// biome-ignore format: a table
export const healthCheckMetadata = {
  type: 'object',
  properties: {
    type:                 untyped,
    primary_id_type:      untyped,
    secondary_id_type:    untyped,
    lastPulseLoadTime:    untyped,
    crossoverPercent:     untyped,
    p_value:              untyped,
    assignmentSourceID:   untyped,
    assignmentSourceName: untyped,
    foreignExperimentID:  untyped,
    deduplication_rate:   untyped,
    deduplication_rates:  { type: 'array', items: deduplicationRate },
    missingMetrics:       texts,
    metrics:              { type: 'array', items: metricDates },
    lastUpdatedDs:        untyped,
    groups:               { type: 'array', items: healthGroup },
    groupBucketInfo:      { type: 'array', items: groupBucketInfo },
  },
} as const satisfies Schema;

export const healthCheck = {
  type: 'object',
  description: "One check of an experiment's health.",
  properties: { name: untyped, description: untyped, metadata: healthCheckMetadata },
} as const satisfies Schema;
