import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
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
