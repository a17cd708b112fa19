import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type Json, type JsonObject, membersOf, objectsIn } from '../../../contracts/json.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, type Model, right, type Wrong } from '../../proof/testing/model.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { disposable } from './disposable.ts';

const environments = [
  { id: 'one', name: 'development', isProduction: false },
  { id: 'two', name: 'scratch', isProduction: false },
];
const groups = ['Control', 'Test'];

/** Returns the context of an operation for a target file that marks a second fixture of each kind. */
function marked(endpoint: EndpointId): Partial<CheckContext> {
  const { target, discovered } = contextOf(endpoint);
  const marking = {
    ...target,
    fixtures: {
      ...target.fixtures,
      environments,
      experiments: [
        { id: 'an_experiment', groups },
        { id: 'an_experiment_too', groups },
      ],
    },
    disposable: { experiments: ['an_experiment_too'], qualifyingEvents: ['source_b'], environments: ['scratch'] },
  };
  const minimal = minimalRequest(marking, discovered, endpoint);
  if (isBlockedRequest(minimal)) throw new Error(minimal.because);
  return { target: marking, minimal };
}

/** Keeps a set of environments, found by their ids; `keep` may alter what is stored. */
const keeping =
  (keep: (sent: JsonObject, before: JsonObject) => JsonObject = sent => sent): Wrong =>
  model => {
    const set = new Map(environments.map(one => [one.id, one as JsonObject]));
    return (request, body) => {
      if (request.endpoint !== 'update-environments') return model(request, body);
      const shown = objectsIn(membersOf(body).environments).map(sent => {
        const before = set.get(String(sent.id)) ?? {};
        set.set(String(sent.id), { ...before, ...keep(sent as JsonObject, before) });
        return { ...before, ...sent };
      });
      return { status: 200, value: { message: 'Done.', data: { environments: shown } } };
    };
  };

/** Stores this value in the place of the one that is sent and answered. */
const storing =
  (field: string, value: Json): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    const { data } = membersOf(given.value);
    if (Object.hasOwn(membersOf(body), field)) model(request, { ...(body as JsonObject), [field]: value });
    return { ...given, value: { ...membersOf(given.value), data } };
  };

/** Shows the flag of one source on the other too. */
const reaching: Wrong = (model: Model) => {
  let last: unknown;
  return (request, body) => {
    if (request.param === 'source_b') last = membersOf(body).isVerified;
    const given = model(request, body);
    if (request.endpoint !== 'list-qualifying-events') return given;
    const data = objectsIn(membersOf(given.value).data).map(one => ({ ...one, isVerified: last ?? one.isVerified }));
    return { ...given, value: { ...membersOf(given.value), data } };
  };
};

const experiments = 'update-experiment';
const sources = 'update-qualifying-event';
const sets = 'update-environments';

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, told: readonly string[]]>([
  ['experiments of a right server',           experiments, right,                                       []],
  ['sources of a right server',               sources,     right,                                       []],
  ['environments of a right server',          sets,        keeping(),                                   []],
  ['a launched group that is not stored',     experiments, storing('launchedGroupID', null),            ['state.enable-groups-frame /data/launchedGroupID']],
  ['groups of new names that bring it down',  experiments, instead({ status: 500 }, ({ body }) => JSON.stringify(body ?? {}).includes('conform test b')), ['robust.never-5xx status']],
  ['a flag that is not stored',               sources,     storing('isReadOnly', false),                ['state.qualifying-event-visible /data/1/isReadOnly']],
  ['a flag that is stored of the next too',   sources,     reaching,                                    ['state.neighbours /data/0/isVerified']],
  ['a name that is answered and not stored',  sets,        keeping(({ name: _, ...sent }) => sent),     ['state.environment-stored /data/environments/1/name']],
])('%s', async (_what, endpoint, wrong, told) => {
  const { found, suspected, because } = await judgedBy(disposable, endpoint, wrong, marked(endpoint));
  expect({ told: [...found, ...suspected], because }).toEqual({ told, because: [] });
});

test('a set that keeps the name it had is told, unless it has one of the new name as well', async () => {
  const kept = (more: (sent: JsonObject) => readonly JsonObject[]) =>
    judgedBy(
      disposable,
      sets,
      answering(sets, (_data, { body }) => {
        const sent = objectsIn(membersOf(body).environments) as readonly JsonObject[];
        return { environments: [...environments, ...sent.flatMap(more)] };
      }),
      marked(sets),
    );
  const same = await kept(() => []);
  expect(same.found).toEqual(['echo.sent-field /data/environments/1/name']);
  const added = await kept(({ id, name }) =>
    id === 'two' && name !== 'scratch' ? [{ id: 'three', name: name ?? null }] : [],
  );
  expect(added).toMatchObject({ found: [], because: ['no answer shows what became of the new name'] });
});

test('an experiment is sent each status, its own last, and what a launch changes besides is not judged', async () => {
  const deciding = answering(experiments, (data, { body }) =>
    membersOf(body).launchedGroupID === undefined ? data : { ...data, status: 'decision_made', allocation: 100 },
  );
  const { found, suspected, sent } = await judgedBy(disposable, experiments, deciding, marked(experiments));
  expect([...found, ...suspected]).toEqual([]);
  const written = sent.filter(({ endpoint }) => endpoint === experiments);
  expect(new Set(written.map(({ param }) => param))).toEqual(new Set(['an_experiment_too']));
  const statuses = written.map(({ body }) => membersOf(body).status);
  expect(new Set(statuses).size).toBe(7);
  expect(statuses.at(-1)).toBe('setup');
});

test('a launched group that is shown once it is set was stored', async () => {
  const unsetLeftOut = ({ launchedGroupID = null, ...data }: JsonObject): JsonObject =>
    launchedGroupID === null ? data : { ...data, launchedGroupID };
  const leavingOut: Wrong = model =>
    answering('enable-groups', unsetLeftOut)(answering(experiments, unsetLeftOut)(model));
  const launchedBy = async (wrong: Wrong) =>
    (await judgedBy(disposable, experiments, wrong, marked(experiments))).results[0]?.covers ?? [];
  expect(await launchedBy(leavingOut)).toContain('state.enable-groups-frame');
  const never = answering('enable-groups', ({ launchedGroupID: _, ...data }) => data);
  expect(await launchedBy(never)).not.toContain('state.enable-groups-frame');
});

test('refusals are open', async () => {
  for (const endpoint of [experiments, sources, sets] as const) {
    const refusing = instead({ status: 403 }, request => request.endpoint === endpoint);
    const { found, suspected, because } = await judgedBy(disposable, endpoint, refusing, marked(endpoint));
    expect([...found, ...suspected]).toEqual([]);
    expect(because.length).toBeGreaterThan(0);
  }
});

test('nothing is sent where the target file marks nothing, and the line is told', () => {
  expect(disposable.plan(contextOf(sources))).toEqual({
    because: 'the target file marks no second one of fixtures.qualifyingEvents as disposable',
    remedy: 'disposable.qualifyingEvents: ["a_second_one"]',
  });
});
