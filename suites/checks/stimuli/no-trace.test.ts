import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, storingBeforeRefusing, type Wrong } from '../../proof/testing/model.ts';
import { noTrace } from './no-trace.ts';

const source = { sql: 'SELECT 1', timestampColumn: 'ts', idTypeMapping: [] };

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, suspected: readonly string[]]>([
  ['a right server, gates',           'patch-gate',              right,                                                       []],
  ['a right server, sources',         'update-qualifying-event', right,                                                       []],
  ['a right server, metrics',         'create-metric',           right,                                                       []],
  ['a gate stored field by field',    'patch-gate',              storingBeforeRefusing(({ description = '' }) => ({ description })),        ['reject.no-trace /data/description']],
  ['a gate switched on all the same', 'patch-gate',              storingBeforeRefusing(({ isEnabled }) => (isEnabled === undefined ? {} : { isEnabled })), ['reject.no-trace /data/isEnabled']],
  ['tags stored before the rest',     'patch-gate',              storingBeforeRefusing(({ tags = [] }) => ({ tags })),                      ['reject.no-trace /data/tags']],
  ['a source stored field by field',  'update-qualifying-event', storingBeforeRefusing(({ description = '' }) => ({ ...source, description })), ['reject.no-trace /data/0/sql', 'reject.no-trace /data/0/idTypeMapping', 'reject.no-trace /data/0/description']],
  ['a metric that was refused',       'create-metric',           storingBeforeRefusing(({ name = '' }) => ({ name, type: 'sum' })),         expect.arrayContaining(['reject.no-trace /data/0/name']) as never],
])('%s', async (_what, endpoint, wrong, suspected) => {
  const judged = await judgedBy(noTrace, endpoint, wrong);
  expect([judged.found, judged.suspected]).toEqual([[], suspected]);
});

test('broken requests that are accepted are for another check, and the others are looked at all the same', async () => {
  const all = await judgedBy(noTrace, 'patch-gate', instead({ status: 200 }));
  expect(all.suspected).toEqual([]);
  const one: Wrong = model => (request, body) => {
    const given = storingBeforeRefusing(({ description }) => (description === undefined ? {} : { description }))(model)(
      request,
      body,
    );
    return String(membersOf(body).name ?? '').length > 100 ? { status: 200 } : given;
  };
  expect((await judgedBy(noTrace, 'patch-gate', one)).suspected).toEqual(['reject.no-trace /data/description']);
});

test('each write carries a mark of its own, in a text and in a list, and turns flags and enums round', async () => {
  const { sent, because } = await judgedBy(noTrace, 'patch-gate');
  expect(because).toEqual([]);
  const bodies = sent.map(({ body }) => body as JsonObject).filter(body => body?.description !== undefined);
  expect(new Set(bodies.map(({ description }) => description)).size).toBe(bodies.length);
  expect(bodies.length).toBeGreaterThan(3);
  expect(new Set(bodies.flatMap(({ isEnabled = [] }) => isEnabled)).size).toBe(1);
});

test('a name that a refused creation or a dry run has taken is found', async () => {
  const taking =
    (takes: (body: JsonObject, status?: number) => boolean): Wrong =>
    model => {
      const taken = new Set<unknown>();
      return (request, body) => {
        const sent = membersOf(body) as JsonObject;
        const isWet = request.endpoint === 'create-metric' && sent.dryRun !== true;
        if (isWet && taken.has(sent.name)) return { status: 409, value: { message: 'There is one.' } };
        const given = model(request, body);
        if (request.endpoint === 'create-metric' && takes(sent, given.status)) taken.add(sent.name);
        return given;
      };
    };
  const byRefusals = taking((_body, status) => status === 400);
  const byDryRuns = taking(({ dryRun }) => dryRun === true);
  expect((await judgedBy(noTrace, 'create-metric', byRefusals)).found).toEqual(['reject.no-trace status']);
  expect((await judgedBy(noTrace, 'create-metric', byDryRuns)).found).toEqual(['state.dry-run-metric status']);
});
