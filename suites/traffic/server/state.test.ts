import { expect, test } from 'vitest';
import {
  type GivenExchange,
  givenExchange,
  judgedInTurn,
  judgedTraffic,
  gatePatch as patch,
} from '../../proof/testing/exchanges.ts';
import type { TrafficJudgeOptions } from '../judge/options.ts';

const judged = (given: readonly GivenExchange[], options: Partial<TrafficJudgeOptions> = { soleWriter: true }) =>
  judgedInTurn(given, options);
const foundIn = (given: readonly GivenExchange[], options?: Partial<TrafficJudgeOptions>) =>
  judged(given, options).found.filter(one => one.startsWith('server state.') || one.startsWith('server reject.'));

const refused = { status: 400, answer: { message: 'No.' } };
const changed = { description: 'second' };

// biome-ignore format: a table
test.each<readonly [what: string, exchanges: readonly GivenExchange[], found: readonly string[]]>([
  ['what stays',                              [patch({}), patch(changed, changed), patch({}, changed)],                                     []],
  ['what is written and lost',                [patch({}), patch(changed, changed), patch({})],                                              ['server state.patch-every-sent /data/description']],
  ['what changes beside what was sent',       [patch({}), patch(changed, { ...changed, tags: [] })],                                        ['server state.patch-only-sent /data/tags']],
  ['what a refused write left',               [patch({}), patch({ ...changed, name: 'ab' }, {}, refused), patch({}, changed)],              ['server reject.no-trace /data/description']],
  ['what a refused write left that is no JSON', [patch({}), patch({}, {}, { ...refused, raw: '{"description":"sec' }), patch({}, changed)],       ['server reject.no-trace /data/description']],
  ['what stays after one that is no JSON',    [patch({}), patch({}, {}, { ...refused, raw: '{"description":"sec' }), patch({})],              []],
  ['what a write after one that is no JSON sets', [patch({}), patch({}, {}, { ...refused, raw: '{"tags' }), patch(changed, changed), patch({}, changed)], []],
  ['what an answer leaves out',               [patch({}), patch({}, { tags: undefined }), patch({})],                                       []],
  ['what follows a write of unknown end',     [patch({}), patch(changed, {}, { failure: 'closed' }), patch({}, changed)],                   []],
  ['what follows an answer of 500',           [patch({}), patch(changed, {}, { status: 500, answer: {} }), patch({}, changed)],             []],
  ['a stamp of the modification',             [patch({}, { lastModifiedTime: 1, version: 1 }), patch({}, { lastModifiedTime: 2, version: 2 })], []],
])('%s', (_what, exchanges, found) => {
  expect(foundIn(exchanges)).toEqual(found);
});

const lost = [patch({}), patch(changed, changed), patch({})];

test('where others may write, what an earlier answer had shown before a write is no more than a warning', () => {
  const { found, report } = judged(lost, {});
  expect(found).toEqual(['server state.patch-every-sent /data/description']);
  expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0, traffic: { stateNotJudged: [] } });
});

test('where others may write, a value that no client sent may be theirs, and is counted with that reason', () => {
  const edited = [patch({}), patch(changed, changed), patch({}, { description: 'by somebody else' })];
  const { found, report } = judged(edited, {});
  expect(found).toEqual([]);
  expect(report.traffic?.stateNotJudged).toEqual([
    { because: 'others may write too: --sole-writer says that nobody does', count: 1 },
  ]);
  expect(foundIn(edited)).toEqual(['server state.patch-every-sent /data/description']);
});

test('what is read sooner than a write may take to show is not judged, and counted', () => {
  const soon = lost.map((one, index) => ({ ...one, sentAtMs: index * 1_000 }));
  const { report } = judged(soon);
  expect(foundIn(soon)).toEqual([]);
  expect(report.traffic?.stateNotJudged.map(({ count }) => count)).toEqual([1]);
  expect(foundIn(soon, { soleWriter: true, settleMs: 500 })).toEqual([
    'server state.patch-every-sent /data/description',
  ]);
});

test('what is written at the same time is not held against one another', () => {
  const at = (one: GivenExchange, sentAtMs: number, answeredAtMs: number) => ({ ...one, sentAtMs, answeredAtMs });
  const exchanges = [at(patch({}), 0, 5), at(patch(changed, changed), 10_000, 40_000), at(patch({}), 20_000, 30_000)];
  expect(foundIn(exchanges)).toEqual([]);
  // Both orders of arrival: the first to end waits until the other is known.
  const [first, slow, fast] = exchanges.map((one, index) => givenExchange(one, index + 1));
  const ended = [first, fast, slow].filter(one => one !== undefined);
  expect(judgedTraffic(ended, { soleWriter: true }).found).toEqual([]);
});

test('what is shown soon after all was forgotten may be older than a write that went with it', () => {
  const at = (one: GivenExchange, sentAtMs: number) => ({ ...one, sentAtMs });
  const undocumented = { method: 'POST', target: '/console/v1/unknown', body: {}, answer: {} };
  const replicas = (shown: readonly object[], sinceMs: number) =>
    shown.map((one, index) => at(patch({}, one), sinceMs + 100 * index));
  const read = replicas([{}, changed, {}, changed], 200);
  const later = replicas([changed, changed], 20_000);
  const written = at(patch(changed, changed), 0);
  expect(foundIn([written, at(undocumented, 100), ...read, ...later])).toEqual([]);
  // The undocumented request may still be missing on one of the replicas.
  expect(foundIn([at(patch(changed, changed), -9_000), at(undocumented, 100), ...read, ...later])).toEqual([]);
  // Long after both, neither can still be under way.
  const before = [at(patch(changed, changed), -9_000), at(undocumented, -8_000)];
  expect(foundIn([...before, ...read, ...later])).toEqual(['server state.patch-every-sent /data/description']);
});

test('what was shown too soon is told once an answer shows the same after that time', () => {
  const [first, write, read] = lost.map((one, index) => ({ ...one, sentAtMs: index * 1_000 })) as [
    GivenExchange,
    GivenExchange,
    GivenExchange,
  ];
  const exchanges = [{ ...first, sentAtMs: -9_000 }, write, read, { ...read, sentAtMs: 20_000 }];
  const { found, report } = judged(exchanges);
  expect(found).toEqual(['server state.patch-every-sent /data/description']);
  expect(report.traffic?.stateNotJudged).toEqual([]);
});

const other = { target: '/console/v1/gates/gate_b' };
const both = (one: GivenExchange, sentAtMs: number): GivenExchange => ({
  ...one,
  sentAtMs,
  answeredAtMs: sentAtMs + 50,
});
const torn = { tags: ['one', 'two', 'three', 'four'] };

// biome-ignore format: a table
test.each<readonly [what: string, exchanges: readonly GivenExchange[], found: readonly string[]]>([
  ['a text that one gate is given and another has had for long',  [patch(changed, changed, other), patch({}, changed)],                                       []],
  ['what is stored of a write at once with another',              [patch({}), both(patch({ tags: ['one', 'two'] }, { tags: ['one', 'two'] }), 20_000), both(patch({ tags: ['three', 'four'] }, { tags: ['three', 'four'] }), 20_010), patch({}, { tags: ['one', 'two'] })], []],
  ['what two writes at once tore',                                [patch({}), both(patch({ tags: ['one', 'two'] }, { tags: ['one', 'two'] }), 20_000), both(patch({ tags: ['three', 'four'] }, { tags: ['three', 'four'] }), 20_010), patch({}, torn)], ['server state.concurrent-values /data/tags']],
  ['a team that changes as its id is sent',                       [patch({}, { team: 'a', teamID: '1' }), patch({ teamID: '2' }, { team: 'b', teamID: '2' }), patch({}, { team: 'b', teamID: '2' })], []],
  ['a team that is another one after its id was sent',            [patch({}, { team: 'a', teamID: '1' }), patch({ teamID: '2' }, { team: 'b', teamID: '2' }), patch({}, { team: 'c', teamID: '2' })], ['server state.patch-only-sent /data/team']],
  ['what is taken without the key',                               [patch({}), patch(changed, changed, { headers: { 'SERVICE-API-KEY': null } }), patch({}, changed)], []],
  ['what comes back otherwise, and stays so',                     [patch({}), patch({ description: 'second ' }, { description: 'SECOND' }), patch({}, { description: 'SECOND' })], []],
  ['what an answer shows as no answer may',                       [patch({}), patch({}, { tags: 'x' })],                                                       []],
])('state holds %s', (_what, exchanges, found) => {
  expect(foundIn(exchanges)).toEqual(found);
});

test('of answers whose times are all alike nothing is told, whatever order they come in', () => {
  const coarse = lost.map(one => ({ ...one, sentAtMs: 0, answeredAtMs: 0 }));
  expect(foundIn(coarse)).toEqual([]);
  expect(foundIn(coarse.toReversed())).toEqual([]);
});

test.each([
  [10_050, []],
  [10_051, ['server state.patch-every-sent /data/description']],
])(
  'a write that is answered at 10,050 ms and a reading that is asked for at %i ms overlap, or not',
  (sentAtMs, found) => {
    const write = { ...patch(changed, changed), sentAtMs: 10_000, answeredAtMs: 10_050 };
    const exchanges = [{ ...patch({}), sentAtMs: 0 }, write, { ...patch({}), sentAtMs }];
    expect(foundIn(exchanges, { soleWriter: true, settleMs: 0 })).toEqual(found);
  },
);

test('what was written just before anything was seen may show yet', () => {
  const [one, two] = [patch({}, changed), patch({})].map((exchange, index) => ({
    ...exchange,
    sentAtMs: index * 1_500,
  }));
  expect(foundIn([one, two] as GivenExchange[])).toEqual([]);
  expect(foundIn([one, { ...two, sentAtMs: 9_000 }] as GivenExchange[])).not.toEqual([]);
});

const stays = [patch({}), patch({}, changed)];
const [before, after] = stays as [GivenExchange, GivenExchange];
const reset = { method: 'POST', target: '/test/reset', status: 204 };
const others = { headers: { 'SERVICE-API-KEY': 'another-key-of-tests' } };

// biome-ignore format: a table
test.each<readonly [what: string, exchanges: readonly GivenExchange[], isFound: boolean]>([
  ['nothing',                                             stays,                                                               true],
  ['a reading of something outside the API',              [before, { target: '/health' }, after],                              true],
  ['a write outside the API, which may reset the server', [before, reset, after],                                              false],
  ['one that is refused',                                 [before, { ...reset, status: 404 }, after],                          true],
  ['one that overlaps',                                   [before, { ...reset, sentAtMs: 15_000, answeredAtMs: 45_000 }, after], false],
  ['a method that no section gives',                      [before, { method: 'DELETE', target: '/console/v1/gates/gate_a' }, after], false],
  ['a write with another key',                            [before, { ...patch({}, changed), ...others }, after],               false],
  ['a request with another key that is refused',          [before, { ...patch(changed), ...others, ...refused }, after],       true],
])('what changes is accused where between two answers there is %s: as the table says', (_what, exchanges, isFound) => {
  expect(foundIn(exchanges).length > 0).toBe(isFound);
});

/** Returns a page of logged events, which have no identity. */
const events = (number: number, texts: readonly string[], total: number): GivenExchange => ({
  target: `/console/v1/events/page_view?limit=2&page=${number}`,
  answer: {
    message: 'Event values listed successfully.',
    data: texts.map(value => ({ timestamp: '1', name: 'page_view', source: 'web', value, userID: 'u', metadata: {} })),
    pagination: {
      itemsPerPage: 2,
      pageNumber: number,
      totalItems: total,
      nextPage: number * 2 < total ? `/console/v1/events/page_view?limit=2&page=${number + 1}` : null,
      previousPage: number > 1 ? `/console/v1/events/page_view?limit=2&page=${number - 1}` : null,
      all: '',
    },
  },
});

// biome-ignore format: a table
test.each<readonly [what: string, pages: readonly (readonly string[])[], found: readonly string[]]>([
  ['each once',                               [['a', 'b'], ['c', 'd'], ['e', 'f']], []],
  ['one that begins as the one before ended', [['a', 'b'], ['b', 'c'], ['d', 'e']], []],
  ['the last of the page before, each time',  [['a', 'b'], ['b', 'c'], ['c', 'd']], ['server pagination.complete /data']],
  ['nothing but what is alike',               [['a', 'a'], ['a', 'a'], ['a', 'a']], []],
])('pages of logged events hold %s', (_what, pages, found) => {
  expect(judged(pages.map((texts, index) => events(index + 1, texts, 6))).found).toEqual(found);
});

const segment = (id: number) => ({ id: `segment_${id}` });
const page = (number: number, ids: readonly number[], total = 4): GivenExchange => ({
  target: `/console/v1/segments?limit=2&page=${number}`,
  answer: {
    message: 'Segments listed successfully.',
    data: ids.map(segment),
    pagination: {
      itemsPerPage: 2,
      pageNumber: number,
      totalItems: total,
      nextPage: number * 2 < total ? `/s?limit=2&page=${number + 1}` : null,
      previousPage: number > 1 ? `/s?limit=2&page=${number - 1}` : null,
      all: '',
    },
  },
});

// biome-ignore format: a table
test.each<readonly [what: string, exchanges: readonly GivenExchange[], found: readonly string[]]>([
  ['each item once',                       [page(1, [1, 2]), page(2, [3, 4])],                                   []],
  ['each item once, the last page first',  [page(2, [3, 4]), page(1, [1, 2])],                                   []],
  ['an item twice',                        [page(1, [1, 2]), page(2, [2, 3])],                                   ['server pagination.complete /data']],
  ['an item twice, the last page first',   [page(2, [2, 3]), page(1, [1, 2])],                                   ['server pagination.complete /data']],
  ['another item while the list grows',    [page(1, [1, 2]), page(2, [2, 3], 5)],                                []],
])('pages of one walk hold %s', (_what, exchanges, found) => {
  expect(judged(exchanges).found).toEqual(found);
});

test('lists that are asked for with other parameters are not one list', () => {
  const sorted = (one: GivenExchange): GivenExchange => ({ ...one, target: `${one.target}&sort=desc` });
  expect(judged([page(1, [1, 2]), sorted(page(2, [2, 1])), page(1, [1, 2]), sorted(page(2, [2, 1]))]).found).toEqual(
    [],
  );
});
