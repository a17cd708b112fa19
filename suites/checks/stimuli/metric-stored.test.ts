import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../contracts/json.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { answering, createModel, instead, type Model, right, type Wrong } from '../../proof/testing/model.ts';
import { isNothingToDo } from '../../protocol/check.ts';
import { metricStored } from './metric-stored.ts';

const created = (change: object): Wrong => answering('create-metric', metric => ({ ...metric, ...change }));
/** Answers a creation and stores nothing. */
const forgetting: Wrong = model => (request, body) =>
  model(request, request.endpoint === 'create-metric' ? { ...(body as object), dryRun: true } : body);
/** Stores dry runs. */
const storing: Wrong = model => (request, body) => {
  const { dryRun: _, ...rest } = (body ?? {}) as { dryRun?: boolean };
  return model(request, request.endpoint === 'create-metric' ? rest : body);
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, suspected: readonly string[]]>([
  ['a right server',                           right,                                       []],
  ['a default turned round',                   created({ directionality: 'decrease' }),     ['state.metric-default-directionality /data/directionality']],
  ['no default',                               created({ directionality: null }),           ['state.metric-default-directionality /data/directionality']],
  ['a creation that is answered, not stored',  forgetting,                                  ['state.metric-listed /data']],
  ['a dry run that stores',                    storing,                                     ['state.dry-run-metric /data/2', 'state.dry-run-metric /data/3']],
])('%s', async (_what, wrong, suspected) => {
  expect(await judgedBy(metricStored, 'create-metric', wrong)).toMatchObject({ found: [], suspected });
});

test('creations that name no event, or are refused, prove nothing, and one that is refused with more is sent bare', async () => {
  const nameless = await judgedBy(metricStored, 'create-metric', created({ lineage: undefined }));
  expect(nameless.because).toEqual(['the answer names no event in its lineage']);
  const refused = await judgedBy(metricStored, 'create-metric', instead({ status: 400 }));
  expect(refused.because).toEqual(['the creation was refused (status 400)']);
  const { because, sent } = await judgedBy(
    metricStored,
    'create-metric',
    instead({ status: 400 }, (_request, body) => 'description' in body),
  );
  expect(because).toEqual([]);
  expect(sent.filter(({ body }) => isObject(body) && 'description' in body)).toHaveLength(1);
});

test('a name that a dry run has taken is found', async () => {
  const taken = new Set<unknown>();
  const taking: Wrong = model => (request, body) => {
    const { name, dryRun } = (body ?? {}) as JsonObject;
    if (request.endpoint === 'create-metric' && dryRun !== true && taken.has(name)) return { status: 409 };
    if (dryRun === true) taken.add(name);
    return model(request, body);
  };
  const { found } = await judgedBy(metricStored, 'create-metric', taking);
  expect(found).toEqual(['state.dry-run-metric status']);
});

test('a list that counts otherwise than it shows, twice in a row, is found', async () => {
  const counting = (wrong: (list: number) => boolean): Wrong => {
    let lists = 0;
    return model => (request, body) => {
      const given = model(request, body);
      if (request.endpoint !== 'list-event-metrics') return given;
      lists += 1;
      const value = given.value as { pagination: JsonObject; data: readonly unknown[] };
      const totalItems = value.data.length + Number(wrong(lists));
      return { ...given, value: { ...value, pagination: { ...value.pagination, totalItems } } };
    };
  };
  const found = async (wrong: Wrong) => (await judgedBy(metricStored, 'create-metric', wrong)).found;
  expect(await found(counting(() => true))).toEqual(['state.metric-listed /pagination/totalItems']);
  expect(await found(counting(list => list === 1))).toEqual([]);
});

test('a list that cannot be walked to its end is no finding', async () => {
  const wrong: Wrong = instead({ status: 500 }, ({ endpoint }) => endpoint === 'list-event-metrics');
  expect((await judgedBy(metricStored, 'create-metric', wrong)).found).toEqual([]);
});

test('what a dry run must not create is looked for once more, when everything else has run', async () => {
  const context = contextOf('create-metric');
  const model = createModel();
  const late: JsonObject[] = [];
  // A queue that takes a dry run for an order, and carries it out later.
  const queueing: Model = (request, body) => {
    if (isObject(body) && body.dryRun === true) late.push(body);
    return model(request, body);
  };
  const session = modelSession(queueing);
  const plan = metricStored.plan(context);
  if (isNothingToDo(plan)) throw new Error('there is something to do');
  for (const scenario of plan.cases ?? []) await plan.run(scenario, session);
  await plan.afterwards?.run(session);
  expect(session.suspicions).toEqual([]);
  for (const { dryRun: _, ...body } of late) model({ endpoint: 'create-metric' }, body);
  await plan.afterwards?.run(session);
  expect(session.suspicions.map(({ requirements, certainBy }) => [...requirements, certainBy])).toContainEqual([
    'state.dry-run-metric',
    'mark',
  ]);
  expect(plan.describe(plan.afterwards?.of as never).title).toBe('dry runs, then the metrics of the event');
});

const flagsSent = (sent: readonly { readonly body?: unknown }[]): readonly string[] =>
  sent
    .map(({ body }) => (body ?? {}) as JsonObject)
    .filter(({ isVerified, isReadOnly }) => isVerified !== undefined || isReadOnly !== undefined)
    .map(({ isVerified, isReadOnly, dryRun }) => [isVerified, isReadOnly, dryRun].join());

test('flags are tried both ways where nothing is persisted, and one on what the run creates anyway', async () => {
  const { sent } = await judgedBy(metricStored, 'create-metric', right);
  expect(flagsSent(sent)).toEqual(['true,false,true', 'false,true,true', 'true,,']);
});

test('a creation that is refused for its flag alone is sent without it, and is no fault', async () => {
  const refusing = instead({ status: 403 }, (_request, body) => body.isVerified === true && body.dryRun !== true);
  const { told, because } = await judgedBy(metricStored, 'create-metric', refusing);
  expect([told, because]).toEqual([[], []]);
});

test('flags that this key may not set are left out, and what a dry run leaves is suspected all the same', async () => {
  const refusing = instead({ status: 403 }, (_request, body) => body.isVerified !== undefined);
  const { suspected, because, sent } = await judgedBy(metricStored, 'create-metric', model => refusing(storing(model)));
  expect(because).toEqual([]);
  expect(suspected).toContain('state.dry-run-metric /data/2');
  expect(flagsSent(sent)).toHaveLength(1);
});
