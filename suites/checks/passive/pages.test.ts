import { expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { Members } from '../../../contracts/json.ts';
import { type Given, givenAnswer, observed } from '../../proof/testing/answers.ts';
import { recordedRun } from '../../proof/testing/reference-run.ts';
import { clipped, mostOfOneList } from '../../sut/clipped.ts';
import { pages } from './pages.ts';

const links = { nextPage: '/x?page=2&limit=10', previousPage: null, all: '' };
const first = { itemsPerPage: 10, pageNumber: 1, totalItems: 14, ...links };
/** A page with so many items, asked for with a query. */
const page = (query: Record<string, string | number>, count: number, more: Members = {}): Given => ({
  endpoint: 'list-segments',
  request: { query },
  value: { message: '', data: Array.from({ length: count }, () => ({})), pagination: { ...first, ...more } },
});
/** The same page, the second item of which is the first once more. */
const withTwice = (given: Given): Given => {
  const { data, ...value } = given.value as { readonly data: readonly Members[] };
  return {
    ...given,
    value: {
      ...value,
      data: data.map((_item, index) => ({ id: `s${Math.max(1, index)}`, name: `s${Math.max(1, index)}` })),
    },
  };
};
/** The same page, of items whose identity is null. */
const withNulls = (given: Given): Given => {
  const { data, ...value } = given.value as { readonly data: readonly Members[] };
  return { ...given, value: { ...value, data: data.map(() => ({ id: null, name: null })) } };
};
const at = (endpoint: EndpointId, given: Given): Given => ({ ...given, endpoint });
const ofTwo = { itemsPerPage: 2, nextPage: '/x?page=2&limit=2' };
const asSecond = { pageNumber: 2, nextPage: null, previousPage: '/x?page=1&limit=10' };

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['the first page',                          page({}, 10),                                             []],
  ['the size of another request',             page({}, 2, ofTwo),                                       ['pagination.default-limit /pagination/itemsPerPage']],
  ['that size at a list without a default',   at('list-event-metrics', page({}, 2, ofTwo)),                   []],
  ['that size where it is asked for',         page({ limit: '2' }, 2, ofTwo),                           []],
  ['a larger size than that asked for',       page({ limit: 5 }, 10),                                   ['pagination.limit-obeyed /pagination/itemsPerPage']],
  ['a smaller size, which caps it',           page({ limit: 50 }, 10),                                  []],
  ['the page of another request',             page({}, 4, asSecond),                                    ['pagination.page-size /data', 'pagination.default-page /pagination/pageNumber', 'pagination.next-null /pagination/nextPage', 'pagination.previous-null /pagination/previousPage']],
  ['that page where it is asked for',         page({ page: 2 }, 4, asSecond),                           []],
  ['a page past the last',                    page({ page: 9 }, 0, { pageNumber: 9, nextPage: null }),  []],
  ['links of another size',                   page({}, 10, { nextPage: '/x?page=2&limit=5' }),          ['pagination.link-limit /pagination/nextPage']],
  ['an item that comes twice',                withTwice(page({}, 10)),                                  ['pagination.no-repeat /data']],
  ['a metric source that comes twice',        at('list-qualifying-events', withTwice(page({}, 10))),    ['pagination.no-repeat /data']],
  ['items with null for an identity',         at('list-qualifying-events', withNulls(page({}, 10))),    []],
  ['items of a list without identities',      at('list-events', withTwice(page({}, 10))),               ['pagination.event-link-path /pagination/nextPage']],
  ['too few items',                           at('list-event-metrics', page({}, 9)),                    ['pagination.page-size /data']],
  ['an odd limit',                            page({ limit: 0 }, 10),                                   'not judged'],
  ['an odd page',                             page({ page: '1e0' }, 10),                                'not judged'],
  ['a question of what is open',              { ...page({}, 2, ofTwo), request: { asks: { requirement: 'open.limit-cap', subject: '' } } }, 'not judged'],
  ['an answer to another method',             { ...page({}, 2, ofTwo), request: { method: 'POST' } },   'not judged'],
  ['a refusal',                               { ...page({}, 2, ofTwo), status: 404 },                   'not judged'],
])('%s', (_what, given, found) => {
  expect(observed(pages, given)).toEqual(found);
});

test.each([
  ['judged where all of its items are', mostOfOneList, ['pagination.page-size']],
  ['not judged where some of its items are not', mostOfOneList + 1, null],
])('a page with too many items is %s', (_what, count, found) => {
  const given = page({ limit: 300 }, count, { itemsPerPage: 150, totalItems: 900, nextPage: '/x?page=2&limit=150' });
  const { proved, violations } = pages.observe(clipped(givenAnswer(given)), endpoints['list-segments']);
  expect(proved ? violations.map(({ requirement }) => requirement) : null).toEqual(found);
});

test('it is complete where the check of pages alone has read any, which judges them by itself', async () => {
  const { checks } = await recordedRun({ only: ['list-segments/pagination', 'list-segments/pages'] });
  expect([...checks.values()].map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    'pagination pass',
    'pages pass',
  ]);
});
