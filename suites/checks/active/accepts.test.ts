import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import type { CheckContext, Violation } from '../../protocol/check.ts';
import { accepts } from './accepts.ts';

const refused = { status: 400 };

/** Refuses only the first request. */
const once = (given: { readonly status: number }): Wrong => {
  let requests = 0;
  return instead(given, () => {
    requests += 1;
    return requests === 1;
  });
};

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server, one entity',         'patch-gate',      right,                                                                    []],
  ['a right server, creations',          'create-metric',   right,                                                                    []],
  ['a right server, a list',             'list-segments',   right,                                                                    []],
  ['a bound that is one too strict',     'patch-gate',      instead(refused, (_request, { name }) => String(name).length === 100),    ['accept.stated-boundary']],
  ['an enum without one of its values',  'patch-gate',      instead(refused, (_request, { type }) => type === 'TEMPORARY'),           ['accept.stated-boundary']],
  ['a documented null refused',          'patch-gate',      instead(refused, (_request, { creatorID }) => creatorID === null),        ['accept.documented-null']],
  ['an optional field refused',          'patch-gate',      instead(refused, (_request, { idType }) => idType === 'userID'),            ['accept.plain-value']],
  ['an emoji refused',                   'patch-gate',      instead(refused, (_request, { description }) => /\p{Emoji_Presentation}/u.test(String(description))), ['accept.combination']],
  ['the minimal request refused',        'list-segments',   instead(refused),                                                         ['accept.smallest']],
  ['a limit demanded',                   'list-segments',   instead({ status: 422 }, ({ query }) => query?.limit === undefined),      ['accept.smallest']],
  ['a page demanded, with 404',          'list-segments',   instead({ status: 404 }, ({ query }) => query?.page === undefined),       ['accept.smallest']],
  ['a page demanded, with 409',          'list-events',     instead({ status: 409 }, ({ query }) => query?.page === undefined),       ['accept.smallest']],
  ['a list that is refused once',        'list-segments',   once({ status: 422 }),                                                    []],
  ['a list that is refused for now',     'list-segments',   instead({ status: 422 }),                                                 []],
  ['no such route',                      'list-segments',   instead({ status: 404 }),                                                 ['service.route']],
  ['no such method',                     'patch-gate',      instead({ status: 405 }),                                                 ['service.route']],
  ['a fault of the server',              'list-segments',   instead({ status: 500 }),                                                 ['accept.smallest']],
  ['no answer in time',                  'list-segments',   instead({ failure: { kind: 'timeout', message: '' } }),                   ['robust.no-hang']],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(accepts, endpoint, wrong)).cited).toEqual(cited);
});

test.each([
  [
    'is not there',
    404,
    'gate_a was not found (status 404): it answers as it answers unknown ids: is it named rightly in the target file, as gate_b, which it does not find either?',
  ],
  ['may not be touched', 403, 'the key was refused (status 403)'],
])('an entity that %s is a gap in the target file, not a finding', async (_what, status, because) => {
  const { cited, because: reasons } = await judgedBy(accepts, 'patch-gate', instead({ status }));
  expect(cited).toEqual([]);
  expect(reasons).toContain(because);
});

/** Answers 404, with a value made of the number of the request and of whether its path is one of the operation. */
const absent = (value: (number: number, isServed: boolean) => JsonObject): Wrong => {
  let requests = 0;
  return () =>
    ({ rawPath }) => {
      requests += 1;
      return { status: 404, value: value(requests, rawPath === undefined) };
    };
};
const uuids = [
  'c1f0e29b-4d3a-4c2e-9d1f-0a1b2c3d4e5f',
  'deadbeef-beef-4aaa-8bbb-cafecafecafe',
  '00000000-1111-4222-8333-444444444444',
];

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, isUnrouted: boolean]>([
  ['says so',                        absent((_number, isServed) => ({ message: isServed ? 'Segments are no part of your plan.' : 'Not found.' })), false],
  ['says so by a code',              absent((_number, isServed) => ({ message: 'Not found.', code: isServed ? 40417 : 40401 })),                   false],
  ['gives each answer an id',        absent(number => ({ message: 'Not found.', id: uuids[number % 3] ?? '' })),                                   true],
  ['gives each answer a short id',   absent(number => ({ message: 'Not found.', id: `k${number}x` })),                                            true],
  ['gives each answer a word',       absent(number => ({ message: 'Not found.', id: `word_${'abcdefgh'[number]}` })),                              true],
  ['has two replicas with names',    absent(number => ({ message: 'Not found.', by: ['north', 'south'][number % 2] ?? '' })),                      true],
  ['states the time to the second',  absent(number => ({ message: 'Not found.', at: number < 2 ? '10:00:01' : '10:00:02' })),                      true],
])('a 404 of a list, where the service %s', async (_what, wrong, isUnrouted) => {
  const { cited, because } = await judgedBy(accepts, 'list-segments', wrong);
  expect(cited).toEqual(isUnrouted ? ['service.route'] : []);
  const hidden = expect.stringMatching(/^it was not found .*, and unknown paths are answered otherwise: may this key use it\?$/);
  if (!isUnrouted) expect(because).toEqual(expect.arrayContaining([hidden]));
});

test('a list that demands a limit is told so, beside the default that is stated', async () => {
  const demands = instead({ status: 400 }, ({ query }) => query?.limit === undefined);
  const { results } = await judgedBy(accepts, 'list-segments', demands);
  const expected = 'a success without a query, as with a limit; the page is 1 and the limit 10 by default';
  expect(results[0]?.violations).toMatchObject([{ expected, seen: { times: 2, of: 2 } }]);
});

const table = { sourceType: 'table', tableName: 'warehouse.daily' };
const ofTable = {
  sql: 'SELECT 1',
  timestampColumn: 'ts',
  idTypeMapping: [{ serviceUnitID: 'userID', column: 'id' }],
  ...table,
};

test.each<readonly [what: string, refuses: (body: JsonObject) => boolean, known: JsonObject, cited: readonly string[]]>(
  [
    [
      'the member, beside a table that the list shows',
      ({ sourceType }) => sourceType === 'table',
      ofTable,
      ['accept.stated-boundary /sourceType'],
    ],
    [
      'the member, beside a table that may not exist',
      ({ sourceType }) => sourceType === 'table',
      {},
      ['accept.combination /sourceType'],
    ],
    [
      'a table that does not exist',
      body => body.sourceType === 'table' && body.tableName !== table.tableName,
      ofTable,
      ['accept.combination /tableName', 'accept.combination /datePartitionColumn'],
    ],
  ],
)('a source of a table: refused is %s', async (_what, refuses, known, cited) => {
  const discovered = { qualifyingEvents: new Map([['source_a', known]]) };
  const wrong = instead(
    { status: 400 },
    ({ endpoint }, body) => endpoint === 'update-qualifying-event' && refuses(body),
  );
  const { results } = await judgedBy(accepts, 'update-qualifying-event', wrong, { discovered });
  const at = ({ requirement, answer }: Violation, title: string) =>
    `${requirement} ${answer.request.about?.pointer ?? `/${title.split(':')[0]}`}`;
  const found = results.flatMap(({ violations, title }) => violations.map(one => at(one, title)));
  expect([...new Set(found)]).toEqual(cited);
});

/** Lists no qualifying event in the first `readings` readings. */
const unlisted =
  (readings: number): Wrong =>
  model => {
    let seen = 0;
    return (request, body) => {
      const given = model(request, body);
      if (request.endpoint !== 'list-qualifying-events') return given;
      seen += 1;
      if (seen > readings) return given;
      const { pagination, ...value } = given.value as JsonObject;
      const total = { ...(pagination as JsonObject), totalItems: 0, nextPage: null };
      return { ...given, value: { ...value, data: [], pagination: total } };
    };
  };
const both =
  (one: Wrong, other: Wrong): Wrong =>
  model =>
    other(one(model));
const isUpdate = ({ endpoint }: ApiRequest) => endpoint === 'update-qualifying-event';

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['none of them is listed',            unlisted(Number.POSITIVE_INFINITY),                                     ['state.qualifying-event-visible']],
  ['they are listed',                   right,                                                                   []],
  ['they are listed late',              unlisted(1),                                                             []],
  ['none of them is there',             both(unlisted(9), instead({ status: 404 }, isUpdate)),                  []],
  ['what is wrong is told before',      both(unlisted(9), instead({ status: 422 }, isUpdate)),                  []],
])('qualifying events that are not written, for no list shows them: %s', async (_what, wrong, cited) => {
  const because = 'the qualifying event source_a does not stand in the list';
  const judged = await judgedBy(accepts, 'update-qualifying-event', wrong, { unwritable: { because } });
  expect(judged.cited).toEqual(cited);
  expect(judged.because).toEqual(cited.length > 0 ? [] : [because]);
  // A made-up query is sent only as a dry run, and only if the target validates it before it looks up the name.
  const bodies = judged.sent.filter(isUpdate).map(({ body }) => body as JsonObject);
  expect(bodies.every(({ dryRun }) => dryRun === true)).toBe(true);
  expect(judged.sent.filter(({ body, param }) => param === 'source_a' && Object.hasOwn((body ?? {}) as JsonObject, 'sql'))).toEqual([]);
});

test('nothing is proved on top of a minimal request that is refused, which is sent once', async () => {
  const isMinimal = (body: object) => Object.keys(body).join() === 'description';
  const { because, cited, results } = await judgedBy(
    accepts,
    'patch-gate',
    instead({ status: 400 }, (_request, body) => isMinimal(body)),
  );
  expect(cited).toEqual(['accept.smallest']);
  expect(because).toEqual([
    'the minimal request of this endpoint was not accepted (status 400), so a single field proves nothing',
  ]);
  expect(results.filter(({ proved }) => proved)).toHaveLength(1);
});

test('where an operation works only once, its minimal request is the only case', async () => {
  expect((await judgedBy(accepts, 'archive-config')).results).toMatchObject([{ title: 'the minimal request' }]);
});

test('a gate is enabled before it is disabled, for its repetition need not work', async () => {
  const { sent } = await judgedBy(accepts, 'disable-gate');
  expect(sent.map(({ endpoint }) => endpoint)).toEqual(['patch-gate', 'disable-gate']);
});

test('a null that would take something away is sent where there is nothing to be taken', async () => {
  const isNone = (id: string | undefined, value: unknown): boolean => id === 'gate_b' && value === null;
  const writable: CheckContext['discovered']['writable'] = {
    entity: () => undefined,
    field: (_endpoint, id, field, value) => (field !== 'teamID' || isNone(id, value) ? undefined : 'no answer tells'),
    triesDry: () => false,
  };
  const more = { discovered: { qualifyingEvents: new Map(), writable } };
  const titles = ['teamID: documented null where there is none'];
  const { sent, cited } = await judgedBy(accepts, 'patch-gate', right, more, titles);
  expect(cited).toEqual([]);
  const nulls = sent.filter(({ body }) => JSON.stringify(body) === '{"teamID":null}');
  expect(nulls.map(({ param }) => param)).toEqual(['gate_b']);
  const refusing = instead(refused, (_request, body) => body.teamID === null);
  expect((await judgedBy(accepts, 'patch-gate', refusing, more, titles)).cited).toEqual(['accept.documented-null']);
});
