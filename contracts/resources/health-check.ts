import { described, list, object } from '../object.ts';
import { text, texts, untyped, untypedObject } from './shared.ts';

/** The health checks of an experiment in an answer (section 2.5). Members that have only a name may have any value. */

export const deduplicationRate = untypedObject('group_id', 'rate', 'group_name');

/** The first and last dates with data of a metric, as ISO 8601 date-times. */
export const metricDates = object({ metric_name: untyped, earliest_date: text, latest_date: text });

export const healthGroupMetric = untypedObject('metricKey', 'metricTitle');

export const healthGroup = object({ groupID: untyped, groupName: untyped, metrics: list(healthGroupMetric) });

export const groupBucketInfo = untypedObject('groupID', 'averageBucketSize');

// biome-ignore format: a table
export const healthCheckMetadata = object({
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
  deduplication_rates:  list(deduplicationRate),
  missingMetrics:       texts,
  metrics:              list(metricDates),
  lastUpdatedDs:        untyped,
  groups:               list(healthGroup),
  groupBucketInfo:      list(groupBucketInfo),
});

export const healthCheck = described("One check of an experiment's health.", {
  name: untyped,
  description: untyped,
  metadata: healthCheckMetadata,
});
