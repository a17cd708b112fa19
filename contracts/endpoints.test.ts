import { expect, test } from 'vitest';
import type { ObjectSchema } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import { answerSchema, endpointIds, endpoints } from './endpoints.ts';
import { pagination } from './resources/index.ts';
import { samples } from './resources/samples.fixture.ts';
import { validatorFor } from './validation.ts';

const rows: [id: (typeof endpointIds)[number], row: Endpoint][] = endpointIds.map(id => [id, endpoints[id]]);

test('fifteen rows, in the order of section 4, with the routes it prints', () => {
  expect(Object.keys(endpoints)).toEqual([...endpointIds]);
  expect(rows.map(([, { section, method, path }]) => `${section} ${method} ${path}`)).toEqual([
    '4.1 POST /console/v1/environments',
    '4.2 GET /console/v1/dynamic_configs/{id}/versions',
    '4.3 POST /console/v1/experiments/qualifying_events/{name}',
    '4.4 POST /console/v1/experiments/{id}',
    '4.5 PUT /console/v1/dynamic_configs/{id}/disable',
    '4.6 PATCH /console/v1/gates/{id}',
    '4.7 PUT /console/v1/gates/{id}/disable',
    '4.8 POST /console/v1/experiments/{id}/enable_groups',
    '4.9 POST /console/v1/metrics',
    '4.10 PUT /console/v1/dynamic_configs/{id}/archive',
    '4.11 GET /console/v1/experiments/qualifying_events',
    '4.12 GET /console/v1/segments',
    '4.13 POST /console/v1/prompts/{id}/versions',
    '4.14 GET /console/v1/events/{eventName}/metrics',
    '4.15 GET /console/v1/events/{eventName}',
  ]);
});

test('nine operations have one of eight exact messages', () => {
  const messages = rows.flatMap(([id, { message }]) => (message === null ? [] : [[id, message]]));
  expect(Object.fromEntries(messages)).toEqual({
    'update-environments': 'Environments updated successfully.',
    'update-qualifying-event': 'Qualifying event updated successfully.',
    'patch-gate': 'Gate updated successfully.',
    'disable-gate': 'Gate updated successfully.',
    'create-metric': 'Metric created successfully.',
    'list-qualifying-events': 'Qualifying events listed successfully.',
    'list-segments': 'Segments listed successfully.',
    'list-event-metrics': 'Metrics listed successfully.',
    'list-events': 'Event values listed successfully.',
  });
  expect(new Set(messages.map(([, message]) => message)).size).toBe(8);
});

test('a code is given for two operations, a query for two, a list for five', () => {
  const having = (is: (row: Endpoint) => boolean) => rows.filter(([, row]) => is(row)).map(([id]) => id);
  expect(having(row => row.success === 200)).toEqual(['patch-gate', 'archive-config']);
  expect(having(row => row.query !== null)).toEqual(['list-qualifying-events', 'list-segments']);
  expect(having(row => row.list)).toEqual([
    'list-config-versions',
    'list-qualifying-events',
    'list-segments',
    'list-event-metrics',
    'list-events',
  ]);
  expect(having(row => row.effect === 'read')).toEqual(having(row => row.method === 'GET'));
});

test.each(rows)('%s: its columns agree with one another', (_, row) => {
  expect(row.path.match(/\{(\w+)\}/)?.[1] ?? null).toBe(row.param);
  if (row.method === 'GET') expect(row.body).toBeNull();
  const members = Object.keys((row.data as ObjectSchema).properties ?? {});
  for (const name of row.expected) expect(members).toContain(name);
  if (row.list) for (const name of row.itemKey) expect(members).toContain(name);
  expect(row.expected.filter(name => (row.data as ObjectSchema).required?.includes(name))).toEqual([]);
});

const answer = { message: 'Segments listed successfully.', data: [samples.segment], pagination: samples.pagination };

// biome-ignore format: a table
const broken: readonly (readonly [string, unknown, pointer: string])[] = [
  ['another message',   { ...answer, message: 'Segments listed successfully' }, '/message'],
  ['no message',        { ...answer, message: undefined },                      '/message'],
  ['an object',         { ...answer, data: samples.segment },                   '/data'],
  ['no pagination',     { ...answer, pagination: undefined },                   '/pagination'],
  ['a wrong item',      { ...answer, data: [samples.segment, { id: 1 }] },      '/data/1/id'],
  ['a wrong total',     { ...answer, pagination: { ...samples.pagination, totalItems: '24' } }, '/pagination/totalItems'],
  ['no object',         [],                                                     ''],
];

test.each(broken)('an answer with %s is wrong', (_, value, pointer) => {
  expect(validatorFor(answerSchema('list-segments'))(value).map(problem => problem.pointer)).toEqual([pointer]);
});

test('a whole answer is right, with a message of its own where none is given', () => {
  expect(validatorFor(answerSchema('list-segments'))(answer)).toEqual([]);
  const update = validatorFor(answerSchema('update-experiment'));
  expect(update({ message: '', data: samples.experiment })).toEqual([]);
  expect(update({ message: 1, data: samples.experiment })).toHaveLength(1);
  expect(update({ message: '', data: [samples.experiment] })).toHaveLength(1);
});

test('the schema of an answer is the same node every time', () => {
  for (const id of endpointIds) expect(answerSchema(id)).toBe(answerSchema(id));
  const list = answerSchema('list-events') as ObjectSchema;
  expect(list.properties?.pagination).toBe(pagination);
});
