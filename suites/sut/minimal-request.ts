import { documented } from '../../contracts/documented.ts';
import { type EndpointId, type EndpointTable, endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import { sharesOf } from '../generators/index.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import type { DiscoveredState, MinimalRequest, Obstruction, Target } from '../protocol/sut.ts';
import { subjectOf } from './target.ts';

/** Why an endpoint cannot be tested, and the line that would make it possible. */
type Blocked = Required<Obstruction>;

const example: Record<string, string> = {
  environments: '[{ "name": "development", "isProduction": false, … the full set }]',
  dynamicConfigs: '["a_config"]',
  qualifyingEvents: '["a_metric_source"]',
  experiments: '[{ "id": "an_experiment", "groups": ["Control", "Test"] }]',
  gates: '["a_gate", "another_gate"]',
  prompts: '["a_prompt"]',
  events: '["an_event"]',
};

const missingIdTypes: Blocked = {
  because: 'the target file names no unit id type',
  remedy: 'vocabulary.idTypes: ["userID"]',
};

function qualifyingEventBody(target: Target, discovered: DiscoveredState, name: string): JsonObject | Blocked {
  const current = discovered.qualifyingEvents.get(name);
  const { sql, timestampColumn, idTypeMapping } = current ?? {};
  if (typeof sql === 'string' && typeof timestampColumn === 'string' && Array.isArray(idTypeMapping)) {
    const { idTypeMapping: schema } = endpoints['update-qualifying-event'].body.properties;
    if (idTypeMapping.length > 0) return { sql, timestampColumn, idTypeMapping: documented(idTypeMapping, schema) };
  }
  const idType = target.vocabulary.idTypes?.[0];
  if (idType === undefined) return missingIdTypes;
  return {
    sql: 'SELECT user_id, ts, value FROM conform_events',
    timestampColumn: 'ts',
    idTypeMapping: [{ serviceUnitID: idType, column: 'user_id' }],
  };
}

const missingGroups = (id: string): Blocked => ({
  because: `the target file names no group of the experiment ${JSON.stringify(id)}`,
  remedy: `fixtures.experiments: [{ "id": ${JSON.stringify(id)}, "groups": ["Control", "Test"] }]`,
});

const experimentOf = ({ fixtures }: Target, id: string) => fixtures.experiments?.find(one => one.id === id);

function experimentBody(target: Target, _discovered: DiscoveredState, id: string): JsonObject | Blocked {
  const idType = target.vocabulary.idTypes?.[0];
  if (idType === undefined) return missingIdTypes;
  const fixture = experimentOf(target, id);
  // The update replaces the whole: unnamed groups would be lost.
  if (fixture?.groups === undefined || fixture.groups.length === 0) return missingGroups(id);
  const shares = sharesOf(fixture.groups.map(() => 1));
  return {
    description: 'Updated by a conformance run',
    idType,
    hypothesis: 'The new page raises the sign-up rate',
    groups: fixture.groups.map((name, index) => ({ name, size: shares[index] ?? 0, parameterValues: {} })),
    allocation: 50,
    targetingGateID: null,
    bonferroniCorrection: false,
    defaultConfidenceInterval: '95',
    status: fixture.status ?? 'setup',
  };
}

type MakeBody = (target: Target, discovered: DiscoveredState, subject: string) => JsonObject | Blocked;

/** The endpoints whose operation has a body. */
type WithBody = { [Id in EndpointId]: EndpointTable[Id]['body'] extends null ? never : Id }[EndpointId];

const bodies: Readonly<Record<WithBody, MakeBody>> = {
  'update-environments': target => ({
    // Non-production environments first: checks vary fields of the first one.
    environments: [...(target.fixtures.environments ?? [])]
      .sort((one, other) => Number(one.isProduction !== false) - Number(other.isProduction !== false))
      .map(environment => ({ ...environment }) as JsonObject),
  }),
  'update-qualifying-event': qualifyingEventBody,
  'update-experiment': experimentBody,
  'patch-gate': (_target, { writable }, id) =>
    writable?.field('patch-gate', id, 'description') === undefined
      ? { description: 'Updated by a conformance run' }
      : { isEnabled: false },
  'enable-groups': (target, _discovered, id) => {
    const groups = experimentOf(target, id)?.groups ?? [];
    if (groups.length > 0) return { group_names: groups.slice(0, 1) };
    return missingGroups(id);
  },
  'create-metric': (_target, _discovered, event) => ({
    name: namePlaceholder,
    type: 'event_count_custom',
    metricEvents: [{ name: event, type: 'count' }],
  }),
  'archive-config': () => ({ archiveReason: 'Archived by a conformance run' }),
  'create-prompt-version': target => {
    const model = target.vocabulary.models?.[0];
    const provider = target.vocabulary.providers?.[0];
    return {
      name: namePlaceholder,
      prompts: [{ content: 'You are a helpful assistant.', role: 'system' }],
      ...present({ model, provider }),
    };
  },
};

/** Returns the smallest valid request of an endpoint about `subject`, or the line that the target file lacks. */
export function minimalRequest(
  target: Target,
  discovered: DiscoveredState,
  endpoint: EndpointId,
  subject = subjectOf(target, endpoint),
): MinimalRequest | Blocked {
  const row = endpoints[endpoint];
  if (row.fixture !== null && subject === undefined) {
    return {
      because: `the target file names none of fixtures.${row.fixture}`,
      remedy: `fixtures.${row.fixture}: ${example[row.fixture]}`,
    };
  }
  const body = (bodies as Partial<Record<EndpointId, MakeBody>>)[endpoint]?.(target, discovered, subject ?? '') ?? null;
  if (body !== null && isBlockedRequest(body)) return body;
  return {
    ...(row.param !== null && subject !== undefined && { param: subject }),
    ...(body !== null && { body }),
  };
}

/** True if `minimalRequest` found no request. */
export function isBlockedRequest(minimal: MinimalRequest | JsonObject | Blocked): minimal is Blocked {
  return 'remedy' in minimal;
}
