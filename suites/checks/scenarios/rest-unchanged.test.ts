import { expect, test } from 'vitest';
import { isObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { restUnchanged } from './rest-unchanged.ts';

const enabled = (change: object): Wrong => answering('enable-groups', experiment => ({ ...experiment, ...change }));
const groups = (change: (group: object, index: number) => object): Wrong =>
  answering('enable-groups', experiment => ({ ...experiment, groups: (experiment.groups as object[]).map(change) }));

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                          right,                                                         []],
  ['groups that are disabled, or not',        groups((group, index) => ({ ...group, disabled: index > 0 })), []],
  ['what is computed',                        enabled({ lastModifiedTime: 1, status: 'setup', healthStatus: 'PASSED' }), []],
  ['a set in other words',                    answering('enable-groups', experiment => ({ ...experiment, tags: ((experiment.tags ?? []) as string[]).map(tag => tag.toUpperCase()) })),                              []],
  ['the groups in another order',             answering('enable-groups', experiment => ({ ...experiment, groups: (experiment.groups as object[]).toReversed() })), ['state.enable-groups-frame /data/groups']],
  ['the other groups dropped',                answering('enable-groups', experiment => ({ ...experiment, groups: (experiment.groups as object[]).slice(0, 1) })), ['state.enable-groups-frame /data/groups']],
  ['a group resized',                         groups(group => ({ ...group, size: 1 })),                      ['state.enable-groups-frame /data/groups']],
  ['the allocation reset',                    enabled({ allocation: 100 }),                                  ['state.enable-groups-frame /data/allocation']],
  ['another experiment',                      enabled({ description: 'Another', hypothesis: 'Another' }),    ['state.enable-groups-frame /data/hypothesis', 'state.enable-groups-frame /data/description']],
  ['a part of the experiment only',           answering('enable-groups', ({ id, groups: all }) => ({ id, groups: all })), []],
])('%s', async (_what, wrong, found) => {
  expect((await judgedBy(restUnchanged, 'enable-groups', wrong)).found).toEqual(found);
});

test.each([
  ['update-experiment', 'the experiment could not be read first (status 400)'],
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
