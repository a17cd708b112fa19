import { beforeEach, describe, expect, it } from 'vitest';
import { answerSchema, endpointIds, endpoints } from '../contracts/endpoints.ts';
import { validatorFor } from '../contracts/validation.ts';
import { accepted } from './proof/testing/accepted.ts';
import { pathOf, started } from './proof/testing/started.ts';

const { server, call, send } = await started();
beforeEach(server.reset);

const writing = endpointIds.filter(id => endpoints[id].effect !== 'read');
const withParam = endpointIds.filter(id => endpoints[id].param !== null);
const withBody = endpointIds.filter(id => endpoints[id].body !== null);

describe.each(endpointIds)('%s', id => {
  const { param, body } = accepted[id];

  it('answers as its contract says', async () => {
    const { status, json, headers } = await call(id, param, body);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(validatorFor(answerSchema(id))(json)).toEqual([]);
    const [first] = [json.data].flat();
    for (const member of endpoints[id].expected) if (member !== 'tableName') expect(first).toHaveProperty(member);
  });

  it.each([
    ['no key', null],
    ['an empty key', ''],
    ['another key', 'another'],
    ['the beginning of the key', 'reference-ke'],
    ['one character more', 'reference-keyy'],
    ['another letter case', 'Reference-key'],
  ])('refuses %s and does nothing', async (_, key) => {
    const before = await server.store.snapshot();
    const query = '?SERVICE-API-KEY=reference-key&api_key=reference-key';
    const answer = await send(pathOf(id, param) + query, {
      method: endpoints[id].method,
      body: body === undefined ? undefined : { ...body, 'SERVICE-API-KEY': 'reference-key' },
      headers: { authorization: 'Bearer reference-key' },
      key,
    });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({ status: 401, message: 'The API key is missing or wrong.' });
    expect(await server.store.snapshot()).toEqual(before);
  });

  it('takes the header in any letter case', async () => {
    const answer = await send(pathOf(id, param), {
      method: endpoints[id].method,
      body,
      key: null,
      headers: { 'service-api-KEY': 'reference-key' },
    });
    expect(answer.status).toBe(200);
  });
});

it.each(writing)('%s changes the state', async id => {
  const before = await server.store.snapshot();
  await call(id, accepted[id].param, accepted[id].body);
  expect(await server.store.snapshot()).not.toEqual(before);
});

it.each(withParam)('%s does not know what does not exist', async id => {
  const before = await server.store.snapshot();
  for (const odd of ['nobody', 'a/b', '__proto__', 'constructor', 'Ünï ☃', '\u0000', '-1', 'x'.repeat(4096)]) {
    const { status, json } = await call(id, odd, accepted[id].body);
    expect(status).toBe(404);
    expect(json.status).toBe(404);
  }
  expect(await server.store.snapshot()).toEqual(before);
});

it.each(withBody)('%s does not answer to what it cannot read, and does nothing', async id => {
  const before = await server.store.snapshot();
  const method = endpoints[id].method;
  const path = pathOf(id, accepted[id].param);
  const json = JSON.stringify(accepted[id].body);
  // biome-ignore format: a table
  const rows: [number, string | Uint8Array, Record<string, string>?][] = [
    [400, '{"a":'],
    [400, `${json}x`],
    [400, `[${json}]`],
    [400, '"text"'],
    [400, 'null'],
    [400, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    [400, `{"description":${'['.repeat(300)}${']'.repeat(300)}}`],
    [400, `{"description":${'['.repeat(100_000)}`],
    [413, JSON.stringify({ description: 'x'.repeat(1024 * 1024) })],
    [415, json, { 'content-type': 'text/plain' }],
    [415, json, { 'content-type': 'application/json; charset=utf-16' }],
    [415, json, { 'content-encoding': 'gzip' }],
  ];
  for (const [status, body, headers = {}] of rows) {
    const answer = await send(path, { method, body, headers });
    expect([answer.status, answer.json?.status]).toEqual([status, status]);
  }
  expect(await server.store.snapshot()).toEqual(before);
});

it('reads JSON with a charset, and as a +json type', async () => {
  for (const type of [
    'application/json; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/merge-patch+json',
  ]) {
    const answer = await send('/console/v1/gates/dark_mode', {
      method: 'PATCH',
      body: '{}',
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(200);
  }
});

it('ignores the body of an operation that has none', async () => {
  const answer = await send('/console/v1/gates/dark_mode/disable', { method: 'PUT', body: '{broken' });
  expect(answer.status).toBe(200);
});

it('lists every problem of a body, and no more than fifty', async () => {
  const bad = await call('patch-gate', 'dark_mode', { name: 'a!', tags: 1, description: 'fine', isEnabled: 'no' });
  expect(bad.status).toBe(400);
  expect(bad.json.errors.map((error: { property: string }) => error.property).sort()).toEqual([
    'isEnabled',
    'name',
    'name',
    'tags',
  ]);
  const worse = await call('patch-gate', 'dark_mode', { tags: Array.from({ length: 500 }, () => 1) });
  expect(worse.json.errors).toHaveLength(50);
});

it('takes members named like those of a prototype for unknown ones', async () => {
  const { json } = await send('/console/v1/gates/dark_mode', {
    method: 'PATCH',
    body: '{"__proto__":{"isEnabled":false},"constructor":1,"description":"Changed."}',
  });
  expect(json.data).toMatchObject({ isEnabled: true, description: 'Changed.' });
  expect(Object.keys(json.data)).not.toContain('constructor');
  expect(({} as { isEnabled?: unknown }).isEnabled).toBeUndefined();
});
