import type { Schema } from '../dialect.ts';
import { list, object, record, requiring } from '../object.ts';
import * as annotations from './annotations.ts';
import {
  description,
  flag,
  flagOf,
  listOf,
  nameOf,
  newNameOf,
  numberOf,
  owner,
  tags,
  team,
  teamID,
  text,
  textOf,
  textOrNull,
  texts,
  timestamp,
  unorderedOf,
} from './shared.ts';
import { warehouseNative } from './warehouse-native.ts';

/** Metrics (sections 2.7, 4.9 and 4.14). */

/**
 * An event over which a metric is computed, in a request. The specification says that each has a name and a type. It
 * does not say that a request without one is refused, and a service may have a default aggregation.
 */
export const metricEventRequest = record({
  name: textOf({ ...annotations.reference('event'), missed: 'SHOULD' }),
  type: textOf({ examples: ['count'], missed: 'OPEN' }),
});

/** An event of a ratio metric, which must be aggregated in one of two ways. */
export const ratioEventRequest = record({
  name: metricEventRequest.properties.name,
  type: { enum: ['count', 'count_distinct'], annotation: { examples: ['count'], missed: 'OPEN' } },
});

export const metricEvent = object({ name: text, type: text, criteria: { type: 'array' } });

export const funnelEvent = object({
  name: nameOf('event'),
  type: textOf({ examples: ['count'] }),
});

/** The sources from which a metric is computed: names of events, ids of metrics. */
export const lineage = object({ events: texts, metrics: texts });

const custom = ['rollupTimeWindow=custom'] as const;

// biome-ignore format: a table
const fields = {
  isVerified:          flagOf(annotations.guarded),
  isReadOnly:          flagOf(annotations.guarded),
  isPermanent:         flag,
  unitTypes:           unorderedOf(nameOf('idType')),
  directionality:      { enum: ['increase', 'decrease'] },
  tags,
  funnelEventList:     listOf(funnelEvent, { beside: ['type=funnel'] }),
  funnelCountDistinct: { enum: ['events', 'users'], annotation: { beside: ['type=funnel', 'funnelEventList'] } },
  team,
} as const;

/** The body of Create Metric. */
// biome-ignore format: a table
export const metricRequest = {
  type: 'object',
  properties: {
    ...fields,
    name:                   newNameOf(200, '^[a-zA-Z0-9_.\\-()/ %:]*$'),
    type:                   { enum: ['ratio', 'mean', 'event_count_custom', 'event_user', 'funnel', 'composite', 'composite_sum', 'sum', 'user_warehouse', 'percentile', 'latest_value'], annotation: { examples: ['event_count_custom', 'event_user'], shownOnly: ['event_count', 'event_dau'], valueNeeds: { funnel: ['funnelEventList'], composite: ['metricComponentMetrics'], composite_sum: ['metricComponentMetrics'], percentile: ['percentile'] } } },
    metricEvents:           list(metricEventRequest),
    metricComponentMetrics: listOf({ type: 'object', annotation: annotations.shownMetric }, { beside: ['type=composite'], compare: 'unordered' }),
    description,
    rollupTimeWindow:       textOf({ beside: ['customRollUpStart', 'customRollUpEnd'], examples: ['custom'] }),
    customRollUpStart:      numberOf({ beside: [...custom, 'customRollUpEnd'], examples: [1, 0], uncertain: [0] }),
    customRollUpEnd:        numberOf({ beside: [...custom, 'customRollUpStart'], examples: [7] }),
    percentile:             { type: 'number', minimum: 0.001, maximum: 0.999, annotation: { beside: ['type=percentile'], examples: [0.9] } },
    warehouseNative,
    teamID,
    dryRun:                 flagOf({ semantics: 'guarded', compare: 'never' }),
  },
  required: ['name', 'type'],
  allOf: [
    {
      if: { properties: { type: { const: 'ratio' } }, required: ['type'] },
      then: { properties: { metricEvents: list(ratioEventRequest) } },
    },
  ],
} as const satisfies Schema;

/** A metric in an answer. Its `type` is any text, because answers show values that requests do not allow. */
// biome-ignore format: a table
export const metric = requiring('A metric.', {
    ...fields,
    id:           text,
    name:         text,
    type:         text,
    description:  text,
    isHidden:     flag,
    creatorName:  textOrNull,
    creatorEmail: textOrNull,
    createdTime:  timestamp,
    owner,
    lineage,
    metricEvents: list(metricEvent),
    permalink:    text,
  }, ['id', 'name', 'type']);
