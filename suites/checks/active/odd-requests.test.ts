import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { oddRequests } from './odd-requests.ts';

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                           'patch-gate',    right,                                                              []],
  ['a right server, a list',                   'list-segments', right,                                                              []],
  ['a lookup that throws',                     'patch-gate',    instead({ status: 500 }, ({ rawPath }) => rawPath?.endsWith('-none') === true), ['robust.never-5xx']],
  ['a decoder that throws',                    'list-events',   instead({ status: 500 }, ({ rawPath }) => rawPath?.endsWith('%zz') === true), ['robust.never-5xx']],
  ['a method nobody handles',                  'list-segments', instead({ failure: { kind: 'timeout', message: '' } }, ({ method }) => method === 'OPTIONS'), ['robust.no-hang']],
  ['a page that overflows',                    'list-segments', instead({ status: 500 }, ({ query }) => query?.page === '99999999999999999999'), ['pagination.odd-values']],
  ['a limit that is never answered',           'list-segments', instead({ failure: { kind: 'timeout', message: '' } }, ({ query }) => query?.limit === '1000000'), ['robust.no-hang']],
  ['a server that does not come back',         'list-segments', instead({ status: 502 }, ({ rawPath, method, query, raw }) => [rawPath, method, query, raw].every(part => part === undefined)), ['robust.alive-after']],
  ['odd ids taken for good ones',              'patch-gate',    instead({ status: 200 }, ({ rawPath }) => rawPath !== undefined),  []],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(oddRequests, endpoint, wrong)).cited).toEqual(cited);
});

/** An id that names nothing. */
const nothing = 'conform-test-none';

test('nothing that is sent can write: no documented method, no JSON, no id that names anything', async () => {
  const { sent } = await judgedBy(oddRequests, 'patch-gate');
  for (const { rawPath, method, raw, body, param } of sent.slice(0, -1)) {
    if (rawPath === undefined) expect([param, JSON.stringify(body)]).not.toEqual(['gate_a', expect.anything()]);
    else if (rawPath.includes('gate_a')) expect([rawPath, body]).toEqual([expect.stringMatching(/gate_a%20$/), {}]);
    expect(method).not.toBe('PATCH');
    expect([undefined, '{']).toContain(raw);
    expect([undefined, '{}']).toContain(JSON.stringify(body));
  }
});

test('lookups by a part of an id, or by a pattern, carry nothing', async () => {
  const { sent } = await judgedBy(oddRequests, 'patch-gate');
  const near = sent.filter(({ rawPath, param }) => rawPath === undefined && !['gate_a', nothing].includes(param ?? ''));
  expect(near.map(({ param }) => param)).toEqual(['gate_', 'gate_%a', 'gate_*a', '^gate_a$']);
  expect(near.map(({ body }) => JSON.stringify(body)).every(body => body === '{}')).toBe(true);
});

test('an id in another letter case, or with a blank at its end, is sent as a path, so that whose id is shown is not judged', async () => {
  const { sent } = await judgedBy(oddRequests, 'patch-gate');
  const equal = sent.filter(({ rawPath }) => /GATE_A|gate_a%20/.test(rawPath ?? ''));
  expect(equal.map(({ rawPath }) => rawPath?.split('/').at(-1))).toEqual(['GATE_A', 'gate_a%20']);
  expect(equal.every(({ body }) => JSON.stringify(body) === '{}')).toBe(true);
});

test('no other entity is written to than the fixture', async () => {
  for (const endpoint of ['update-experiment', 'update-qualifying-event', 'create-prompt-version'] as const) {
    const { sent } = await judgedBy(oddRequests, endpoint);
    const params = sent.filter(({ rawPath, body }) => rawPath === undefined && body !== undefined);
    expect(new Set(params.map(({ param }) => param).filter(param => param !== nothing)).size).toBeLessThan(2);
  }
});

test('an id that names nothing is sent what a server may look at first, and nothing that creates', async () => {
  const bodyFor = async (endpoint: EndpointId) =>
    (await judgedBy(oddRequests, endpoint)).sent.find(({ param }) => param === nothing)?.body;
  expect(await bodyFor('update-experiment')).toMatchObject({
    description: expect.any(String),
    groups: expect.any(Array),
  });
  expect(await bodyFor('enable-groups')).toEqual({ group_names: expect.any(Array) });
  expect(await bodyFor('update-qualifying-event')).toMatchObject({ sql: expect.any(String), dryRun: true });
  for (const endpoint of ['patch-gate', 'create-prompt-version'] as const) expect(await bodyFor(endpoint)).toEqual({});
  expect(await bodyFor('list-config-versions')).toBeUndefined();
});

test('an odd id is sent that body too where it is a dry run, unless it leads to another path', async () => {
  const bodiesFor = async (endpoint: EndpointId) => {
    const { sent } = await judgedBy(oddRequests, endpoint);
    const valid = sent.find(({ param }) => param === nothing)?.body;
    const odd = sent.filter(({ rawPath, method }) => rawPath !== undefined && method === undefined);
    expect(odd.length).toBeGreaterThan(15);
    const elsewhere = odd.filter(({ rawPath = '' }) => /\/(%2e|\.)/.test(rawPath));
    expect(elsewhere.map(({ body }) => body)).toEqual([{}, {}]);
    const isDry = endpoint === 'update-qualifying-event';
    return odd.every(one => elsewhere.includes(one) || isDeepStrictEqual(one.body, isDry ? valid : {}));
  };
  for (const endpoint of ['update-experiment', 'enable-groups', 'update-qualifying-event', 'archive-config'] as const)
    expect([endpoint, await bodiesFor(endpoint)]).toEqual([endpoint, true]);
});

test('a body is sent where there is none, at an id that names nothing where the operation writes', async () => {
  const bodies = async (endpoint: EndpointId) =>
    (await judgedBy(oddRequests, endpoint)).sent.filter(({ raw, method }) => raw !== undefined && method === undefined);
  expect((await bodies('list-segments')).map(({ rawPath }) => rawPath)).toEqual([undefined, undefined]);
  for (const { rawPath } of await bodies('disable-config')) expect(rawPath).toContain('conform-test-none');
});

test('a whole collection is not asked to be deleted, and of a read-only target only reads', async () => {
  const methods = async (endpoint: EndpointId, readOnly: boolean) =>
    (await judgedBy(oddRequests, endpoint, right, { readOnly })).sent.flatMap(({ method }) => method ?? []);
  expect(await methods('list-segments', false)).toEqual(
    ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].slice(0, -1),
  );
  expect(await methods('list-events', false)).toContain('DELETE');
  expect(await methods('list-segments', true)).toEqual([]);
});

test('where an operation works only once, it is not sent afterwards', async () => {
  const { sent } = await judgedBy(oddRequests, 'archive-config');
  expect(sent.filter(({ rawPath, param }) => rawPath === undefined && param !== nothing)).toEqual([]);
});

test('an id that names an entity of the target file is no odd one', async () => {
  const idsSent = async (...dynamicConfigs: string[]) => {
    const { target } = contextOf('archive-config');
    const more = { target: { ...target, fixtures: { dynamicConfigs } } };
    const { sent } = await judgedBy(oddRequests, 'archive-config', right, more);
    return sent.flatMap(({ rawPath }) => rawPath?.split('/').at(-2) ?? []);
  };
  expect(await idsSent('config_a')).toEqual(expect.arrayContaining(['constructor', '__proto__']));
  expect(await idsSent('constructor', 'config_a')).not.toContain('constructor');
});

test('ids in other scripts are of this run alone', async () => {
  const { sent } = await judgedBy(oddRequests, 'archive-config');
  const foreign = sent.filter(({ rawPath }) => /%[89a-f]/i.test(rawPath ?? ''));
  expect(foreign.length).toBeGreaterThan(1);
  expect(foreign.every(({ rawPath }) => rawPath?.includes(nothing))).toBe(true);
});
