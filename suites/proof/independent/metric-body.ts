import { description, texts } from './bodies.ts';
import {
  all,
  type Check,
  exactly,
  flag,
  isFields,
  known,
  listOf,
  number,
  object,
  oneOf,
  record,
  text,
} from './checks.ts';
import { type State, words } from './state.ts';

const metricTypes =
  'ratio mean event_count_custom event_user funnel composite composite_sum sum user_warehouse percentile latest_value'.split(
    ' ',
  );

/** Section 4.9. Neither the warehouse nor teams are known here. */
export function metricBody(state: State): Check {
  const event = { name: known('event', [...state.events.keys()]), type: text() };
  const fields = exactly(
    {
      name: text({ min: 3, max: 200, pattern: /^[a-zA-Z0-9_.\-()/ %:]*$/ }),
      type: oneOf(...metricTypes),
      isVerified: flag,
      isReadOnly: flag,
      isPermanent: flag,
      unitTypes: listOf(known('id type', words.idTypes)),
      metricEvents: listOf(record({ ...event, criteria: listOf(object) }, ['name', 'type'])),
      metricComponentMetrics: listOf(metricReference(state)),
      description,
      directionality: oneOf('increase', 'decrease'),
      tags: texts,
      rollupTimeWindow: text(),
      customRollUpStart: number(),
      customRollUpEnd: number(),
      percentile: number({ min: 0.001, max: 0.999 }),
      funnelEventList: listOf(exactly(event, ['name', 'type'])),
      funnelCountDistinct: oneOf('events', 'users'),
      dryRun: flag,
    },
    ['name', 'type'],
  );
  const counted = record({ metricEvents: listOf(record({ type: oneOf('count', 'count_distinct') })) });
  return all(fields, (value, at) => (isFields(value) && value.type === 'ratio' ? counted(value, at) : undefined));
}

/** The name and type of a metric that exists (section 2.5). */
export function metricReference(state: State): Check {
  return all(exactly({ name: text(), type: text(), hypothesizedValue: number() }, ['name', 'type']), (value, at) =>
    isFields(value) && state.metrics.has(`${value.name}::${value.type}`) ? undefined : `${at}: no such metric`,
  );
}
