import { gzipSync } from 'node:zlib';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { referenceTarget } from '../../../reference-server/index.ts';
import { type Call, serverKey } from './driven.fixture.ts';

/** A client that breaks the contract in one way. */
export interface BrokenClient {
  readonly id: string;
  /** Its mistake, as a sentence. */
  readonly title: string;
  /** The requirement that it breaks, at a place of its request. */
  readonly requirement: RequirementId;
  readonly pointer: string;
  /** The text of the clause that the finding must contain. */
  readonly clause: string;
  /** `requirement pointer` of violations that it cannot avoid as well. */
  readonly besides?: readonly string[];
  readonly calls: readonly Call[];
}

const { fixtures = {} } = referenceTarget();
const gateId = fixtures.gates?.[0] ?? '';
const { id: experimentId = '', groups: groupNames = [] } = fixtures.experiments?.[0] ?? {};

const gate = { endpoint: 'patch-gate', param: gateId } as const;
const metric = (body: object): Call => ({
  endpoint: 'create-metric',
  body: {
    name: 'traffic_metric',
    type: 'event_count_custom',
    metricEvents: [{ name: 'page_view', type: 'count' }],
    ...body,
  },
});
const source = (body: object): Call => ({
  endpoint: 'update-qualifying-event',
  param: fixtures.qualifyingEvents?.[0] ?? '',
  body: {
    sql: 'SELECT user_id, ts FROM t',
    timestampColumn: 'ts',
    idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
    ...body,
  },
});
const experiment = (body: object): Call => ({
  endpoint: 'update-experiment',
  param: experimentId,
  body: {
    description: 'd',
    idType: 'userID',
    hypothesis: 'h',
    groups: groupNames.map(name => ({ name, size: 100 / groupNames.length })),
    allocation: 50,
    targetingGateID: null,
    bonferroniCorrection: false,
    defaultConfidenceInterval: '95',
    status: 'setup',
    ...body,
  },
});
const prompt = (body: object): Call => ({
  endpoint: 'create-prompt-version',
  param: fixtures.prompts?.[0] ?? '',
  body: { name: 'Version one', ...body },
});
const without = (call: Call, member: string): Call => ({
  ...call,
  body: Object.fromEntries(Object.entries(call.body as object).filter(([name]) => name !== member)),
});
const noKey = { 'SERVICE-API-KEY': null };

const constraint = (
  id: string,
  title: string,
  pointer: string,
  clause: string,
  ...calls: readonly Call[]
): BrokenClient => ({
  id,
  title,
  requirement: 'client.body-constraint',
  pointer,
  clause,
  calls,
});
const type = (id: string, title: string, pointer: string, clause: string, ...calls: readonly Call[]): BrokenClient => ({
  id,
  title,
  requirement: 'client.body-type',
  pointer,
  clause,
  calls,
});

/** The catalogue of broken clients, one mistake each. */
// biome-ignore format: a table
export const brokenClients: readonly BrokenClient[] = [
  { id: 'path-singular',          title: 'It asks for /gate in the place of /gates.',                     requirement: 'client.path',   pointer: 'path',   clause: 'PATCH /console/v1/gates/{id} (section 4.6)', calls: [{ method: 'PATCH', path: `/console/v1/gate/${gateId}`, body: {} }] },
  { id: 'path-trailing-slash',    title: 'It adds a slash to the path.',                                  requirement: 'client.path',   pointer: 'path',   clause: 'GET /console/v1/segments', calls: [{ path: '/console/v1/segments/' }] },
  { id: 'path-other-version',     title: 'It asks for another version of the API.',                       requirement: 'client.path',   pointer: 'path',   clause: 'GET /console/v1/segments', calls: [{ path: '/console/v2/segments' }] },
  { id: 'path-letter-case',       title: 'It writes the path in another letter case.',                    requirement: 'client.path',   pointer: 'path',   clause: 'GET /console/v1/segments', calls: [{ path: '/console/v1/Segments' }] },
  { id: 'path-of-a-list-of-gates', title: 'It lists gates, for which there is no operation.',             requirement: 'client.path',   pointer: 'path',   clause: 'section 4', calls: [{ path: '/console/v1/gates' }] },
  { id: 'path-empty-id',          title: 'It leaves the id out of the path.',                             requirement: 'client.path',   pointer: 'path',   clause: 'section 4.6', calls: [{ method: 'PATCH', path: '/console/v1/gates/', body: {} }] },
  { id: 'path-doubled-slash',     title: 'It doubles a slash of the path.',                               requirement: 'client.path',   pointer: 'path',   clause: 'GET /console/v1/segments', calls: [{ path: '/console//v1/segments' }] },
  { id: 'path-without-prefix',    title: 'It leaves /console out of the path.',                           requirement: 'client.path',   pointer: 'path',   clause: 'GET /console/v1/segments', calls: [{ path: '/v1/segments' }] },
  { id: 'method-get-of-gate',     title: 'It reads a gate by GET, which no section gives.',               requirement: 'client.method', pointer: 'method', clause: 'section 4.6', calls: [{ method: 'GET', path: `/console/v1/gates/${gateId}` }] },
  { id: 'method-put-for-patch',   title: 'It updates a gate by PUT.',                                     requirement: 'client.method', pointer: 'method', clause: 'PATCH', calls: [{ method: 'PUT', path: `/console/v1/gates/${gateId}`, body: { isEnabled: true } }] },
  { id: 'method-post-to-disable', title: 'It disables a gate by POST.',                                   requirement: 'client.method', pointer: 'method', clause: 'PUT', calls: [{ method: 'POST', path: `/console/v1/gates/${gateId}/disable` }] },
  { id: 'method-delete',          title: 'It deletes a gate.',                                            requirement: 'client.method', pointer: 'method', clause: 'section 4.6', calls: [{ method: 'DELETE', path: `/console/v1/gates/${gateId}` }] },
  { id: 'key-missing',            title: 'It sends no key.',                                              requirement: 'client.key-header', pointer: 'header SERVICE-API-KEY', clause: 'section 5', calls: [{ headers: noKey }] },
  { id: 'key-empty',              title: 'It sends an empty key.',                                        requirement: 'client.key-header', pointer: 'header SERVICE-API-KEY', clause: 'section 5', calls: [{ headers: { 'SERVICE-API-KEY': '' } }] },
  { id: 'slash-without-key', besides: ['client.key-header header SERVICE-API-KEY'], title: 'It adds a slash to the path, and sends no key.', requirement: 'client.path', pointer: 'path', clause: 'section 4', calls: [{ path: '/console/v1/segments/', headers: noKey }] },
  { id: 'doubled-slash-without-key', besides: ['client.key-header header SERVICE-API-KEY'], title: 'It doubles a slash of the path, and sends no key.', requirement: 'client.path', pointer: 'path', clause: 'section 4', calls: [{ endpoint: 'list-qualifying-events', path: '//console/v1/experiments/qualifying_events', headers: noKey }] },
  { id: 'encoded-path-without-key', besides: ['client.key-header header SERVICE-API-KEY'], title: 'It encodes a letter of the path, and sends no key.', requirement: 'client.path', pointer: 'path', clause: 'section 4', calls: [{ endpoint: 'list-config-versions', path: `/console/v1/dynamic_configs/${fixtures.dynamicConfigs?.[0] ?? ''}/version%73`, headers: noKey }] },
  { id: 'capitals-without-key', besides: ['client.key-header header SERVICE-API-KEY'], title: 'It writes the path in capitals, and sends no key.', requirement: 'client.path', pointer: 'path', clause: 'section 4', calls: [{ endpoint: 'disable-gate', path: `/CONSOLE/V1/GATES/${gateId}/DISABLE`, headers: noKey }] },
  { id: 'key-as-bearer',          title: 'It sends its key as a bearer token.',                           requirement: 'client.key-header', pointer: 'header SERVICE-API-KEY', clause: 'section 5', calls: [{ headers: { ...noKey, authorization: `Bearer ${serverKey}` } }] },
  { id: 'key-in-another-header',  title: 'It sends its key in X-API-Key.',                                requirement: 'client.key-header', pointer: 'header SERVICE-API-KEY', clause: 'section 5', calls: [{ headers: { ...noKey, 'x-api-key': serverKey } }] },
  { id: 'key-in-query',           title: 'It sends its key in the query besides.',                        requirement: 'client.key-not-in-query', pointer: 'query api_key', clause: 'section 5', calls: [{ query: { api_key: serverKey } }] },
  { id: 'key-in-query-by-value',  title: 'It sends its key in the query under a name of its own.',        requirement: 'client.key-not-in-query', pointer: 'query who', clause: 'section 5', calls: [{ query: { who: serverKey } }] },
  { id: 'key-within-query',       title: 'It sends its key as a bearer token in the query besides.',      requirement: 'client.key-not-in-query', pointer: 'query authorization', clause: 'section 5', calls: [{ query: { authorization: `Bearer ${serverKey}` } }] },
  { id: 'key-in-path',            title: 'It puts its key into the path.',                                requirement: 'client.key-not-in-query', pointer: 'path', clause: 'section 5', calls: [{ endpoint: 'list-events', param: serverKey }] },
  { id: 'key-nested-in-body',     title: 'It sends its key in a member of a member of the body.',         requirement: 'client.key-not-in-body', pointer: '/credentials/keys/0', clause: 'section 5', calls: [{ ...gate, body: { isEnabled: true, credentials: { keys: [serverKey] } } }] },
  { id: 'key-in-form', besides: ['client.content-type header content-type', 'client.body-json body'], title: 'It sends its key as a part of a form.', requirement: 'client.key-not-in-body', pointer: 'body', clause: 'section 5', calls: [{ ...gate, raw: `isEnabled=true&api_key=${serverKey}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } }] },
  { id: 'key-in-documented-text', title: 'It sends its key within the description of a gate.',            requirement: 'client.key-not-in-body', pointer: '/description', clause: 'section 5', calls: [{ ...gate, body: { description: `made with ${serverKey}` } }] },
  { id: 'key-deep-in-documented-member', title: 'It sends its key below a documented object.',            requirement: 'client.key-not-in-body', pointer: '/reviewSettings/apiKey', clause: 'section 5', calls: [{ ...gate, body: { reviewSettings: { requiredReview: false, apiKey: 'of-its-own' } } }] },
  { id: 'key-in-cookie',          title: 'It sends its key in a cookie besides.',                         requirement: 'client.key-in-one-header', pointer: 'header cookie', clause: 'section 5', calls: [{ headers: { cookie: `session=${serverKey}` } }] },
  { id: 'key-in-body',            title: 'It sends its key in the body besides.',                         requirement: 'client.key-not-in-body', pointer: '/apiKey', clause: 'section 5', calls: [{ ...gate, body: { isEnabled: true, apiKey: serverKey } }] },
  { id: 'body-malformed',         title: 'It sends JSON with a comma too many.',                          requirement: 'client.body-json', pointer: 'body', clause: 'section 1', calls: [{ ...gate, body: {} }, { ...gate, raw: '{"isEnabled":true,}' }, { ...gate, body: {} }] },
  { id: 'body-form', besides: ['client.content-type header content-type'],             title: 'It sends a form.',                                              requirement: 'client.body-json', pointer: 'body', clause: 'section 1', calls: [{ ...gate, raw: 'isEnabled=true', headers: { 'content-type': 'application/x-www-form-urlencoded' } }] },
  { id: 'body-with-mark',         title: 'It begins its JSON with a byte order mark.',                    requirement: 'client.body-json', pointer: 'body', clause: 'byte order mark', calls: [{ ...gate, raw: '\uFEFF{"isEnabled":true}' }] },
  { id: 'body-utf-16',            title: 'It writes its JSON in UTF-16.',                                 requirement: 'client.body-json', pointer: 'body', clause: 'section 1', calls: [{ ...gate, raw: Buffer.from('{"description":"é"}', 'utf16le') }] },
  { id: 'body-names-twice',       title: 'It names a member of its body twice.',                          requirement: 'client.body-json', pointer: 'body', clause: 'names a member twice', calls: [{ ...gate, raw: '{"description":"a","description":"b"}' }] },
  { id: 'body-json-lines',        title: 'It sends two JSON texts in one body.',                          requirement: 'client.body-json', pointer: 'body', clause: 'section 1', calls: [{ ...gate, raw: '{"isEnabled":true}\n{"isEnabled":true}' }] },
  { id: 'body-twice-encoded',     title: 'It encodes the body as JSON twice.',                            requirement: 'client.body-type', pointer: 'body', clause: 'an object', calls: [{ ...gate, raw: JSON.stringify('{"isEnabled":true}') }] },
  { id: 'body-absent',            title: 'It sends no body where some fields are required.',              requirement: 'client.body-constraint', pointer: 'body', clause: 'section 4.9', calls: [{ endpoint: 'create-metric' }] },
  constraint('gate-name-short',     'It names a gate with two characters.',                      '/name',              'gate.name, section 2.3',          { ...gate, body: { name: 'ab' } }),
  constraint('gate-name-long',      'It names a gate with 101 characters.',                      '/name',              'gate.name, section 2.3',          { ...gate, body: { name: 'a'.repeat(101) } }),
  constraint('gate-name-sign',      'It puts an exclamation mark into the name of a gate.',      '/name',              'must match',                      { ...gate, body: { name: 'new!' } }),
  constraint('gate-description',    'It describes a gate with 1,001 characters.',                '/description',       'at most 1000 characters',         { ...gate, body: { description: 'a'.repeat(1001) } }),
  constraint('gate-type-case',      'It writes the type of a gate in lower case.',               '/type',              'PERMANENT',                       { ...gate, body: { type: 'permanent' } }),
  constraint('metric-name',         'It names a metric with an underscore and a bracket.',       '/name',              'metric.name, section 2.7',        metric({ name: 'a[b]' })),
  constraint('metric-type',         'It asks for a metric of a type that only answers have.',    '/type',              'metric.type, section 2.7',        metric({ type: 'event_count' })),
  constraint('metric-no-name',      'It leaves the name of a metric out.',                       '/name',              'is required',                     without(metric({}), 'name')),
  constraint('metric-no-type',      'It leaves the type of a metric out.',                       '/type',              'is required',                     without(metric({}), 'type')),
  constraint('metric-percentile',   'It asks for the percentile 1.',                             '/percentile',        'at most 0.999',                   metric({ type: 'percentile', percentile: 1 })),
  constraint('metric-ratio',        'It sums the events of a ratio.',                            '/metricEvents/0/type', 'count_distinct',                metric({ type: 'ratio', metricEvents: [{ name: 'page_view', type: 'sum' }] })),
  constraint('source-no-sql',       'It updates a qualifying event without its sql.',            '/sql',               'qualifyingEvent.sql, section 2.6', without(source({}), 'sql')),
  constraint('source-type',         'It invents a source type.',                                 '/sourceType',        'section 2.6',                     source({ sourceType: 'view' })),
  constraint('source-columns',      'It skips validation and names no columns.',                 '/all_columns',       'is required',                     source({ skip_validation: true, column_types: ['string'] })),
  constraint('experiment-allocation', 'It allocates 101 percent.',                               '/allocation',        'at most 100',                     experiment({ allocation: 101 })),
  constraint('experiment-duration', 'It lets an experiment last one day.',                       '/duration',          'more than 1',                     experiment({ duration: 1 })),
  constraint('experiment-status',   'It writes a status with a capital.',                        '/status',            'section 2.5',                     experiment({ status: 'Active' })),
  constraint('experiment-buckets',  'It sends the bucket 1000.',                                 '/userBuckets/1',     'less than 1000',                  experiment({ userBuckets: [0, 1000] })),
  constraint('experiment-hour',     'It reloads at 24 o’clock.',                                 '/scheduledReloadHour', 'at most 23',                    experiment({ scheduledReloadHour: 24 })),
  constraint('experiment-scores',   'It sends eleven quality scores.',                           '/manualQualityScores', 'at most 10 items',              experiment({ manualQualityScores: Array.from({ length: 11 }, () => ({ criteriaDescription: 'c', score: 1, weight: 1 })) })),
  constraint('experiment-no-groups', 'It updates an experiment without its groups.',             '/groups',            'experiment.groups, section 2.5',  without(experiment({}), 'groups')),
  constraint('groups-no-names',     'It enables groups without their names.',                    '/group_names',       'section 4.8',                     { endpoint: 'enable-groups', param: experimentId, body: {} }),
  constraint('prompt-name',         'It names a prompt version with a slash.',                   '/name',              'promptVersion.name, section 2.9', prompt({ name: 'a/b/c' })),
  constraint('prompt-id',           'It gives a prompt version an id with a blank.',             '/id',                'promptVersion.id, section 2.9',   prompt({ id: 'a b' })),
  { id: 'metric-event-no-name', title: 'It leaves the name of a metric event out.', requirement: 'client.body-member', pointer: '/metricEvents/0/name', clause: 'is required', calls: [metric({ metricEvents: [{ type: 'count' }] })] },
  type('gate-enabled-text',  'It sends a boolean as a text.',     '/isEnabled',   'true or false', { ...gate, body: { isEnabled: 'true' } }),
  type('gate-tags-text',     'It sends tags as one text.',        '/tags',        'an array',      { ...gate, body: { tags: 'a,b' } }),
  type('gate-null',          'It sends an undocumented null.',    '/description', 'a string',      { ...gate, body: { description: null } }),
  type('gate-type-number',   'It sends a number for one of a set.', '/type',      'PERMANENT',     { ...gate, body: { type: 1 } }),
  type('prompt-temperature', 'It sends a number as a text.',      '/temperature', 'a number',      prompt({ temperature: '0.7' })),
  { id: 'query-limit-text',   title: 'It asks for a limit that is no number.',      requirement: 'client.query-type',   pointer: 'query limit',         clause: 'section 4.12', calls: [{ query: { limit: 'all' } }] },
  { id: 'content-type-text',  title: 'It calls its JSON plain text.',               requirement: 'client.content-type', pointer: 'header content-type', clause: 'application/json (section 1)', calls: [{ ...gate, body: { isEnabled: true }, headers: { 'content-type': 'text/plain' } }] },
  { id: 'content-type-none',  title: 'It does not say what its body is.',           requirement: 'client.content-type', pointer: 'header content-type', clause: 'application/json (section 1)', calls: [{ ...gate, body: { isEnabled: true }, headers: { 'content-type': null } }] },
  { id: 'packed-broken-name', title: 'It packs a body that names a gate wrongly.',  requirement: 'client.body-constraint', pointer: '/name', clause: 'gate.name', calls: [{ ...gate, raw: gzipSync('{"name":"ab"}'), headers: { 'content-encoding': 'gzip' } }] },
];
