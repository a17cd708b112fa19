import {
  all,
  anything,
  type Check,
  exactly,
  flag,
  isFields,
  known,
  listOf,
  number,
  object,
  oneOf,
  orNull,
  text,
} from './checks.ts';
import { words } from './state.ts';

/** The bodies the independent server takes, but for the experiment's (sections 2.2, 2.3, 2.6, 2.7 and 2.9). */

const label = { min: 3, max: 100, pattern: /^[a-zA-Z0-9_\-. ]*$/ };
const userIDs = words.users.map(user => user.id);
const emails = words.users.map(user => user.email);

export const description = text({ max: 1000 });
export const texts = listOf(text());

/** Who made an entity: a user that exists, or nobody. */
export const creator = { creatorID: orNull(known('user', userIDs)), creatorEmail: orNull(known('user', emails)) };

/** No team exists here. */
const noTeam = { team: orNull(known('team', [])), teamID: orNull(known('team', [])) };

/** A list whose items all differ in one field. */
export const distinct =
  (field: string): Check =>
  (value, at) => {
    const names = Array.isArray(value) ? value.filter(isFields).map(item => item[field]) : [];
    return new Set(names).size === names.length ? undefined : `${at} repeats a ${field}`;
  };

/** An owner object (section 2.1). */
export const owner = exactly({
  ownerID: text(),
  ownerType: text(),
  ownerName: text(),
  ownerEmail: text(),
  name: text(),
});

/** Section 4.1. */
export function environmentsBody(): Check {
  const environment = exactly(
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
  return exactly({ environments: all(listOf(environment), distinct('name')) }, ['environments']);
}

/** Section 4.6: no field is required. No teams and no release pipelines exist here. */
export function gateBody(): Check {
  return exactly({
    name: text(label),
    isEnabled: flag,
    description,
    rules: listOf(object),
    tags: texts,
    type: oneOf('PERMANENT', 'TEMPORARY'),
    idType: known('id type', words.idTypes),
    targetApps: known('app', words.apps),
    ...creator,
    ...noTeam,
    measureMetricLifts: flag,
    monitoringMetrics: listOf(object),
    reviewSettings: exactly({ requiredReview: flag, allowedReviewers: listOf(anything) }),
    releasePipelineID: orNull(known('release pipeline', [])),
    gradual_rollout_strategy: object,
  });
}

const query: Check = (value, at) =>
  text()(value, at) ?? (/^\s*(select|with)\b/i.test(String(value)) ? undefined : `${at} must be a query`);

/** Section 4.3. Leaving validation out is not offered here, so asking for it is refused. */
export function sourceBody(): Check {
  const fields = exactly(
    {
      name: anything,
      sql: query,
      timestampColumn: known('column', words.columns),
      idTypeMapping: listOf(
        exactly({ serviceUnitID: known('id type', words.idTypes), column: known('column', words.columns) }, [
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
      customFieldMapping: listOf(exactly({ key: text(), formula: text() }, ['key', 'formula'])),
      isReadOnly: flag,
      isVerified: flag,
      disableCURE: flag,
      owner,
      ...noTeam,
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

/** Section 4.13: models, providers and roles come from lists. */
export function promptBody(): Check {
  const header = listOf(exactly({ name: text(), value: text() }, ['name', 'value']));
  return exactly({
    name: text(label),
    id: text({ pattern: /^[a-zA-Z0-9_\-.]*$/ }),
    description,
    prompts: listOf(exactly({ content: text(), role: oneOf(...words.roles) }, ['content', 'role'])),
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
export const archiveBody = (): Check => exactly({ forceArchive: flag, archiveReason: text() });

/** Section 4.8: the names must be those of the experiment's groups. */
export const groupNamesBody = (names: readonly string[]): Check =>
  exactly({ group_names: listOf(known('group', names)) }, ['group_names']);
