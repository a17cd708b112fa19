import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { sequences } from './sequences.ts';

/** Stores a changed patch; the change may depend on how many writes came before. */
const storing =
  (change: (body: JsonObject, before: number) => JsonObject): Wrong =>
  model => {
    let writes = 0;
    return (request, body = {}) => {
      const isWrite = request.endpoint === 'patch-gate' && request.key?.kind !== 'none' && request.raw === undefined;
      if (!isWrite || JSON.stringify(body) === '{}') return model(request, body);
      writes += 1;
      const given = model(request, change(body as JsonObject, writes - 1));
      const value = membersOf(given.value);
      // The answer shows what was sent.
      return given.status === 200
        ? { ...given, value: { ...value, data: { ...membersOf(value.data), ...(body as JsonObject) } } }
        : given;
    };
  };

/** Carries out what it refuses, but only for the `kept` fields. */
const worksAllTheSame =
  (endpoint: EndpointId, status: number, ...kept: readonly string[]): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    const { key: _, ...open } = request;
    if (request.endpoint !== endpoint || given.status !== status) return given;
    const sent = Object.fromEntries(Object.entries(membersOf(body)).filter(([name]) => kept.includes(name)));
    model(open, sent as JsonObject);
    return given;
  };

/** Carries out dry runs. */
const neverDry =
  (endpoint: EndpointId): Wrong =>
  model =>
  (request, body) => {
    const { dryRun: _, ...wet } = membersOf(body) as JsonObject;
    return model(request, request.endpoint === endpoint ? wet : body);
  };

/** Writes a description to another entity as well. */
const alsoWrites =
  (endpoint: EndpointId, param: string): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    const { description } = membersOf(body);
    if (request.endpoint === endpoint && given.status === 200 && typeof description === 'string')
      model({ ...request, endpoint: 'patch-gate', param }, { description });
    return given;
  };

const disabling =
  (change: JsonObject): Wrong =>
  model =>
  (request, body) => {
    if (request.endpoint === 'disable-gate' && request.key?.kind !== 'none')
      model({ ...request, endpoint: 'patch-gate' }, change);
    return model(request, body);
  };
const notDisabling: Wrong = model => (request, body) => {
  if (request.endpoint !== 'disable-gate' || request.key?.kind === 'none') return model(request, body);
  const value = membersOf(model({ ...request, endpoint: 'patch-gate' }, {}).value);
  return { status: 200, value: { ...value, data: { ...membersOf(value.data), isEnabled: false } } };
};

/** Accepts a broken body without its broken member. */
const forgiving =
  (endpoint: EndpointId): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    if (request.endpoint !== endpoint || given.status !== 400) return given;
    const sent = membersOf(body) as JsonObject;
    const rest = Object.keys(sent).map(name =>
      Object.fromEntries(Object.entries(sent).filter(([key]) => key !== name)),
    );
    return rest.map(one => model(request, one)).find(({ status }) => status === 200) ?? given;
  };

const source = ['sql', 'timestampColumn', 'idTypeMapping'];
const amounts = { amounts: { fuzz: 100, walks: 0, creations: 0 } };

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                          'patch-gate', right,                                                                         []],
  ['a creator by another of its names',       'patch-gate', storing(body => ('creatorEmail' in body ? { creatorID: 'user-2', ...body } : body)), []],
  ['a field that cannot be changed back',     'patch-gate', storing((body, before) => (before > 0 && 'type' in body ? { ...body, type: 'PERMANENT' } : body)), ['state.patch-every-sent']],
  ['every other write lost',                  'patch-gate', storing((body, before) => (before % 2 === 1 ? {} : body)),                     ['state.patch-every-sent']],
  ['a disable that is not stored',            'patch-gate', notDisabling,                                                                  ['state.disable-gate-false']],
  ['a disable that undoes a patch',           'patch-gate', disabling({ description: '' }),                                                ['state.disable-gate-frame']],
  ['a refused patch that is stored in part',  'patch-gate', worksAllTheSame('patch-gate', 400, 'tags', 'isEnabled'),                       ['reject.no-trace']],
  ['a patch without the key that is stored',  'patch-gate', worksAllTheSame('patch-gate', 401, 'type', 'measureMetricLifts'),              ['auth.no-effect']],
  ['a disable without the key that is done',  'patch-gate', worksAllTheSame('disable-gate', 401),                                          ['auth.no-effect']],
  ['a patch that writes to another gate',     'patch-gate', alsoWrites('patch-gate', 'gate_b'),                                            ['state.neighbours']],
  ['sources, rightly updated',                'update-qualifying-event', right,                                                            []],
  ['a dry run that is stored',                'update-qualifying-event', neverDry('update-qualifying-event'),                              ['state.dry-run-qualifying-event']],
  ['a refused update that is stored in part', 'update-qualifying-event', worksAllTheSame('update-qualifying-event', 400, ...source, 'tags'), ['reject.no-trace']],
  ['an update without the key',               'update-qualifying-event', worksAllTheSame('update-qualifying-event', 401, ...source, 'timestampAsDay'), ['auth.no-effect']],
  ['experiments, rightly updated',            'update-experiment', right,                                                                  []],
  ['a refused update of an experiment',       'update-experiment', worksAllTheSame('update-experiment', 401, 'hypothesis', 'groups', 'idType', 'description', 'allocation', 'targetingGateID', 'bonferroniCorrection', 'defaultConfidenceInterval', 'status'), ['auth.no-effect']],
  ['metrics, rightly created',                'create-metric', right,                                                                      []],
  ['a dry run that creates',                  'create-metric', neverDry('create-metric'),                                                  ['state.dry-run-metric']],
  ['metrics, created in spite of a fault',    'create-metric', forgiving('create-metric'),                                                 []],
  ['a broken patch that is taken in part',    'patch-gate', forgiving('patch-gate'),                                                       []],
  ['prompt versions, rightly created',        'create-prompt-version', right,                                                              []],
  ['configs, rightly refused',                'archive-config', right,                                                                     []],
])('%s, at %s', async (_what, endpoint, wrong, cited) => {
  const { told, mayBeBroken } = await judgedBy(sequences, endpoint, wrong, amounts);
  expect(told.length > 0).toBe(cited.length > 0);
  expect(mayBeBroken).toEqual(expect.arrayContaining([...cited]));
});

test('a prompt version that shows what was refused before is found', async () => {
  const leaking: Wrong = model => {
    let refused = {};
    return (request, body) => {
      const given = model(request, body);
      if (request.endpoint !== 'create-prompt-version' || request.raw !== undefined) return given;
      if (given.status !== 200) refused = { description: membersOf(body).description };
      const value = membersOf(given.value);
      return given.status === 200
        ? { ...given, value: { ...value, data: { ...membersOf(value.data), ...refused } } }
        : given;
    };
  };
  const { told } = await judgedBy(sequences, 'create-prompt-version', leaking, amounts);
  expect(told).toEqual(['auth.no-effect', 'reject.no-trace']);
});

test('refused steps prove nothing, and change nothing', async () => {
  const withTags = instead({ status: 400 }, (_request, body) => 'tags' in body);
  expect((await judgedBy(sequences, 'patch-gate', withTags)).told).toEqual([]);
});

test('a case tells its steps', async () => {
  const { results } = await judgedBy(sequences, 'patch-gate');
  expect(results.some(({ title }) => /^(patch|disable|refused|read).*, then (patch|disable|read)/.test(title))).toBe(
    true,
  );
});
