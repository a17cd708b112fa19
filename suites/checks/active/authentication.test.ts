import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, type Model, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { authentication } from './authentication.ts';

const key = 'Model-Key';

/** Accepts a request without the right key under some condition. */
const opens =
  (when: (request: ApiRequest, presented: string) => boolean): Wrong =>
  model =>
  (request, body) => {
    const presented = request.key?.kind === 'value' ? request.key.value : '';
    return model(when(request, presented) ? { ...request, key: { kind: 'valid' } } : request, body);
  };
const hasNone = ({ key: use }: ApiRequest): boolean => use?.kind === 'none';

/** Does not check the key at other spellings of the path. */
const unguarded =
  (path: RegExp): Wrong =>
  model =>
  (request, body) => {
    const { rawPath, ...rest } = request;
    return rawPath !== undefined && path.test(rawPath)
      ? model({ ...rest, key: { kind: 'valid' } }, body)
      : model(request, body);
  };

/** Stores one field of a request without the right key before refusing it. */
const lateIn =
  (field: string): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    const { [field]: value } = membersOf(body) as JsonObject;
    if (given.status === 401 && value !== undefined) model({ ...request, key: { kind: 'valid' } }, { [field]: value });
    return given;
  };

/** Stores a request without the right key before refusing it. */
const late: Wrong = model => (request, body) => {
  const given = model(request, body);
  if (given.status === 401) (model as Model)({ ...request, key: { kind: 'valid' } }, body);
  return given;
};

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                      'patch-gate',    right,                                                              []],
  ['a right server, a list',              'list-segments', right,                                                              []],
  ['no guard at all',                     'list-segments', opens(() => true),                                                  ['auth.empty-key', 'auth.missing-key', 'auth.near-miss-key', 'auth.wrong-key']],
  ['no key is a key',                     'list-segments', opens(request => hasNone(request) && request.query === undefined && request.headers === undefined), ['auth.missing-key']],
  ['a guard of the first entity alone',   'patch-gate',    opens(request => hasNone(request) && request.param !== 'gate_a'),   ['auth.missing-key']],
  ['a key with one character changed',    'list-segments', opens((_request, presented) => presented.length === key.length && [...presented].filter((sign, at) => sign !== key[at]).length === 1), ['auth.near-miss-key']],
  ['a key whose end does not matter',     'list-segments', opens((_request, presented) => presented.startsWith(key.slice(0, -4))), ['auth.near-miss-key']],
  ['a key whose first part has no case',  'list-segments', opens((_request, presented) => /^model-Key$/i.test(presented) && presented.endsWith('Key')), ['auth.near-miss-key']],
  ['a key whose last part has no case',   'list-segments', opens((_request, presented) => /^Model-Key$/i.test(presented) && presented.startsWith('Model')), ['auth.near-miss-key']],
  ['a key without its last part',         'list-segments', opens((_request, presented) => presented === 'Model'),              ['auth.near-miss-key']],
  ['an empty key is one',                 'list-segments', opens((request, presented) => request.key?.kind === 'value' && presented === ''), ['auth.empty-key']],
  ['any text is a key',                   'list-segments', opens((_request, presented) => presented === 'conform-wrong-key'),  ['auth.wrong-key']],
  ['a comparison by prefix',              'list-segments', opens((_request, presented) => presented.startsWith(key)),          ['auth.near-miss-key']],
  ['a comparison up to the shorter one',  'list-segments', opens((_request, presented) => presented !== '' && key.startsWith(presented)), ['auth.near-miss-key']],
  ['a comparison without letter case',    'list-segments', opens((_request, presented) => presented.toLowerCase() === key.toLowerCase()), ['auth.near-miss-key']],
  ['a key taken from the query',          'list-segments', opens(({ query }) => query !== undefined && Object.values(query).includes(key)), ['auth.key-in-query']],
  ['a key taken from the body',           'patch-gate',    opens(({ body }) => Object.values(body ?? {}).includes(key)),       ['auth.key-in-body']],
  ['a bearer token taken for a key',      'list-segments', opens(({ headers }) => headers?.Authorization?.startsWith('Bearer ') === true), ['auth.bearer']],
  ['basic credentials taken for a key',   'list-segments', opens(({ headers }) => headers?.Authorization?.startsWith('Basic ') === true), ['auth.other-carrier']],
  ['a bare authorization',                'list-segments', opens(({ headers }) => headers?.Authorization === key),             ['auth.other-carrier']],
  ['another header',                      'list-segments', opens(({ headers }) => headers?.['X-API-Key'] === key),             ['auth.other-carrier']],
  ['a cookie',                            'list-segments', opens(({ headers }) => headers?.Cookie !== undefined),              ['auth.other-carrier']],
  ['another parameter of the query',      'list-segments', opens(({ query }) => query?.api_key === key),                       ['auth.key-in-query']],
  ['the query, beside another key',       'list-segments', opens(({ query, key: use }) => use?.kind === 'value' && query !== undefined && Object.values(query).includes(key)), ['auth.key-in-query']],
  ['another spelling of the path',        'list-segments', unguarded(/segments\/$/),                                           ['auth.other-path']],
  ['the path in another letter case',     'patch-gate',    unguarded(/GATES/),                                                 ['auth.other-path']],
  ['a page for any path',                 'list-segments', instead({ status: 200 }, ({ rawPath }) => rawPath !== undefined),   []],
  ['a header name with letter case',      'list-segments', instead({ status: 401 }, request => request.key?.kind === 'spelled'), ['auth.header-case']],
  ['a fault of the server without a key', 'list-segments', instead({ status: 500 }, hasNone),                                  ['robust.never-5xx']],
  ['a refusal after the effect',          'patch-gate',    late,                                                               ['auth.no-effect']],
  ['a refusal after a disabling',         'disable-gate',  late,                                                               ['auth.no-effect']],
  ['a refusal after an update',           'update-qualifying-event', late,                                                     ['auth.no-effect']],
  ['a refusal after the flag alone',      'patch-gate',    lateIn('isEnabled'),                                                ['auth.no-effect']],
  ['a refusal after a creation',          'create-metric', late,                                                               ['auth.no-effect']],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(authentication, endpoint, wrong)).told).toEqual(cited);
});

test('where the same request with the key is refused, a refusal proves nothing, but a success is a finding', async () => {
  const refused = await judgedBy(authentication, 'list-segments', instead({ status: 400 }));
  expect(refused.cited).toEqual([]);
  expect(refused.because).toEqual([
    'the same request with the right key was not accepted (status 400), so a refusal proves nothing',
  ]);
  const opened = await judgedBy(
    authentication,
    'list-segments',
    instead({ status: 400 }, ({ key: use }) => use?.kind !== 'none'),
  );
  expect(opened.cited).toEqual([]);
  const inverse = await judgedBy(
    authentication,
    'list-segments',
    model => (request, body) =>
      hasNone(request) ? { status: 200 } : { status: 400, value: model(request, body).value },
  );
  expect(inverse.cited).toEqual(['auth.missing-key']);
});

test('where an operation works only once, nothing that must be accepted is sent', async () => {
  const { sent, results } = await judgedBy(authentication, 'archive-config');
  const archives = sent.filter(({ endpoint }) => endpoint === 'archive-config');
  expect(archives.filter(({ key: use }) => use === undefined || use.kind === 'spelled')).toEqual([]);
  expect(results.every(({ onlyIfAccepted }) => onlyIfAccepted)).toBe(true);
});

test('what a config lost to a request without the key is suspected', async () => {
  const disabling: Wrong = model => {
    const lost = new Set<string>();
    return (request, body) => {
      const given = model(request, body);
      const isRefused = request.endpoint === 'disable-config' && given.status === 401;
      if (isRefused) lost.add(request.param ?? '');
      if (request.endpoint !== 'list-config-versions' || !lost.has(request.param ?? '')) return given;
      const value = membersOf(given.value);
      return {
        ...given,
        value: { ...value, data: (value.data as object[]).map(one => ({ ...one, description: 'Lost.' })) },
      };
    };
  };
  expect((await judgedBy(authentication, 'disable-config', disabling)).told).toEqual(['auth.no-effect']);
  expect((await judgedBy(authentication, 'disable-config')).told).toEqual([]);
});

/** Shows the newest version of a config higher by a number that grows with some requests. */
const adding =
  (when: (request: ApiRequest, status: number) => boolean): Wrong =>
  model => {
    const added = new Map<string, number>();
    return (request, body) => {
      const given = model(request, body);
      const { endpoint, param = '' } = request;
      if (when(request, given.status ?? 0)) added.set(param, (added.get(param) ?? 0) + 1);
      if (endpoint !== 'list-config-versions') return given;
      const value = membersOf(given.value);
      const [newest, ...others] = value.data as JsonObject[];
      const version = Number(newest?.version ?? 1) + (added.get(param) ?? 0);
      return { ...given, value: { ...value, data: [{ ...newest, version }, ...others] } };
    };
  };

test('versions that requests without the key add are told, and no other config is sent one to see', async () => {
  const isEnding = ({ endpoint }: ApiRequest): boolean => endpoint === 'disable-config';
  const late = adding((request, status) => isEnding(request) && status === 401);
  const { told, sent } = await judgedBy(authentication, 'disable-config', late);
  expect(told).toEqual(['auth.no-effect']);
  const keyless = sent.filter(request => isEnding(request) && hasNone(request));
  expect(new Set(keyless.map(({ param }) => param)).size).toBe(1);
  const byOthers = adding(({ endpoint }) => endpoint === 'list-config-versions');
  expect((await judgedBy(authentication, 'disable-config', byOthers)).told).toEqual([]);
  // Somebody saves the config once, while they are sent.
  let refused = 0;
  const once = adding((request, status) => {
    if (isEnding(request) && status === 401) refused += 1;
    return isEnding(request) && status === 401 && refused === 5;
  });
  const saved = await judgedBy(authentication, 'disable-config', once);
  expect([saved.told, saved.found]).toEqual([[], []]);
});

test('what is refused and carried out is told beside what is accepted', async () => {
  const opensAndIsLate: Wrong = model => opens((_request, presented) => presented === 'conform-wrong-key')(late(model));
  expect((await judgedBy(authentication, 'patch-gate', opensAndIsLate)).told).toEqual([
    'auth.no-effect',
    'auth.wrong-key',
  ]);
});

/** Takes `most` requests with the right key, and refuses all later ones. */
const full =
  (most: number): Wrong =>
  model => {
    let taken = 0;
    return (request, body) => {
      const given = model(request, body);
      if (given.status === 401) return { status: 403, value: { message: taken > most ? 'Quota' : 'Key' } };
      if (request.endpoint === 'create-metric') taken += 1;
      return taken > most ? { status: 403, value: { message: 'Quota' } } : given;
    };
  };

test('a refusal of a key proves nothing while the right key is refused as well, in the words of the target', async () => {
  const { cited, because, results } = await judgedBy(authentication, 'create-metric', full(1));
  expect(cited).toEqual([]);
  expect(because).toEqual([
    'its control, accepted before, is refused now (status 403: "Quota"), so a refusal proves nothing',
  ]);
  // The target took the right key under another spelling of its header.
  expect(results.filter(({ proved }) => proved).map(({ title }) => title)).toEqual([
    'with the header name in lower case',
  ]);
});

test('a refusal of a key with 403 proves something while the right key is accepted', async () => {
  const { because, results } = await judgedBy(authentication, 'create-metric', full(99));
  expect(because).toEqual([]);
  expect(results.every(({ proved }) => proved)).toBe(true);
});

test('what cannot be undone is sent to no other fixture without the key', async () => {
  const others = (sent: readonly ApiRequest[], own: string) =>
    sent.filter(one => hasNone(one) && one.param !== own && one.headers === undefined).map(({ param }) => param);
  const title = ['without the header, at each other fixture'];
  const gates = await judgedBy(authentication, 'patch-gate', right, {}, title);
  expect(others(gates.sent, 'gate_a')).toEqual(['gate_b', 'gate_c']);
  expect((await judgedBy(authentication, 'update-experiment', right, {}, title)).sent).toEqual([]);
  expect((await judgedBy(authentication, 'create-prompt-version', right, {}, title)).sent).toEqual([]);
});
