import type { Schema } from './dialect.ts';
import type { Endpoint, Identity } from './endpoint.ts';
import type { Infer } from './infer.ts';
import * as r from './resources/index.ts';

/** The query of the lists for which one is stated (sections 4.11 and 4.12). Which values are refused is not stated. */
export const paging = {
  type: 'object',
  properties: {
    limit: { type: 'integer', description: 'Results per page; 10 when absent.', annotation: { examples: [10] } },
    page: { type: 'integer', description: 'Page number from 1; 1 when absent.', annotation: { examples: [1] } },
  },
} as const satisfies Schema;

const byId: Identity = { member: 'id', is: 'param' };
const byName: Identity = { member: 'name', is: 'param' };
const byNameAndType: Identity = { member: 'id', is: 'name::type' };

const v1 = '/console/v1';
const gateUpdated = 'Gate updated successfully.';
const sourceFields = [
  'description',
  'tags',
  'sql',
  'timestampColumn',
  'timestampAsDay',
  'idTypeMapping',
  'tableName',
] as const;

/** The defaults of a row's columns. */
// biome-ignore format: a row
const usual = { param: null, query: null, body: null, list: false, success: '2xx', message: null, expected: [], itemKey: [], identity: null } as const;

/** The endpoints, in the order of section 4. A row holds everything particular to one; the rest derives from it. */
// biome-ignore format: a table
export const endpoints = {
  'update-environments':     { ...usual, method: 'POST',  path: `${v1}/environments`,                          title: 'Update Environments',          section: '4.1',  effect: 'restorable',  collection: 'environments',
                               fixture: 'environments',       body: r.environmentsBody, data: r.environmentsData,
                               message: 'Environments updated successfully.',
                               resource: 'environment',       action: 'update', wholeEcho: 'state.environments-listed' },
  'list-config-versions':    { ...usual, method: 'GET',   path: `${v1}/dynamic_configs/{id}/versions`,         title: 'List Dynamic Config Versions', section: '4.2',  effect: 'read',        collection: 'configs',
                               fixture: 'dynamicConfigs',     param: 'id', data: r.dynamicConfig, list: true,
                               resource: 'config-version',    action: 'list', itemKey: ['version'],  identity: byId },
  'update-qualifying-event': { ...usual, method: 'POST',  path: `${v1}/experiments/qualifying_events/{name}`,  title: 'Update Qualifying Event',      section: '4.3',  effect: 'restorable',  collection: 'qualifying-events',
                               fixture: 'qualifyingEvents',   param: 'name', body: r.qualifyingEventRequest, data: r.qualifyingEvent,
                               message: 'Qualifying event updated successfully.', expected: [...sourceFields, 'sourceType'],
                               resource: 'qualifying-event',  action: 'update', identity: byName },
  'update-experiment':       { ...usual, method: 'POST',  path: `${v1}/experiments/{id}`,                      title: 'Fully Update Experiment',      section: '4.4',  effect: 'destructive', collection: 'experiments',
                               fixture: 'experiments',        param: 'id', body: r.experimentRequest, data: r.experiment,
                               resource: 'experiment',        action: 'update', identity: byId, leaves: 'changed, among others description, hypothesis, groups and allocation' },
  'disable-config':          { ...usual, method: 'PUT',   path: `${v1}/dynamic_configs/{id}/disable`,          title: 'Disable Dynamic Config',       section: '4.5',  effect: 'destructive', collection: 'configs',
                               fixture: 'dynamicConfigs',     param: 'id', data: r.dynamicConfig,
                               resource: 'config',            action: 'disable', identity: byId, oneShot: true, leaves: 'disabled, or whatever disabling does at this target' },
  'patch-gate':              { ...usual, method: 'PATCH', path: `${v1}/gates/{id}`,                            title: 'Partially Update Gates',       section: '4.6',  effect: 'restorable',  collection: 'gates',
                               fixture: 'gates',              param: 'id', body: r.gatePatch, data: r.gate,
                               success: 200, message: gateUpdated,
                               resource: 'gate',              action: 'patch', identity: byId },
  'disable-gate':            { ...usual, method: 'PUT',   path: `${v1}/gates/{id}/disable`,                    title: 'Disable Gate',                 section: '4.7',  effect: 'restorable',  collection: 'gates',
                               fixture: 'gates',              param: 'id', data: r.gate,
                               message: gateUpdated,
                               resource: 'gate',              action: 'disable', identity: byId, lastFixture: true },
  'enable-groups':           { ...usual, method: 'POST',  path: `${v1}/experiments/{id}/enable_groups`,        title: 'Enable Experiment Groups',     section: '4.8',  effect: 'destructive', collection: 'experiments',
                               fixture: 'experiments',        param: 'id', body: r.enableGroupsBody, data: r.experiment,
                               resource: 'experiment',        action: 'enable', identity: byId, lastFixture: true, leaves: 'groups enabled' },
  'create-metric':           { ...usual, method: 'POST',  path: `${v1}/metrics`,                               title: 'Create Metric',                section: '4.9',  effect: 'additive',    collection: 'metrics',
                               fixture: 'events',             body: r.metricRequest, data: r.metric,
                               message: 'Metric created successfully.',
                               resource: 'metric',            action: 'create', identity: byNameAndType, leaves: 'created' },
  'archive-config':          { ...usual, method: 'PUT',   path: `${v1}/dynamic_configs/{id}/archive`,          title: 'Archive Dynamic Config',       section: '4.10', effect: 'destructive', collection: 'configs',
                               fixture: 'dynamicConfigs',     param: 'id', body: r.archiveBody, data: r.dynamicConfig,
                               success: 200,
                               resource: 'config',            action: 'archive', identity: byId, oneShot: true, lastFixture: true, leaves: 'archived' },
  'list-qualifying-events':  { ...usual, method: 'GET',   path: `${v1}/experiments/qualifying_events`,         title: 'List qualifying events',       section: '4.11', effect: 'read',        collection: 'qualifying-events',
                               fixture: null,                 query: paging, data: r.qualifyingEvent, list: true,
                               message: 'Qualifying events listed successfully.', expected: [...sourceFields, 'customFieldMapping'],
                               resource: 'qualifying-event',  action: 'list', itemKey: ['name'] },
  'list-segments':           { ...usual, method: 'GET',   path: `${v1}/segments`,                              title: 'List Segments',                section: '4.12', effect: 'read',        collection: 'segments',
                               fixture: null,                 query: paging, data: r.segment, list: true,
                               message: 'Segments listed successfully.',
                               resource: 'segment',           action: 'list', itemKey: ['id'] },
  'create-prompt-version':   { ...usual, method: 'POST',  path: `${v1}/prompts/{id}/versions`,                 title: 'Create Prompt Version',        section: '4.13', effect: 'additive',    collection: 'prompts',
                               fixture: 'prompts',            param: 'id', body: r.promptVersionRequest, data: r.promptVersion,
                               resource: 'prompt-version',    action: 'create', leaves: 'created under the prompt', wholeEcho: 'state.prompt-fields' },
  'list-event-metrics':      { ...usual, method: 'GET',   path: `${v1}/events/{eventName}/metrics`,            title: 'Get metrics using event name', section: '4.14', effect: 'read',        collection: 'metrics',
                               fixture: 'events',             param: 'eventName', data: r.metric, list: true,
                               message: 'Metrics listed successfully.', expected: ['lineage'],
                               resource: 'metric',            action: 'list', itemKey: ['id'],       identity: byNameAndType },
  'list-events':             { ...usual, method: 'GET',   path: `${v1}/events/{eventName}`,                    title: 'Get specific events',          section: '4.15', effect: 'read',        collection: 'events',
                               fixture: 'events',             param: 'eventName', data: r.loggedEvent, list: true,
                               message: 'Event values listed successfully.',
                               resource: 'event',             action: 'list', identity: byName, statedLinks: true },
} as const satisfies Record<string, Endpoint>;

/** The id of an endpoint. Ids are stable: reports, baselines and filters use them. */
export type EndpointId = keyof typeof endpoints;

/** The ids of the endpoints, in the order of the table. */
export const endpointIds = Object.keys(endpoints) as unknown as readonly [EndpointId, ...EndpointId[]];

/** The schema of an endpoint id. */
export const endpoint = { enum: endpointIds } as const satisfies Schema;

/** Returns the row of an endpoint, with its default columns. */
export const endpointRow = (id: EndpointId): Endpoint => endpoints[id];

/** Returns the endpoints for which a condition holds, in the order of the table. */
export const endpointsWhere = (holds: (row: Endpoint) => boolean): readonly EndpointId[] =>
  endpointIds.filter(id => holds(endpoints[id]));

/** The type of the table, with every schema literal. */
export type EndpointTable = typeof endpoints;

/** The type of an endpoint's request body; never if it has none. */
export type BodyOf<Id extends EndpointId> = EndpointTable[Id]['body'] extends null
  ? never
  : Infer<NonNullable<EndpointTable[Id]['body']>>;

/** The type of `data` in an endpoint's answer; an array for list operations. */
export type DataOf<Id extends EndpointId> = EndpointTable[Id]['list'] extends true
  ? Infer<EndpointTable[Id]['data']>[]
  : Infer<EndpointTable[Id]['data']>;

function answerOf({ message, data, list }: Endpoint): Schema {
  const common = {
    message: message === null ? { type: 'string' as const } : { const: message },
    data: list ? { type: 'array' as const, items: data } : data,
  };
  return list
    ? {
        type: 'object',
        properties: { ...common, pagination: r.pagination },
        required: ['message', 'data', 'pagination'],
      }
    : { type: 'object', properties: common, required: ['message', 'data'] };
}

const answers = new Map(endpointIds.map(id => [id, answerOf(endpoints[id])]));

/**
 * Returns the schema of a whole successful answer (section 1): `message`, `data` and, for list operations,
 * `pagination`. Always the same node, because its identity finds the compiled validator.
 */
export function answerSchema(id: EndpointId): Schema {
  return answers.get(id) as Schema;
}
