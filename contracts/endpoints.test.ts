import { expect, test } from 'vitest';
import type { ObjectSchema, Schema } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import { answerSchema, type EndpointId, endpointIds, endpoints } from './endpoints.ts';
import { requirements } from './requirements/index.ts';
import { pagination } from './resources/index.ts';
import { samples } from './resources/samples.fixture.ts';
import { validatorFor } from './validation.ts';

const rows: [id: EndpointId, row: Endpoint][] = endpointIds.map(id => [id, endpoints[id]]);

test('the routes, statuses and messages are those that section 4 prints', async () => {
  const lines = rows.map(([id, { section, method, path, query, success, message, list }]) => {
    const parameters = Object.keys(query?.properties ?? {});
    const target = parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
    return `${section} ${id}: ${method} ${target} -> ${success}${list ? ', a list' : ''}, ${message ?? 'any message'}`;
  });
  // After an intended change: `vitest run -u`.
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('endpoints.snap');
});

test('sections, routes and operations are unique', () => {
  for (const key of [
    ({ section }: Endpoint) => section,
    ({ method, path }: Endpoint) => `${method} ${path}`,
    ({ resource, action }: Endpoint) => `${action} ${resource}`,
  ])
    expect(new Set(rows.map(([, row]) => key(row))).size).toBe(rows.length);
});

test.each([...new Set(rows.map(([, { resource }]) => resource))])('the rows of %s agree with one another', resource => {
  const ofResource = rows.filter(([, row]) => row.resource === resource);
  const among = (some: typeof rows, value: (row: Endpoint) => unknown) =>
    Object.fromEntries(some.map(([id, row]) => [id, value(row)]));
  const alike = (values: Record<string, unknown>) => new Set(Object.values(values).map(value => JSON.stringify(value)));
  const collections = among(ofResource, row => row.collection);
  expect(alike(collections).size, `one collection: ${JSON.stringify(collections)}`).toBe(1);
  // If the path names one entity, every answer about it identifies the same one.
  const named = ofResource.filter(([, row]) => row.param !== null);
  const identities = among(named, row => row.identity);
  expect(alike(identities).size, `one identity: ${JSON.stringify(identities)}`).toBeLessThanOrEqual(1);
});

/** Returns the requirement of an id, if it binds the endpoint. */
const binding = (requirement: string, id: EndpointId): string | undefined => {
  const found = requirements.find(row => row.id === requirement);
  return found?.endpoints === 'all' || found?.endpoints.includes(id) ? found.id : undefined;
};

test.each(rows)('%s: its columns agree with one another and with the requirements', (id, row) => {
  expect(row.path.match(/\{(\w+)\}/)?.[1] ?? null).toBe(row.param);
  if (row.param !== null) expect(row.fixture, 'what the path names is a fixture').not.toBeNull();
  expect(row.list, 'the action list is that of lists').toBe(row.action === 'list');
  if (row.statedLinks) expect(row.list, 'links stand in lists').toBe(true);
  if (row.method === 'GET') expect(row.body).toBeNull();
  expect(row.effect === 'read').toBe(row.method === 'GET');
  const { properties = {}, required = [] } = row.data as ObjectSchema;
  expect(Object.keys(properties)).toEqual(expect.arrayContaining([...row.expected, ...row.itemKey]));
  expect(row.expected.filter(name => required.includes(name))).toEqual([]);
  if (!row.list) expect(row.itemKey).toEqual([]);
  expect(row.leaves !== undefined).toBe(row.effect === 'additive' || row.effect === 'destructive');
  if (row.oneShot || row.lastFixture) expect(row.fixture).not.toBeNull();
  if (row.identity !== null) {
    const requirement = `identity.${row.resource}-${row.identity.member}`;
    expect(binding(requirement, id)).toBe(requirement);
    if (row.identity.is === 'param') expect(row.param).not.toBeNull();
    expect(Object.keys(properties)).toContain(row.identity.member);
  }
  if (row.wholeEcho !== undefined) expect(binding(row.wholeEcho, id)).toBe(row.wholeEcho);
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

/** Returns the names of the lists of a request whose order a service must keep. */
function orderedLists(schema: Schema, name = ''): string[] {
  const how = schema.annotation?.compare;
  if (how === 'never' || how === 'faithful' || how === 'members') return [];
  const inside = [
    ...Object.entries(schema.properties ?? {}).flatMap(([member, one]) => orderedLists(one, member)),
    ...(schema.items === undefined ? [] : orderedLists(schema.items)),
  ];
  return schema.items !== undefined && how === undefined ? [name, ...inside] : inside;
}

test('the order of these lists alone is one that a service must keep', () => {
  expect(rows.flatMap(([, { body }]) => (body === null ? [] : orderedLists(body))).sort()).toEqual([
    'funnelEventList',
    'groups',
    'idTypeMapping',
    'links',
    'metricEvents',
    'prompts',
  ]);
});
