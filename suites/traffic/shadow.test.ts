import { expect, test } from 'vitest';
import { type GivenExchange, givenExchange, judgedInTurn, judgedTraffic } from '../proof/testing/exchanges.ts';
import type { TrafficJudgeOptions } from './options.ts';

const judged = (given: readonly GivenExchange[], options: Partial<TrafficJudgeOptions> = { soleWriter: true }) =>
  judgedInTurn(given, options);
const foundIn = (given: readonly GivenExchange[], options?: Partial<TrafficJudgeOptions>) =>
  judged(given, options).found.filter(one => one.startsWith('server state.') || one.startsWith('server reject.'));

const answered = (data: object) => ({
  message: 'Gate updated successfully.',
  data: { id: 'gate_a', isEnabled: true, description: 'first', tags: ['x'], ...data },
});
const patch = (body: object, data: object = {}, more: GivenExchange = {}): GivenExchange => ({
  method: 'PATCH',
  target: '/console/v1/gates/gate_a',
  body,
  answer: answered(data),
  ...more,
});
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

test('where others may write nothing is said of state, and that is counted with the reason', () => {
  const { found, report } = judged(lost, {});
  expect(found).toEqual([]);
  expect(report.traffic?.stateNotJudged).toEqual([
    { because: 'others may write too: --sole-writer says that nobody does', count: 3 },
  ]);
});

test('what is read sooner than a write may take to show is not judged, and counted', () => {
  const soon = lost.map((one, index) => ({ ...one, sentAtMs: index * 1_000 }));
  const { report } = judged(soon);
  expect(foundIn(soon)).toEqual([]);
  expect(report.traffic?.stateNotJudged.map(({ count }) => count)).toEqual([2]);
  expect(foundIn(soon, { soleWriter: true, settleMs: 500 })).toEqual([
    'server state.patch-every-sent /data/description',
  ]);
});

test('what is written at the same time is not held against one another', () => {
  const at = (one: GivenExchange, sentAtMs: number, answeredAtMs: number) => ({ ...one, sentAtMs, answeredAtMs });
  const exchanges = [at(patch({}), 0, 5), at(patch(changed, changed), 10_000, 40_000), at(patch({}), 20_000, 30_000)];
  expect(foundIn(exchanges)).toEqual([]);
  // In whatever order they are handed over: the first to end is not judged before the other is known.
  const [first, slow, fast] = exchanges.map((one, index) => givenExchange(one, index + 1));
  const ended = [first, fast, slow].filter(one => one !== undefined);
  expect(judgedTraffic(ended, { soleWriter: true }).found).toEqual([]);
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

/** A page of logged events, which have no identity. */
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
