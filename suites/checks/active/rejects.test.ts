import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { rejects } from './rejects.ts';

/** Takes a body that breaks a rule, if the rule is about a member. */
const lax = (when: (body: JsonObject) => boolean): Wrong =>
  instead({ status: 200 }, (_request, body) => isObject(body) && when(body));
const firstEvent = ({ metricEvents }: JsonObject) =>
  Array.isArray(metricEvents) && isObject(metricEvents[0] ?? null) ? (metricEvents[0] as JsonObject) : undefined;

// biome-ignore format: a table
const rows: readonly (readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]])[] = [
  ['a right server',                          'patch-gate',              right,                                                              []],
  ['a name that is one too long',             'patch-gate',              lax(({ name }) => typeof name === 'string' && name.length === 101), ['gate.name']],
  ['an enum that ignores letter case',        'patch-gate',              lax(({ type }) => typeof type === 'string' && type !== 'PERMANENT' && type.toUpperCase() === 'PERMANENT'), ['gate.type']],
  ['a number taken for a flag',               'patch-gate',              lax(({ isEnabled }) => typeof isEnabled === 'number'),             ['reject.wrong-type']],
  ['a required field that is not missed',     'update-qualifying-event', lax(body => !('sql' in body)),                                     ['qualifyingEvent.sql']],
  ['a fault of the server for a wrong type',  'patch-gate',              instead({ status: 500 }, (_request, { isEnabled }) => typeof isEnabled === 'string'), ['reject.never-5xx']],
];

test.each(rows)('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(rejects, endpoint, wrong)).cited).toEqual(cited);
});

describe('rules in prose', () => {
  // biome-ignore format: a table
  test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
    ['a right server',                         right,                                                                              []],
    ['an event of a metric without its name',  lax(body => firstEvent(body) !== undefined && !('name' in (firstEvent(body) ?? {}))), ['reject.metric-event-members']],
    ['a sum for a ratio',                      lax(body => body.type === 'ratio' && firstEvent(body)?.type === 'sum'),             ['reject.ratio-aggregation']],
  ])('%s', async (_what, wrong, cited) => {
    expect((await judgedBy(rejects, 'create-metric', wrong)).cited).toEqual(cited);
  });
});

test('where the control is refused as well, a refusal proves nothing', async () => {
  const { results, because } = await judgedBy(rejects, 'patch-gate', instead({ status: 400 }));
  expect(because).toEqual([
    'the valid control of the broken request was not accepted either (status 400), so a refusal proves nothing',
  ]);
  expect(results.filter(({ proved }) => proved)).toEqual([]);
});

test('each control is sent once', async () => {
  const { sent } = await judgedBy(rejects, 'patch-gate');
  const controls = sent
    .map(({ body }) => JSON.stringify(body))
    .filter(body => body.includes('Updated by a conformance run'));
  expect(controls.filter(body => body === '{"description":"Updated by a conformance run"}')).toHaveLength(1);
});

test('where an operation works only once no control is sent, and a refusal waits for the minimal request', async () => {
  const { results, sent } = await judgedBy(rejects, 'archive-config');
  expect(results.length).toBe(sent.length);
  for (const { onlyIfAccepted, violations: found } of results) expect([onlyIfAccepted, found]).toEqual([true, []]);
});

test('a case tells which requirements it covers', async () => {
  const { results } = await judgedBy(rejects, 'patch-gate');
  const covers = new Set(results.flatMap(result => [...(result.covers ?? [])]));
  expect([...covers]).toEqual(
    expect.arrayContaining(['gate.name', 'gate.type', 'gate.isEnabled', 'reject.wrong-type', 'reject.never-5xx']),
  );
});

test('the set of environments is never sent without one of its members', async () => {
  const { sent } = await judgedBy(rejects, 'update-environments');
  expect(sent.length).toBeGreaterThan(3);
  for (const { body } of sent) expect((body as { environments: unknown }).environments).toHaveLength(2);
});

test('a refusal in the circumstances proves nothing once its control is refused as well', async () => {
  const usedUp: Wrong = model => {
    let writes = 0;
    return (request, body) => {
      writes += 1;
      return writes > 3 ? { status: 402, value: { message: 'Your plan is used up' } } : model(request, body);
    };
  };
  const { cited, because, results } = await judgedBy(rejects, 'patch-gate', usedUp);
  expect(cited).toEqual([]);
  expect(because.join()).toContain('(status 402: "Your plan is used up"), so a refusal proves nothing');
  expect(results.filter(({ proved }) => proved)).toHaveLength(2);
});

test('a service that refuses what is broken with 409 has refused it', async () => {
  const conflicting: Wrong = model => (request, body) => {
    const given = model(request, body);
    return given.status === 400 ? { status: 409 } : given;
  };
  const { cited, because } = await judgedBy(rejects, 'patch-gate', conflicting);
  expect([cited, because]).toEqual([[], []]);
});
