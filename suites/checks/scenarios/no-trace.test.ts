import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { noTrace } from './no-trace.ts';

/** Stores what a refused write carries, one field or all of a minimal one, before it is refused. */
const storing =
  (keep: (body: JsonObject) => JsonObject): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    if (given.status === 400) model(request, keep(body as JsonObject));
    return given;
  };
const source = { sql: 'SELECT 1', timestampColumn: 'ts', idTypeMapping: [] };

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, found: readonly string[]]>([
  ['a right server, gates',          'patch-gate',              right,                                                       []],
  ['a right server, sources',        'update-qualifying-event', right,                                                       []],
  ['a right server, metrics',        'create-metric',           right,                                                       []],
  ['a gate stored field by field',   'patch-gate',              storing(({ description = '' }) => ({ description })),        ['reject.no-trace /data/description']],
  ['a source stored field by field', 'update-qualifying-event', storing(({ description = '' }) => ({ ...source, description })), ['reject.no-trace /data/*/description', 'reject.no-trace /data/*/idTypeMapping', 'reject.no-trace /data/*/sql']],
  ['a metric that was refused',      'create-metric',           storing(({ name = '' }) => ({ name, type: 'sum' })),         ['reject.no-trace /data/*/name']],
])('%s', async (_what, endpoint, wrong, found) => {
  expect((await judgedBy(noTrace, endpoint, wrong)).found.toSorted()).toEqual(found);
});

test('broken requests that are accepted are for another check', async () => {
  const { because, found } = await judgedBy(noTrace, 'patch-gate', instead({ status: 200 }));
  expect(because).toEqual(['the broken request was accepted, which another check reports']);
  expect(found).toEqual([]);
});

test('each write carries a mark of its own', async () => {
  const { sent, results, because } = await judgedBy(noTrace, 'patch-gate');
  expect(because).toEqual([]);
  const marks = sent.map(({ body }) => (body as JsonObject).description).filter(mark => mark !== undefined);
  expect(new Set(marks).size).toBe(results.length);
  expect(results.length).toBeGreaterThan(3);
});
