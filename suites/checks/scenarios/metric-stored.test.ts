import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../contracts/json.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { answering, createModel, instead, type Model, right, type Wrong } from '../../proof/testing/model.ts';
import { isNothingToDo } from '../../protocol/check.ts';
import { metricStored } from './metric-stored.ts';

const created = (change: object): Wrong => answering('create-metric', metric => ({ ...metric, ...change }));
/** Answers a creation and keeps none. */
const forgetting: Wrong = model => (request, body) =>
  model(request, request.endpoint === 'create-metric' ? { ...(body as object), dryRun: true } : body);
/** Stores what is only tried. */
const storing: Wrong = model => (request, body) => {
  const { dryRun: _, ...rest } = (body ?? {}) as { dryRun?: boolean };
  return model(request, request.endpoint === 'create-metric' ? rest : body);
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                           right,                                       []],
  ['a default turned round',                   created({ directionality: 'decrease' }),     ['state.metric-default-directionality /data/directionality']],
  ['no default',                               created({ directionality: null }),           ['state.metric-default-directionality /data/directionality']],
  ['a creation that is answered, not stored',  forgetting,                                  ['state.metric-listed /data']],
  ['a dry run that stores',                    storing,                                     ['state.dry-run-metric /data']],
])('%s', async (_what, wrong, found) => {
  expect((await judgedBy(metricStored, 'create-metric', wrong)).found).toEqual(found);
});

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: readonly string[]]>([
  ['are refused',            instead({ status: 400 }),                    ['the creation was refused (status 400)']],
  ['show no direction',      created({ directionality: undefined }),      ['the answer does not show the direction']],
  ['show no lineage',        created({ lineage: undefined }),             ['the answer names no event in its lineage']],
])('creations that %s prove nothing', async (_what, wrong, because) => {
  expect((await judgedBy(metricStored, 'create-metric', wrong)).because).toEqual(because);
});

const flagsSent = (sent: readonly { readonly body?: unknown }[]): readonly string[] =>
  sent
    .map(({ body }) => (body ?? {}) as JsonObject)
    .filter(({ isVerified, isReadOnly }) => isVerified !== undefined || isReadOnly !== undefined)
    .map(({ isVerified, isReadOnly, dryRun }) => [isVerified, isReadOnly, dryRun].join());

test('flags that nobody should set for good are tried both ways, where nothing is persisted', async () => {
  const { sent } = await judgedBy(metricStored, 'create-metric', right);
  expect(flagsSent(sent)).toEqual(['true,false,true', 'false,true,true']);
});

test('flags that this key may not set are left out, and what a dry run leaves is found all the same', async () => {
  const refusing = instead({ status: 403 }, (_request, body) => body.isVerified !== undefined);
  const { found, because, sent } = await judgedBy(metricStored, 'create-metric', model => refusing(storing(model)));
  expect(because).toEqual([]);
  expect(found).toEqual(['state.dry-run-metric /data']);
  expect(flagsSent(sent)).toHaveLength(1);
});

test('a list that cannot be walked to its end is no finding', async () => {
  const wrong: Wrong = instead({ status: 500 }, ({ endpoint }) => endpoint === 'list-event-metrics');
  expect((await judgedBy(metricStored, 'create-metric', wrong)).found).toEqual([]);
});

test('what a dry run must not create is looked for once more, when everything else has run', async () => {
  const context = contextOf('create-metric');
  const model = createModel();
  const late: JsonObject[] = [];
  // A queue that takes what was only tried for an order, and carries it out when nobody looks.
  const queueing: Model = (request, body) => {
    if (isObject(body) && body.dryRun === true) late.push(body);
    return model(request, body);
  };
  const session = modelSession(queueing);
  const plan = metricStored.plan(context);
  if (isNothingToDo(plan)) throw new Error('there is something to do');
  for (const scenario of plan.cases ?? []) expect((await plan.run(scenario, session)).violations).toEqual([]);
  expect((await plan.afterwards?.run(session))?.violations).toEqual([]);
  for (const { dryRun: _, ...body } of late) model({ endpoint: 'create-metric' }, body);
  expect((await plan.afterwards?.run(session))?.violations).toMatchObject([{ requirement: 'state.dry-run-metric' }]);
  expect(plan.describe(plan.afterwards?.of as never).title).toBe('dry runs, then the metrics of the event');
});
