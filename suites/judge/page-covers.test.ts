import { describe, expect, test } from 'vitest';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import { type Page, readPage } from './page.ts';
import { coveredByPage } from './page-covers.ts';

const always = ['pagination.next-null', 'pagination.page-number', 'pagination.previous-null'];

/** Returns what a page covers, except what every page covers. */
function shown(endpoint: EndpointId, data: unknown[], more: object, asked: { page: number; limit?: number }): string[] {
  const pagination = { itemsPerPage: 10, pageNumber: 1, totalItems: data.length, nextPage: null, previousPage: null };
  const value = { message: '', data, pagination: { ...pagination, all: '', ...more } };
  const page = readPage(givenAnswer({ endpoint, value })) as Page;
  const covers = [...coveredByPage(page, asked, endpointRow(endpoint))].sort();
  expect(covers).toEqual(expect.arrayContaining(always));
  return covers.filter(id => !always.includes(id));
}

describe('a page shows', () => {
  // biome-ignore format: a table
  test.each<[what: string, endpoint: EndpointId, data: unknown[], more: object, asked: { page: number; limit?: number }, covers: string[]]>([
    ['nothing of sizes where it is empty',  'list-segments', [],   {},                    { page: 1, limit: 3 }, []],
    ['its size where it has items',         'list-segments', [{}], {},                    { page: 1 },           ['pagination.page-size']],
    ['a limit that it heeds',               'list-segments', [{}], { itemsPerPage: 3 },   { page: 1, limit: 3 }, ['pagination.limit-obeyed', 'pagination.page-size', 'query.limit']],
    ['no query that it does not heed',      'list-segments', [{}], {},                    { page: 2, limit: 3 }, ['pagination.limit-obeyed', 'pagination.page-size']],
    ['a page that it heeds',                'list-segments', [{}], { pageNumber: 2 },     { page: 2 },           ['pagination.page-size', 'query.page']],
    ['links that it has',                   'list-segments', [{}], { nextPage: '?page=2' }, { page: 1 },         ['pagination.link-limit', 'pagination.link-page', 'pagination.page-size']],
    ['the path of a link, where one is stated', 'list-events', [{}], { all: '/x' },       { page: 1 },           ['pagination.event-link-path', 'pagination.page-size']],
    ['no path where no link is',            'list-events',   [{}], {},                    { page: 1 },           ['pagination.page-size']],
  ])('%s', (_what, endpoint, data, more, asked, covers) => {
    expect(shown(endpoint, data, more, asked)).toEqual(covers);
  });
});
