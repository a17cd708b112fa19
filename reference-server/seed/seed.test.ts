import { describe, expect, it } from 'vitest';
import { endpointIds } from '../../contracts/endpoints.ts';
import { type Seed, seedCollections } from '../../contracts/seed.ts';
import { specificationNaming } from '../../contracts/target.ts';
import { collectionNames } from '../entities.ts';
import { fixtures } from '../fixtures/index.ts';
import { accepted } from '../proof/testing/accepted.ts';
import { started } from '../proof/testing/started.ts';
import { snapshotOf } from '../tool/snapshot.ts';
import { InvalidSeed, seedOf } from './seed.ts';

const whole = fixtures(specificationNaming);
const entity = (seed: object, collection: (typeof collectionNames)[number], key: string) =>
  new Map<string, unknown>(seedOf(seed)[collection]).get(key);
const keys = (seed: object, collection: (typeof collectionNames)[number]) =>
  seedOf(seed)[collection].map(([key]) => key);

const problemsOf = (seed: unknown): readonly string[] => {
  try {
    seedOf(seed);
  } catch (error) {
    if (error instanceof InvalidSeed) return error.problems.map(({ pointer, message }) => `${pointer} ${message}`);
    throw error;
  }
  return [];
};

describe('a seed', () => {
  it('has the collections of the state', () => {
    expect([...seedCollections].sort()).toEqual([...collectionNames].sort());
  });

  it('without entities is the fixtures, or nothing but the holder of the key', () => {
    expect(seedOf({})).toEqual(whole);
    expect(seedOf({ extends: 'fixtures' })).toEqual(whole);
    const empty = seedOf({ extends: 'empty' });
    expect(collectionNames.filter(name => empty[name].length > 0)).toEqual(['users']);
    expect(keys({ extends: 'empty' }, 'users')).toEqual(['console-api-key']);
  });

  it('may hold what every request that is accepted has left', async () => {
    const { server, call } = await started();
    for (const id of endpointIds) await call(id, accepted[id].param, accepted[id].body);
    const state = Object.fromEntries(
      await Promise.all(collectionNames.map(async name => [name, await server.store.list(name)])),
    );
    expect(problemsOf({ extends: 'empty', ...state })).toEqual([]);
  });

  it('that is written from a whole state is that state', () => {
    const lists = Object.fromEntries(collectionNames.map(name => [name, whole[name].map(([, value]) => value)]));
    expect(seedOf({ extends: 'empty', ...lists })).toEqual({
      ...whole,
      users: expect.arrayContaining(whole.users as unknown[]),
    });
  });

  it('may be a state as the server shows it, which extends nothing', () => {
    const { gates, teams } = whole;
    const kept = seedOf({ gates: gates.slice(1), teams });
    expect(kept.gates).toEqual(gates.slice(1));
    expect(kept.metrics).toEqual([]);
    const wrongState = { gates: [['a', { id: 'a', isEnabled: 1 }]] };
    expect(problemsOf(wrongState)).toEqual(['/gates/0/1/isEnabled must be true or false']);
  });

  it('gives the entities of an empty one what operations and answers need', () => {
    const seed: Seed = {
      extends: 'empty',
      ...Object.fromEntries(seedCollections.map(name => [name, ['first::sum', 'second::sum']])),
    };
    expect(snapshotOf(structuredClone(seedOf(seed)))).toHaveProperty('snapshot');
  });

  it('changes of a fixture what it gives, and leaves the rest', () => {
    const [, dark] = whole.gates.find(([id]) => id === 'dark_mode') ?? [];
    expect(entity({ gates: [{ id: 'dark_mode', isEnabled: false }] }, 'gates', 'dark_mode')).toEqual({
      ...dark,
      isEnabled: false,
    });
    expect(keys({ gates: ['dark_mode', 'mine'] }, 'gates')).toEqual([...whole.gates.map(([id]) => id), 'mine']);
    expect(
      entity({ metrics: [{ id: 'commerce::composite_sum', description: 'x' }] }, 'metrics', 'commerce::composite_sum'),
    ).toMatchObject({
      description: 'x',
      lineage: { events: ['purchase', 'page_view', 'add_to_cart'] },
    });
  });

  it('knows the names that its entities refer to', () => {
    const seed: Seed = {
      extends: 'empty',
      gates: [
        { id: 'g', idType: 'orgID', team: 'design', targetApps: ['tv'], releasePipelineID: 'p', creatorID: 'lina' },
        {
          id: 'h',
          creatorID: 'lina',
          creatorName: 'Lina',
          creatorEmail: 'lina@example.org',
          reviewSettings: { requiredReview: false, allowedReviewers: ['m@example.org'] },
        },
      ],
      environments: [{ name: 'live', requiredReviewGroupID: 'guards' }],
      prompts: [{ id: 'hello', versions: [{ model: 'gpt-5', provider: 'us', eval_model: 'judge' }] }],
      experiments: [{ id: 'e', secondaryIDType: 'deviceID', assignmentSourceName: 'a', identityResolutionSource: 'i' }],
      qualifyingEvents: [{ name: 's', idTypeMapping: [{ serviceUnitID: 'cartID', column: 'c' }] }],
      metrics: [{ name: 'm', type: 'sum', metricEvents: [{ name: 'bought', type: 'count' }] }],
      configs: [{ id: 'c', versions: [{ team: 'shop' }] }],
    };
    const found = Object.fromEntries(collectionNames.slice(8).map(name => [name, keys(seed, name)]));
    expect(found).toEqual({
      events: ['bought'],
      users: ['console-api-key', 'lina', 'm@example.org'],
      teams: ['design', 'shop'],
      apps: ['tv'],
      idTypes: ['orgID', 'userID', 'deviceID', 'cartID'],
      models: ['gpt-5', 'judge'],
      providers: ['us'],
      pipelines: ['p'],
      reviewGroups: ['guards'],
      assignmentSources: ['a'],
      identitySources: ['i'],
    });
    expect(entity(seed, 'users', 'lina')).toEqual({ id: 'lina', name: 'Lina', email: 'lina@example.org' });
  });

  it('links metrics in whichever order they stand', () => {
    const composed = (name: string, ...names: string[]) => ({
      name,
      type: 'composite',
      metricComponentMetrics: names.map(component => ({ name: component, type: 'composite' })),
    });
    const seed = {
      extends: 'empty',
      metrics: [
        composed('a', 'b'),
        composed('b', 'c', 'a'),
        { ...composed('c'), metricEvents: [{ name: 'e', type: 'count' }] },
      ],
    };
    expect(entity(seed, 'metrics', 'a::composite')).toMatchObject({
      lineage: { events: ['e'], metrics: ['b::composite', 'c::composite'] },
    });
  });

  it('has placeholders under the names of the server', () => {
    const naming = { ...specificationNaming, startDatePlaceholder: '{from}', endDatePlaceholder: '{to}' };
    const seed = {
      extends: 'empty',
      qualifyingEvents: [{ name: 's', sql: 'SELECT {service_start_date}, {service_end_date}' }],
    };
    expect(seedOf(seed, naming).qualifyingEvents).toMatchObject([['s', { sql: 'SELECT {from}, {to}' }]]);
  });
});

// biome-ignore format: a table
const wrong: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['no object',            [],                                                                [' must be an object']],
  ['another base',         { extends: 'nothing' },                                            ['/extends must be one of "fixtures", "empty"']],
  ['another collection',   { gate: [] },                                                      ['/gate is not a known field']],
  ['no list',              { gates: {} },                                                     ['/gates must be an array']],
  ['an empty key',         { gates: [''] },                                                   ['/gates/0/id must have at least 1 character']],
  ['another member',       { gates: [{ id: 'a', isEnable: true }] },                          ['/gates/0/isEnable is not a known field']],
  ['another type',         { configs: [{ id: 'a', versions: [{ isEnabled: 1 }] }] },          ['/configs/0/versions/0/isEnabled must be true or false']],
  ['no key',               { environments: [{ isProduction: true }] },                        ['/environments/0 needs an id or a name']],
  ['half a metric',        { metrics: [{ name: 'a' }] },                                      ['/metrics/0 needs an id, or a name and a type']],
  ['an id that is none',   { metrics: ['a'] },                                                ['/metrics/0/id must be <name>::<type>']],
  ['an id of another one', { metrics: [{ id: 'a::sum', type: 'mean' }] },                     ['/metrics/0/type must be "sum", as the id says']],
  ['a key twice',          { teams: ['a', { id: 'a' }] },                                     ['/teams/1 is "a" again, after /teams/0']],
  ['another version',      { configs: [{ id: 'a', versions: [{ id: 'b' }] }] },               ['/configs/0/versions/0/id must be "a"']],
  ['another event',        { events: [{ name: 'a', records: [{}, { name: 'b' }] }] },         ['/events/0/records/1/name must be "a"']],
  ['a name of no gate',    { gates: [{ id: 'a', name: 'x!' }] },                              ['/gates/0/name must have at least 3 characters', '/gates/0/name must match ^[a-zA-Z0-9_\\-. ]*$']],
  ['a member of a member', { metrics: [{ id: 'a::sum', metricEvents: [{ name: 'e' }] }] },    ['/metrics/0/metricEvents/0/type is required']],
  ['too long an hour',     { experiments: [{ id: 'a', scheduledReloadHour: 24 }] },           ['/experiments/0/scheduledReloadHour must be at most 23']],
  ['a version of none',    { prompts: [{ id: 'a', versions: [{}, { name: 'x' }] }] },         ['/prompts/0/versions/1/name must have at least 3 characters']],
  ['a type of no metric',  { metrics: ['a::nope'] },                                          [expect.stringMatching(/^\/metrics\/0\/id must be of a type that there is: /)]],
  ['sizes of no whole',    { experiments: [{ id: 'a', groups: [{ name: 'A', size: 50 }] }] }, [expect.stringMatching(/^\/experiments\/0\/groups /)]],
  ['too small a count',    { prompts: [{ id: 'a', count: 1, versions: [{}, {}] }] },          ['/prompts/0/count must be at least 2: so many versions are given']],
];

it.each(wrong)('%s is no seed, and the place is told', (_, seed, problems) => {
  expect(problemsOf(seed)).toEqual(problems);
});

describe('a server with a seed', async () => {
  const seed = { extends: 'empty', gates: ['mine'], teams: ['us'] };
  const { server, call } = await started({ initial: seedOf(seed) });

  it('goes back to it', async () => {
    expect((await call('patch-gate', 'mine', { team: 'us', isEnabled: false })).status).toBe(200);
    expect((await call('patch-gate', 'dark_mode', {})).status).toBe(404);
    await server.reset();
    expect((await call('patch-gate', 'mine', {})).json.data).toMatchObject({ isEnabled: true, team: null });
  });

  it('does every operation on what a key alone describes', async () => {
    const lists = Object.fromEntries(collectionNames.map(name => [name, whole[name].map(([key]) => key)]));
    const bare = await started({ initial: seedOf({ extends: 'empty', ...lists }) });
    for (const id of endpointIds) {
      const { param, body } = accepted[id];
      const sent = id === 'enable-groups' ? { group_names: ['Test'] } : body;
      expect([id, (await bare.call(id, param, sent)).status]).toEqual([id, 200]);
    }
  });
});
