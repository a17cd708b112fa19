import {
  all,
  anything,
  type Check,
  flag,
  isFields,
  known,
  listOf,
  notOffered,
  number,
  object,
  oneOf,
  orNull,
  record,
  text,
} from './checks.ts';
import { type State, words } from './state.ts';

/** The bodies the independent server takes, but for the experiment's (sections 2.2, 2.3, 2.6, 2.7 and 2.9). */

const label = { min: 3, max: 100, pattern: /^[a-zA-Z0-9_\-. ]*$/ };
const description = text({ max: 1000 });
const texts = listOf(text());

/** A list whose items all differ in one field. */
export const distinct =
  (field: string): Check =>
  (value, at) => {
    const names = Array.isArray(value) ? value.filter(isFields).map(item => item[field]) : [];
    return new Set(names).size === names.length ? undefined : `${at} repeats a ${field}`;
  };

/** An owner object (section 2.1). */
export const owner = record({
  ownerID: text(),
  ownerType: text(),
  ownerName: text(),
  ownerEmail: text(),
  name: text(),
});

/** Section 4.1. */
export function environmentsBody(): Check {
  const environment = record(
    {
      id: text({ min: 1 }),
      name: text({ min: 1 }),
      isProduction: flag,
      requiresReview: flag,
      requiresReleasePipeline: flag,
      requiredReviewGroupID: known('review group', words.reviewGroups),
    },
    ['name'],
  );
  return record({ environments: all(listOf(environment), distinct('name')) }, ['environments']);
}

/** Section 4.6: no field is required. No teams and no release pipelines exist here. */
export function gateBody(): Check {
  return record({
    name: text(label),
    isEnabled: flag,
    description,
    rules: listOf(object),
    tags: texts,
    type: oneOf('PERMANENT', 'TEMPORARY'),
    idType: known('id type', words.idTypes),
    targetApps: known('app', words.apps),
    creatorID: orNull(
      known(
        'user',
        words.users.map(user => user.id),
      ),
    ),
    creatorEmail: orNull(
      known(
        'user',
        words.users.map(user => user.email),
      ),
    ),
    team: orNull(known('team', [])),
    teamID: orNull(known('team', [])),
    measureMetricLifts: flag,
    monitoringMetrics: listOf(object),
    reviewSettings: record({ requiredReview: flag, allowedReviewers: listOf(anything) }),
    releasePipelineID: orNull(known('release pipeline', [])),
    gradual_rollout_strategy: object,
  });
}

const query: Check = (value, at) =>
  text()(value, at) ?? (/^\s*(select|with)\b/i.test(String(value)) ? undefined : `${at} must be a query`);

/** Section 4.3. Leaving validation out is not offered here, so asking for it is refused. */
export function sourceBody(): Check {
  const fields = record(
    {
      sql: query,
      timestampColumn: text({ min: 1 }),
      idTypeMapping: listOf(
        record({ serviceUnitID: known('id type', words.idTypes), column: text({ min: 1 }) }, [
          'serviceUnitID',
          'column',
        ]),
      ),
      description: text(),
      tags: texts,
      timestampAsDay: flag,
      sourceType: oneOf('table', 'query'),
      tableName: text(),
      datePartitionColumn: text(),
      customFieldMapping: listOf(record({ key: text(), formula: text() }, ['key', 'formula'])),
      isReadOnly: flag,
      isVerified: flag,
      disableCURE: flag,
      owner,
      team: orNull(known('team', [])),
      teamID: orNull(known('team', [])),
      dryRun: flag,
      skip_validation: oneOf(false),
      all_columns: texts,
      column_types: texts,
    },
    ['sql', 'timestampColumn', 'idTypeMapping'],
  );
  const named: Check = (value, at) =>
    isFields(value) && value.sourceType === 'table' && value.tableName === undefined
      ? `${at}/tableName is missing`
      : undefined;
  return all(fields, named);
}

const metricTypes =
  'ratio mean event_count_custom event_user funnel composite composite_sum sum user_warehouse percentile latest_value'.split(
    ' ',
  );

/** Section 4.9. Neither the warehouse nor teams are offered here. */
export function metricBody(state: State): Check {
  const event = { name: known('event', [...state.events.keys()]), type: text() };
  const fields = record(
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
      funnelEventList: listOf(record(event, ['name', 'type'])),
      funnelCountDistinct: oneOf('events', 'users'),
      warehouseNative: notOffered,
      team: notOffered,
      teamID: notOffered,
      dryRun: flag,
    },
    ['name', 'type'],
  );
  const counted = record({ metricEvents: listOf(record({ type: oneOf('count', 'count_distinct') })) });
  return all(fields, (value, at) => (isFields(value) && value.type === 'ratio' ? counted(value, at) : undefined));
}

/** The name and type of a metric that exists (section 2.5). */
export function metricReference(state: State): Check {
  return all(record({ name: text(), type: text(), hypothesizedValue: number() }, ['name', 'type']), (value, at) =>
    isFields(value) && state.metrics.has(`${value.name}::${value.type}`) ? undefined : `${at}: no such metric`,
  );
}

/** Section 4.13: models, providers and roles come from lists. */
export function promptBody(): Check {
  const header = listOf(record({ name: text(), value: text() }, ['name', 'value']));
  return record({
    name: text(label),
    id: text({ pattern: /^[a-zA-Z0-9_\-.]*$/ }),
    description,
    prompts: listOf(record({ content: text(), role: oneOf(...words.roles) }, ['content', 'role'])),
    temperature: number(),
    top_p: number(),
    frequency_penalty: number(),
    presence_penalty: number(),
    max_tokens: number(),
    model: known('model', words.models),
    provider: known('provider', words.providers),
    eval_model: known('model', words.models),
    workflow_headers: header,
    auth_workflow_headers: header,
  });
}

/** Section 4.10. */
export const archiveBody = (): Check => record({ forceArchive: flag, archiveReason: text() });

/** Section 4.8: the names must be those of the experiment's groups. */
export const groupNamesBody = (names: readonly string[]): Check =>
  record({ group_names: listOf(known('group', names)) }, ['group_names']);
