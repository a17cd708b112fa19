import { urlText } from '../../contracts/url-text.ts';
import { createdBy, keyHolder, modifiedBy, ownerOf } from '../directory.ts';
import {
  type CollectionName,
  type Collections,
  type DynamicConfig,
  forEachNamed,
  type Group,
  type LoggedEvent,
  type Metric,
  type Named,
  type PromptVersion,
} from '../entities.ts';
import { defaultQuality } from '../experiment/quality.ts';
import { epoch } from '../fixtures/made.ts';
import { updatedEnvironment } from '../handlers/environments.ts';
import { newMetric } from '../handlers/metrics.ts';

/**
 * What an entity of a seed has where the seed says nothing: the values that the server gives to a new one, and plain
 * ones where no operation makes any. Nothing of it is random, and the time is that of the fixtures.
 */

/** An entity as a seed gives it, under its key. Members that it gives are valid. */
type Given<C extends CollectionName> = { readonly [M in keyof Collections[C]]?: Collections[C][M] };

const linkTo = (kind: string, id: string): string => `https://console.example.com/${kind}/${urlText(id)}`;

/** Those of some members together, where an entity gives none of them: half of a person is nobody. */
const together = <T extends object>(members: T, given: object): Partial<T> =>
  Object.keys(members).some(name => name in given) ? {} : members;

const stamps = (kind: string, id: string, given: object) => ({
  id,
  name: id,
  description: '',
  idType: 'userID',
  tags: [],
  ...together(createdBy(keyHolder), given),
  ...together(modifiedBy(keyHolder), given),
  owner: ownerOf(keyHolder, 'SDK_KEY'),
  createdTime: epoch,
  lastModifiedTime: epoch,
  version: 1,
  permalink: linkTo(kind, id),
  holdoutIDs: [],
});

const versionOf = (id: string, given: Partial<DynamicConfig>, number: number): DynamicConfig => {
  const { defaultValue = {} } = given;
  return {
    ...stamps('dynamic_configs', id, given),
    isEnabled: true,
    rules: [],
    defaultValue,
    defaultValueJson5: JSON.stringify(defaultValue),
    schema: '{"type":"object"}',
    schemaJson5: "{type: 'object'}",
    isTemplate: false,
    checksPerHour: 0,
    version: number,
    ...given,
  };
};

const promptVersionOf = (prompt: string, given: PromptVersion, number: number): PromptVersion => ({
  id: `${prompt}-v${number}`,
  name: prompt,
  description: '',
  prompts: [],
  ...given,
});

const recordOf = (name: string, given: Partial<LoggedEvent>, index: number): LoggedEvent => ({
  timestamp: String(epoch + index * 1000),
  name,
  source: '',
  value: '',
  userID: '',
  metadata: {},
  ...given,
});

const groupOf = (experiment: string, given: Group, index: number): Group => ({
  id: `${experiment}-group-${index + 1}`,
  disabled: false,
  ...given,
});

const halves: Group[] = [
  { name: 'Control', size: 50, parameterValues: {} },
  { name: 'Test', size: 50, parameterValues: {} },
];

type Complete = { readonly [C in CollectionName]: (key: string, given: Given<C>) => Collections[C] };

const named = (id: string): Named => ({ id });

/** The whole of an entity of each collection, by its key and what a seed gives of it. */
export const complete: Complete = {
  environments: (key, given) => ({
    ...updatedEnvironment(undefined, given, key, given.name ?? key),
    ...given,
    id: key,
  }),

  gates: (id, given) => ({
    ...stamps('gates', id, given),
    isEnabled: true,
    status: 'In Progress',
    type: 'TEMPORARY',
    typeReason: 'NONE',
    rules: [],
    targetApps: [],
    checksPerHour: 0,
    team: null,
    teamID: null,
    reviewSettings: { requiredReview: false, allowedReviewers: [] },
    measureMetricLifts: false,
    store0100Exposures: false,
    monitoringMetrics: [],
    releasePipelineID: null,
    ...given,
  }),

  configs: (id, { versions = [{ id }], ...given }) => ({
    ...given,
    id,
    versions: versions.map((version, index) => versionOf(id, version, versions.length - index)),
  }),

  experiments: (id, { groups = halves, ...given }) => ({
    lastModifierID: null,
    lastModifierName: null,
    ...stamps('experiments', id, given),
    status: 'setup',
    hypothesis: '',
    layerID: `layer_${id}`,
    allocation: 100,
    duration: 14,
    targetingGateID: null,
    defaultConfidenceInterval: '95',
    bonferroniCorrection: false,
    primaryMetrics: [],
    primaryMetricTags: [],
    secondaryMetrics: [],
    secondaryMetricTags: [],
    manualQualityScores: [],
    qualityScore: defaultQuality,
    launchedGroupID: null,
    isStale: false,
    ...given,
    groups: groups.map((group, index) => groupOf(id, group, index)),
  }),

  qualifyingEvents: (name, given) => ({
    description: '',
    tags: [],
    sql: given.tableName === undefined ? 'SELECT user_id, occurred_at FROM events' : `SELECT * FROM ${given.tableName}`,
    timestampColumn: 'occurred_at',
    timestampAsDay: false,
    idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
    sourceType: given.tableName === undefined ? 'query' : 'table',
    customFieldMapping: [],
    isReadOnly: false,
    isVerified: false,
    disableCURE: false,
    owner: ownerOf(keyHolder, 'SDK_KEY'),
    team: null,
    teamID: null,
    ...given,
    name,
  }),

  metrics: (id, { lineage = { events: [], metrics: [] }, ...given }) => {
    const end = id.lastIndexOf('::');
    const [name, type] = [id.slice(0, end), id.slice(end + 2)];
    return { ...newMetric({ name, type }, id, lineage, epoch), ...given, id, name, type } as Metric;
  },

  segments: (id, given) => ({
    isEnabled: true,
    description: '',
    lastModifierName: keyHolder.name,
    lastModifierID: keyHolder.id,
    type: given.rules === undefined ? 'id_list' : 'rule_based',
    count: given.rules === undefined ? 0 : 1,
    tags: [],
    ...given,
    id,
  }),

  prompts: (id, { versions = [], count = versions.length }) => ({
    id,
    count,
    versions: versions.map((version, index) => promptVersionOf(id, version, count - index)),
  }),

  events: (name, { records = [] }) => ({
    name,
    records: records.map((record, index) => recordOf(name, record, index)),
  }),

  users: (id, given) => ({ name: id, email: `${urlText(id)}@example.com`, ...given, id }),
  ...forEachNamed(named),
};
