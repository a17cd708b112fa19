import { expect, test } from 'vitest';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, storingBeforeRefusing, type Wrong } from '../../proof/testing/model.ts';
import { experimentNoTrace } from './experiment-no-trace.ts';

const update = contextOf('update-experiment').minimal.body ?? {};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                 right,                                                                        []],
  ['an update stored field by field', storingBeforeRefusing(({ hypothesis = '' }) => ({ ...update, hypothesis })),               ['reject.no-trace /data/hypothesis']],
  ['tags stored before the rest',    storingBeforeRefusing(({ tags }) => (tags === undefined ? {} : { ...update, tags })),         ['reject.no-trace /data/tags']],
])('an experiment of %s', async (_what, wrong, found) => {
  expect((await judgedBy(experimentNoTrace, 'update-experiment', wrong)).suspected).toEqual(found);
});

test('an experiment that enabling a group does not show proves nothing', async () => {
  const hidden = instead({ status: 409 }, ({ endpoint }) => endpoint === 'enable-groups');
  const { because, suspected } = await judgedBy(experimentNoTrace, 'update-experiment', hidden);
  expect(suspected).toEqual([]);
  expect(because).toEqual(['what was written could not be read back (status 409)']);
});

test('what is stored before the last field is checked is found with some seed, for no more requests', async () => {
  const late = storingBeforeRefusing(({ status, tags }) =>
    status === undefined || status === update.status || tags === undefined ? {} : { ...update, tags },
  );
  const seeds = [1, 2, 3, 4].map(seed => judgedBy(experimentNoTrace, 'update-experiment', late, { seed }));
  const judged = await Promise.all(seeds);
  expect([...new Set(judged.flatMap(({ suspected }) => suspected))]).toEqual(['reject.no-trace /data/tags']);
  expect(new Set(judged.map(({ sent }) => sent.length)).size).toBe(1);
});
