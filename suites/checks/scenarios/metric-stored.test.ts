import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
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

test('a list that cannot be walked to its end is no finding', async () => {
  const wrong: Wrong = instead({ status: 500 }, ({ endpoint }) => endpoint === 'list-event-metrics');
  expect((await judgedBy(metricStored, 'create-metric', wrong)).found).toEqual([]);
});
