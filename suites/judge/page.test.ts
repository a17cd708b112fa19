import { describe, expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import { lastPage, linkQuery, type Page, pageViolations, readPage } from './page.ts';

/** Returns a correct page of a list of `total` items, with changes. */
function page(
  total: number,
  limit: number,
  number: number,
  changes: Record<string, unknown> = {},
  endpoint: EndpointId = 'list-segments',
): Page {
  const { items = Math.max(0, Math.min(limit, total - (number - 1) * limit)), ...pagination } = changes;
  const last = Math.max(1, Math.ceil(total / limit));
  const path = endpoint === 'list-events' ? '/console/v1/events/page%20view' : '/anywhere';
  const link = (to: number) => `${path}?page=${to}&limit=${limit}`;
  const answer = givenAnswer({
    endpoint,
    ...(endpoint === 'list-events' ? { request: { param: 'page view' } } : {}),
    value: {
      message: '',
      data: Array.from({ length: items as number }, (_, index) => ({ id: String(index) })),
      pagination: {
        itemsPerPage: limit,
        pageNumber: number,
        totalItems: total,
        nextPage: number < last ? link(number + 1) : null,
        previousPage: number > 1 ? link(number - 1) : null,
        all: endpoint === 'list-events' ? path : '',
        ...pagination,
      },
    },
  });
  return readPage(answer) as Page;
}

const cited = (subject: Page, asked: { page: number; limit?: number }, endpoint: EndpointId = 'list-segments') =>
  pageViolations(subject, asked, endpoints[endpoint]).map(violation => violation.requirement);

describe('right pages', () => {
  test.each([
    [24, 10, 1],
    [24, 10, 2],
    [24, 10, 3],
    [20, 10, 2],
    [10, 10, 1],
    [1, 10, 1],
    [0, 10, 1],
    [3, 1, 3],
  ])('of %i items, %i a page, page %i', (total, limit, number) => {
    expect(cited(page(total, limit, number), { page: number, limit })).toEqual([]);
  });

  test('a target may cap the limit: the reported page size is believed', () => {
    expect(cited(page(24, 5, 1), { page: 1, limit: 20 })).toEqual([]);
  });
});

// biome-ignore format: a table
const wrong: readonly (readonly [what: string, subject: Page, asked: { page: number; limit?: number }, cited: readonly string[]])[] = [
  ['an item too few',                   page(24, 10, 1, { items: 9 }),                    { page: 1 },            ['pagination.page-size']],
  ['an item too many',                  page(24, 10, 1, { items: 11 }),                   { page: 1 },            ['pagination.page-size']],
  ['more than the limit asked for',     page(24, 10, 1, { items: 11 }),                   { page: 1, limit: 10 }, ['pagination.limit-obeyed']],
  ['a page size above the limit',       page(24, 10, 1),                                  { page: 1, limit: 5 },  ['pagination.limit-obeyed']],
  ['an empty last page of a full list', page(20, 10, 2, { items: 0 }),                    { page: 2 },            ['pagination.page-size']],
  ['that size of an empty list',          page(0, 10, 1, { itemsPerPage: 0 }),              { page: 1 },            []],
  ['a page size of nothing',            page(24, 10, 1, { itemsPerPage: 0 }),             { page: 1 },            ['pagination.page-size']],
  ['a page number counted from 0',      page(24, 10, 1, { pageNumber: 0 }),               { page: 1 },            ['pagination.page-number']],
  ['no next link before the end',       page(24, 10, 2, { nextPage: null }),              { page: 2 },            ['pagination.next-null']],
  ['a next link on the last page',      page(24, 10, 3, { nextPage: '?page=4&limit=10' }), { page: 3 },           ['pagination.next-null']],
  ['a next link after a full last page', page(20, 10, 2, { nextPage: '?page=3&limit=10' }), { page: 2 },          ['pagination.next-null']],
  ['an empty next link on the last page', page(24, 10, 3, { nextPage: '' }),              { page: 3 },            ['pagination.next-null']],
  ['a previous link on the first page', page(24, 10, 1, { previousPage: '?page=0&limit=10' }), { page: 1 },       ['pagination.previous-null']],
  ['no previous link on the second',    page(24, 10, 2, { previousPage: null }),          { page: 2 },            ['pagination.previous-null']],
  ['a next link to this very page',     page(24, 10, 1, { nextPage: '?page=1&limit=10' }), { page: 1 },           ['pagination.link-page']],
  ['a previous link to the first page', page(24, 10, 3, { previousPage: '?page=1&limit=10' }), { page: 3 },       ['pagination.link-page']],
  ['a link without its limit',          page(24, 10, 1, { nextPage: '?page=2' }),         { page: 1 },            ['pagination.link-limit']],
  ['a link with another limit',         page(24, 10, 1, { nextPage: '?page=2&limit=20' }), { page: 1 },           ['pagination.link-limit']],
  ['a link with the limit asked for',   page(24, 5, 1, { nextPage: '?page=2&limit=20' }), { page: 1, limit: 20 }, ['pagination.link-limit']],
];

test.each(wrong)('%s is found', (_what, subject, asked, expected) => {
  expect(cited(subject, asked)).toEqual(expected);
});

describe('links of logged events', () => {
  const events = (changes: Record<string, unknown>) =>
    cited(page(24, 10, 1, changes, 'list-events'), { page: 1 }, 'list-events');
  const query = '?page=2&limit=10';

  test.each([
    ['encoded', `/console/v1/events/page%20view${query}`],
    ['with the origin', `https://example.com/console/v1/events/page%20view${query}`],
    ['below a prefix', `/api/console/v1/events/page%20view${query}`],
    ['with more path below', `/console/v1/events/page%20view/list${query}`],
  ])('right: %s', (_what, nextPage) => {
    expect(events({ nextPage })).toEqual([]);
  });

  test.each([
    ['the path of another event', `/console/v1/events/page%20views${query}`],
    ['the path of all events', `/console/v1/events${query}`],
    ['no path', query],
  ])('wrong: %s', (_what, nextPage) => {
    expect(events({ nextPage })).toEqual(['pagination.event-link-path']);
  });

  test('the link to all may be empty, and is held to the path when it is not', () => {
    expect(events({ all: '' })).toEqual([]);
    expect(events({ all: '/console/v1/all' })).toEqual(['pagination.event-link-path']);
  });

  test.each(['http://[', '//', 'http:', '%ff'])('the broken link %s is a finding, not an exception', nextPage => {
    expect(events({ nextPage: `${nextPage}${query}` })).toContain('pagination.event-link-path');
  });
});

test.each([
  ['/a?page=2&limit=10', { page: '2', limit: '10' }],
  ['?page=2#limit=3', { page: '2' }],
  ['https://elsewhere.example/?page=2', { page: '2' }],
  ['/a', {}],
  ['', {}],
  ['?__proto__=1&page=2', { page: '2' }],
])('the query of the link %j', (link, query) => {
  expect(linkQuery(link)).toMatchObject(query);
});

test.each([
  ['no object', [1], undefined],
  ['no pagination', [1], null],
  ['a count as a text', [1], { itemsPerPage: '10', pageNumber: 1, totalItems: 1, nextPage: null, previousPage: null }],
  ['half an item', [1], { itemsPerPage: 10, pageNumber: 1, totalItems: 1.5, nextPage: null, previousPage: null }],
  ['a link that is a number', [1], { itemsPerPage: 10, pageNumber: 1, totalItems: 1, nextPage: 2, previousPage: null }],
  ['a link left out', [1], { itemsPerPage: 10, pageNumber: 1, totalItems: 1, nextPage: null }],
  ['data that is no list', {}, { itemsPerPage: 10, pageNumber: 1, totalItems: 1, nextPage: null, previousPage: null }],
])('%s cannot be read as a page', (_what, data, pagination) => {
  expect(readPage(givenAnswer({ endpoint: 'list-segments', value: { message: '', data, pagination } }))).toBeNull();
});

test('the last page of an empty list, and of one with a page size of nothing, is the first', () => {
  expect(lastPage(page(0, 10, 1))).toBe(1);
  expect(lastPage(page(24, 10, 1, { itemsPerPage: 0 }))).toBe(1);
});
