import { expect, test } from 'vitest';
import { isObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right } from '../../proof/testing/model.ts';
import { restUnchanged } from './rest-unchanged.ts';

test('a right server is accused of nothing', async () => {
  const { found, suspected } = await judgedBy(restUnchanged, 'enable-groups', right);
  expect([found, suspected]).toEqual([[], []]);
});

test('groups that are dropped are suspected', async () => {
  const dropped = answering('enable-groups', experiment => ({
    ...experiment,
    groups: (experiment.groups as object[]).slice(0, 1),
  }));
  expect((await judgedBy(restUnchanged, 'enable-groups', dropped)).suspected).toEqual([
    'state.enable-groups-frame /data/groups',
  ]);
});

test.each([
  ['update-experiment', 'the update of the experiment was refused (status 400)'],
  ['enable-groups', 'enabling was refused (status 400)'],
] as const)('where %s is refused, nothing is proved', async (endpoint, because) => {
  const wrong = instead({ status: 400 }, request => request.endpoint === endpoint);
  expect((await judgedBy(restUnchanged, 'enable-groups', wrong)).because).toEqual([because]);
});

test('groups are enabled one by one, the second first, and together, each time after an update', async () => {
  const { sent } = await judgedBy(restUnchanged, 'enable-groups', right);
  expect(sent.slice(0, 2).map(({ endpoint }) => endpoint)).toEqual(['update-experiment', 'enable-groups']);
  expect(isObject(sent[0]?.body)).toBe(true);
  const enabled = sent.filter(({ endpoint }) => endpoint === 'enable-groups').map(({ body }) => JSON.stringify(body));
  expect(new Set(enabled.map(body => body?.slice('{"group_names":'.length, -1)))).toEqual(
    new Set(['["Control"]', '["Test"]', '["Control","Test"]']),
  );
});
