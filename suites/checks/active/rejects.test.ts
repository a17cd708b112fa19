import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../../contracts/json.ts';
import type { RejectCase } from '../../generators/index.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { createModel, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { CheckPlan } from '../../protocol/check.ts';
import { rejects } from './rejects.ts';

/** Accepts a body that meets a condition, whatever rule it breaks. */
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
  ['a dry run in which no name is missed',    'create-metric',           lax(body => body.dryRun === true && !('name' in body)),            ['metric.name']],
  ['a dry run with a direction of any name',  'create-metric',           lax(({ dryRun, directionality }) => dryRun === true && typeof directionality === 'string' && !['increase', 'decrease'].includes(directionality)), ['metric.directionality']],
  ['a dry run of a source of any kind',       'update-qualifying-event', lax(({ dryRun, sourceType }) => dryRun === true && typeof sourceType === 'string' && !['table', 'query'].includes(sourceType)), ['qualifyingEvent.sourceType']],
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

test.each<readonly [endpoint: EndpointId, controls: number]>([
  ['patch-gate', 1],
  ['create-metric', 0],
])('to confirm a finding at %s, a case sends a control again that leaves nothing', async (endpoint, controls) => {
  const context = contextOf(endpoint);
  const plan = rejects.plan(context) as CheckPlan<RejectCase>;
  // A service without dry runs creates something for each control.
  const session = modelSession(
    instead({ status: 422 }, (_request, body) => isObject(body) && body.dryRun === true)(createModel()),
  );
  const [first] = plan.cases ?? [];
  const sentBy = async (isConfirming: boolean): Promise<number> => {
    const before = session.sent.length;
    await plan.run(first as RejectCase, { ...session, isConfirming });
    return session.sent.length - before;
  };
  await sentBy(false);
  const alone = await sentBy(false);
  expect(await sentBy(true)).toBe(alone + controls);
});

/** Refuses what is sound as well, as a service does that has archived the config. */
const archived =
  (status: number): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    return (given.status ?? 200) < 300 ? { status } : given;
  };

test.each<[string, Wrong, boolean]>([
  ['works', right, true],
  ['is refused otherwise', archived(409), true],
  ['is refused as if it were broken', archived(400), false],
  ['is refused like all else', instead({ status: 409 }), false],
])('where an operation works only once, its minimal request is sent again, which %s', async (_how, wrong, isProved) => {
  const { results, sent } = await judgedBy(rejects, 'archive-config', wrong);
  expect(results.length).toBe(sent.length - 1);
  for (const { onlyIfAccepted, violations: found, covers } of results) {
    expect([onlyIfAccepted, found]).toEqual([true, []]);
    expect([...(covers ?? [])].includes('reject.wrong-type')).toBe(isProved);
    expect(covers).toContain('reject.never-5xx');
  }
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
  for (const { body } of sent) {
    const { environments } = body as unknown as { environments: readonly (JsonObject | null)[] };
    expect(environments.filter(one => one !== null)).toHaveLength(2);
  }
  // With all environments present, one more loses none.
  const ofLength = sent.map(
    ({ body }) => (body as unknown as { environments: readonly unknown[] }).environments.length,
  );
  expect(ofLength).toContain(3);
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

test('each rule of a field is tried beside every other field, and alone where those are refused together', async () => {
  const inCompanyAlone = (rule: (name: string) => boolean): Wrong =>
    lax(({ name, type }) => typeof name === 'string' && rule(name) && type !== undefined);
  const long = inCompanyAlone(name => name.length > 100);
  expect((await judgedBy(rejects, 'patch-gate', long)).cited).toEqual(['gate.name']);
  const odd = inCompanyAlone(name => name.length > 2 && name.length < 101 && /[^a-zA-Z0-9_\-. ]/.test(name));
  expect((await judgedBy(rejects, 'patch-gate', odd)).cited).toEqual(['gate.name']);
  const apart: Wrong = model => (request, body) =>
    isObject(body) && Object.keys(body).length > 3 ? { status: 422 } : model(request, body);
  const { found, sent, because } = await judgedBy(rejects, 'patch-gate', apart);
  expect(found).toEqual([]);
  expect(
    sent.map(({ body }) => JSON.stringify(body)).some(body => (body?.length ?? 0) > 100 && !body?.includes('tags')),
  ).toBe(true);
  expect(because).toEqual([
    'the valid control of the broken request was not accepted either (status 422), so a refusal proves nothing',
  ]);
});

test.each([1, 2])('a rule of one field or the other is broken beside each choice, with the seed %i', async seed => {
  const declaring = { ...contextOf('update-experiment').target, has: () => true };
  const kinds = new Map<unknown, Set<unknown>>();
  const plan = rejects.plan(contextOf('update-experiment', { target: declaring, seed })) as CheckPlan<RejectCase>;
  for (const { title, keyword, level, body, control } of plan.cases ?? []) {
    if (level !== 'MUST' || !title.startsWith('scheduledReloadHour:') || body.sequentialTesting === undefined) continue;
    kinds.set(keyword, new Set([...(kinds.get(keyword) ?? []), body.scheduledReloadType]));
    expect(control.scheduledReloadType).toBe(body.scheduledReloadType);
  }
  expect([...kinds.keys()].sort()).toEqual(['maximum', 'minimum']);
  expect(new Set([...kinds.values()].flatMap(own => [...own]))).toEqual(new Set(['full', 'incremental']));
});

test('a required field is missed in a dry run too', async () => {
  const dryRuns: Wrong = lax(({ dryRun, sql }) => dryRun === true && sql === undefined);
  expect((await judgedBy(rejects, 'update-qualifying-event', dryRuns)).cited).toEqual(['qualifyingEvent.sql']);
});
