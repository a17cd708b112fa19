import { expect, test } from 'vitest';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { createModel, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { minimalApiRequest } from '../../protocol/check.ts';
import { noteControl } from './controls.ts';
import { metricTypes } from './metric-types.ts';

const without = (refused: string): Wrong => instead({ status: 400 }, (_request, { type }) => type === refused);
/** A server that takes no tags for metrics of a type. */
const untagged = (type: string): Wrong =>
  instead({ status: 403 }, (_request, body) => body.type === type && body.tags !== undefined);

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                 right,                          []],
  ['no metrics over users',          without('event_user'),          ['accept.metric-count-types']],
  ['no metrics over a custom count', without('event_count_custom'),  ['accept.metric-count-types']],
  ['no ratios',                      without('ratio'),               ['accept.metric-types']],
  ['no funnels',                     without('funnel'),              ['accept.metric-types']],
  ['no tags of funnels',             untagged('funnel'),             []],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(metricTypes, 'create-metric', wrong)).cited).toEqual(cited);
});

test('a quota that is used up refuses no type, whatever its status', async () => {
  let left = Number.POSITIVE_INFINITY;
  const quota: Wrong = model => (request, body) => {
    left -= 1;
    return left < 0 ? { status: 400, value: { message: 'Your plan allows no more.' } } : model(request, body);
  };
  const session = modelSession(quota(createModel()));
  const context = contextOf('create-metric');
  noteControl(session, await session.send(minimalApiRequest(context)));
  left = 0;
  const plan = metricTypes.plan(context);
  const [first] = 'cases' in plan ? (plan.cases ?? []) : [];
  const result = 'run' in plan && first !== undefined ? await plan.run(first, session) : undefined;
  expect(result).toMatchObject({ proved: false, violations: [] });
  expect(result?.because).toContain('accepted before, is refused now (status 400: "Your plan allows no more.")');
});
