import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering } from '../../proof/testing/model.ts';
import { lineage } from './lineage.ts';

const metric = (id: string, of?: unknown) => ({
  id,
  name: id,
  type: 'sum',
  ...(of === undefined ? {} : { lineage: of }),
});
const events = (...names: string[]) => ({ events: names, metrics: [] });
const metrics = (...ids: string[]) => ({ events: [], metrics: ids });

// biome-ignore format: a table
test.each<readonly [what: string, listed: readonly object[], suspected: readonly string[]]>([
  ['the event itself',                        [metric('a', events('page_view'))],                                 []],
  ['the event through a metric',              [metric('a', events('page_view')), metric('b', metrics('a'))],      []],
  ['the event through two',                   [metric('a', events('page_view')), metric('b', metrics('a')), metric('c', metrics('b'))], []],
  ['a metric that is not listed',             [metric('b', metrics('a'))],                                        []],
  ['metrics that name one another',           [metric('a', metrics('b')), metric('b', metrics('a'))],             []],
  ['another event only',                      [metric('a', events('purchase'))],                                  ['state.lineage-truth /data/0/lineage']],
  ['another event through a metric',          [metric('a', events('purchase')), metric('b', metrics('a'))],       ['state.lineage-truth /data/0/lineage', 'state.lineage-truth /data/1/lineage']],
  ['a lineage that is never filled',          [metric('a', events())],                                            ['state.lineage-truth /data/0/lineage']],
  ['no lineage at one of several',            [metric('a'), metric('b', events('page_view'))],                    []],
])('%s', async (_what, listed, suspected) => {
  expect((await judgedBy(lineage, 'list-event-metrics', answering('list-event-metrics', () => listed))).suspected).toEqual(suspected);
});

test('where no metric shows a lineage, nothing is proved', async () => {
  const { because, results } = await judgedBy(lineage, 'list-event-metrics');
  expect(because).toEqual(['no listed metric shows a lineage']);
  expect(results.map(({ title }) => title)).toEqual(['the metrics of the event page_view']);
});
