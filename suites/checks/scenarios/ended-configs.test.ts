import { expect, test } from 'vitest';
import { type Json, type JsonObject, membersOf } from '../../../contracts/json.ts';
import { readPage } from '../../judge/page.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { answering, createModel, instead, type Model, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { knownPages } from '../../state/page-size.ts';
import { endedConfigs } from './ended-configs.ts';

const isEnding = ({ endpoint }: ApiRequest): boolean => endpoint === 'disable-config';

/** Lists each version changed, the first time and then every so many times. */
const listing = (change: JsonObject, every = 1): Wrong => {
  let seen = 0;
  return answering('list-config-versions', data => {
    const isTurn = seen % every === 0;
    seen += 1;
    const items = data as unknown as readonly JsonObject[];
    return isTurn ? items.map((one): Json => ({ ...one, ...change })) : items;
  });
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[], because: readonly string[]]>([
  ['a right server',                                right,                                    [], []],
  ['versions with another default value',           listing({ defaultValue: { other: 1 } }),  ['state.config-shown /data/0/defaultValue'], []],
  ['versions that others turn back and forth',      listing({ idType: 'other' }, 2),          [], []],
  ['versions that somebody turned once',            listing({ idType: 'other' }, 1_000),      [], []],
  ['versions of another number',                    listing({ version: 999, idType: 'other' }), [], []],
  ['versions of another type, judged by itself',    listing({ defaultValue: 'text' }),        [], []],
  ['a refusal of what was done already',            instead({ status: 409 }, isEnding),       [], ['the config was not ended again (status 409)']],
  ['a fault of the server',                         instead({ status: 500 }, isEnding),       ['robust.never-5xx status'], []],
])('%s', async (_what, wrong, found, because) => {
  const judged = await judgedBy(endedConfigs, 'disable-config', wrong);
  expect([judged.found, judged.because]).toEqual([found, because]);
});

test('the settings that both show are what it has shown', async () => {
  const { results } = await judgedBy(endedConfigs, 'archive-config');
  expect(results.map(({ covers = [] }) => [...covers])).toEqual([['state.config-shown']]);
});

const several = (ids: readonly string[]) => {
  const { target } = contextOf('disable-config');
  return { target: { ...target, fixtures: { ...target.fixtures, dynamicConfigs: [...ids] } } };
};

/**
 * Lists as many versions of each config as it has been given, each ending adding one to those that `adds` returns.
 * `total` is what a list says of their number.
 */
const counting =
  (adds: (ended: string) => readonly string[], total = (all: number) => all): Wrong =>
  model => {
    const counts = new Map<string, number>();
    const countOf = (id: string): number => counts.get(id) ?? 1;
    return (request, body) => {
      const { endpoint, param = '' } = request;
      const given = model({ ...request, param: 'a_config' }, body);
      const value = membersOf(given.value);
      if (isEnding(request)) for (const id of adds(param)) counts.set(id, countOf(id) + 1);
      const version = countOf(param);
      if (isEnding(request)) return { ...given, value: { ...value, data: { ...membersOf(value.data), version } } };
      if (endpoint !== 'list-config-versions') return given;
      const [one] = value.data as JsonObject[];
      const data = Array.from({ length: version }, (_, index) => ({ ...one, id: param, version: version - index }));
      return {
        ...given,
        value: { ...value, data, pagination: { ...membersOf(value.pagination), totalItems: total(version) } },
      };
    };
  };

test('a list that does not count the version that an ending adds has a wrong total', async () => {
  const judged = (wrong: Wrong) => judgedBy(endedConfigs, 'disable-config', wrong);
  expect((await judged(counting(ended => [ended]))).found).toEqual([]);
  expect(
    (
      await judged(
        counting(
          ended => [ended],
          () => 1,
        ),
      )
    ).found,
  ).toEqual(['pagination.total /pagination/totalItems']);
});

test('an ending that adds a version to another config, and one beside which others add some', async () => {
  const ids = ['a_config', 'another', 'third', 'fourth'];
  const judged = async (wrong: Wrong, more = several(ids)) =>
    (await judgedBy(endedConfigs, 'disable-config', wrong, more)).found;
  const beside = counting(ended => [ended, 'another']);
  expect(await judged(beside)).toEqual(['state.neighbours /pagination/totalItems']);
  // Somebody adds one version, or one after another.
  let endings = 0;
  const once = counting(ended => {
    endings += 1;
    return endings === 1 ? [ended, 'another'] : [ended];
  });
  expect(await judged(once)).toEqual([]);
  const always: Wrong = model => {
    const adding = counting(ended => [ended, 'another'])(model);
    return (request, body) => {
      const given = adding(request, body);
      if (request.param === 'another') adding({ endpoint: 'disable-config', param: 'third' }, undefined);
      return given;
    };
  };
  expect(await judged(always)).toEqual([]);
  // A small profile reads no other config.
  const small = { ...several(ids), amounts: { fuzz: 25, walks: 4, creations: 1 } };
  expect(await judged(beside, small)).toEqual([]);
});

/** Shows the newest versions of a list that has room for `room`, numbered as `numbered` says. */
const shortened =
  (room: number, numbered: (version: number, index: number) => number): ((model: Model) => Model) =>
  model =>
  (request, body) => {
    const given = model(request, body);
    if (request.endpoint !== 'list-config-versions') return given;
    const value = membersOf(given.value);
    const data = (value.data as JsonObject[])
      .slice(0, room)
      .map((one, index) => ({ ...one, version: numbered(Number(one.version), index) }));
    const pagination = { ...membersOf(value.pagination), totalItems: data.length };
    return { ...given, value: { ...value, data, pagination } };
  };

test('a list of so many versions that drops one for another, and one whose newest has the number of all changes', async () => {
  const ids = ['a_config', 'another', 'third', 'fourth'];
  const judged = async (wrong: Wrong) => (await judgedBy(endedConfigs, 'disable-config', wrong, several(ids))).found;
  const grown: Wrong = model => {
    const adding = counting(ended => [ended, 'another'])(model);
    for (let turn = 0; turn < 3; turn += 1) adding({ endpoint: 'disable-config', param: 'another' }, undefined);
    return adding;
  };
  const kept = shortened(3, version => version);
  expect(await judged(model => kept(grown(model)))).toEqual(['state.neighbours /data/0/version']);
  const backwards = answering('list-config-versions', data => [...(data as unknown as Json[])].reverse());
  expect(await judged(model => backwards(kept(grown(model))))).toEqual(['state.neighbours /data/2/version']);
  let changes = 10;
  const counted: Wrong = model => {
    const right = counting(ended => [ended])(model);
    const shown = shortened(3, (version, index) => (index === 0 ? changes : version));
    return shown((request, body) => {
      if (isEnding(request)) changes += 1;
      return right(request, body);
    });
  };
  expect(await judged(counted)).toEqual([]);
});

/** Returns what archiving the last config tells of others that have another version than at first. */
async function toldAtFirst(ids: readonly string[], changed: readonly string[]) {
  const { minimal } = contextOf('archive-config');
  const context = contextOf('archive-config', { ...several(ids), minimal: { ...minimal, param: ids.at(-1) ?? '' } });
  const model = counting(ended => [ended])(createModel());
  const session = modelSession(model);
  for (const param of ids) {
    const request = { endpoint: 'list-config-versions', param } as const;
    Object.assign(knownPages(session, request), { first: readPage(await session.send(request)) });
  }
  for (const param of changed) model({ endpoint: 'disable-config', param }, undefined);
  const plan = endedConfigs.plan(context);
  const [scenario] = ('cases' in plan && plan.cases) || [];
  if (!('run' in plan) || scenario === undefined) throw new Error('nothing is planned');
  return (await plan.run(scenario, session)).violations.map(({ doubt, actual }) => [actual, doubt !== undefined]);
}

test('a config that the run itself has ended is no witness of another version', async () => {
  expect(await toldAtFirst(['a', 'b', 'c', 'd', 'e'], ['c', 'd'])).toEqual([
    ['2', true],
    ['2', true],
  ]);
  expect(await toldAtFirst(['a', 'b', 'c', 'd', 'e'], ['d'])).toEqual([]);
  // The first was disabled, and the one beside the last takes part in its sequences.
  expect(await toldAtFirst(['a', 'b', 'c'], ['a', 'b'])).toEqual([]);
  expect(await toldAtFirst(['a', 'b', 'c', 'd'], ['b', 'c'])).toEqual([]);
});

test('the two operations that end a config read different ones', async () => {
  const more = several(['a_config', 'b', 'c', 'd', 'e']);
  const readBy = async (endpoint: 'disable-config' | 'archive-config') => {
    const { sent } = await judgedBy(
      endedConfigs,
      endpoint,
      counting(ended => [ended]),
      more,
    );
    return sent.filter(one => one.endpoint === 'list-config-versions').map(({ param }) => param);
  };
  expect(await readBy('disable-config')).toEqual(['b', 'c', 'a_config', 'b', 'c']);
  expect(new Set(await readBy('archive-config')).size).toBe(3);
});
