import { describe, expect, it } from 'vitest';
import { started } from '../proof/testing/started.ts';
import { askedPage, listPage } from './page.ts';
import type { HandlerRequest } from './request.ts';
import { Refused } from './response.ts';
import { listed } from './success.ts';

const page = (count: number, query: HandlerRequest['query']) =>
  listPage(
    askedPage({ endpoint: 'list-segments', method: 'GET', path: '/p', param: '', query, headers: {}, body: undefined }),
    '/p',
    Array.from({ length: count }, (_, index) => index),
  );

describe('a page', () => {
  it.each([0, 1, 9, 10, 11, 20, 21])('is met once by each of %i items on a walk', count => {
    for (const limit of ['1', '5', '10', '100']) {
      const seen: number[] = [];
      let query: Record<string, string> | null = { page: '1', limit };
      let number = 0;
      while (query !== null) {
        number++;
        const { items, pagination } = page(count, query);
        seen.push(...items);
        expect(pagination).toMatchObject({
          pageNumber: number,
          itemsPerPage: Number(limit),
          totalItems: count,
          all: count > 10 ? `/p?limit=${count}` : '/p',
        });
        expect(pagination.previousPage === null).toBe(number === 1);
        query =
          pagination.nextPage === null
            ? null
            : Object.fromEntries(new URL(pagination.nextPage, 'http://x').searchParams);
        if (query !== null) expect(items).toHaveLength(Number(limit));
      }
      expect(seen).toEqual(Array.from({ length: count }, (_, index) => index));
    }
  });

  it('is the first ten when nothing is asked for, and never more than a hundred', () => {
    expect(page(30, {}).items).toHaveLength(10);
    expect(page(300, { limit: '101' }).pagination).toMatchObject({
      itemsPerPage: 100,
      nextPage: '/p?page=2&limit=100',
    });
  });

  it.each([0, 10, 11, 100])('links to all of %i items on one page', count => {
    const { all } = page(count, {}).pagination;
    expect(page(count, Object.fromEntries(new URL(all, 'http://x').searchParams)).items).toHaveLength(count);
  });

  it('has no link to more items than any page holds', () => {
    expect(page(101, {}).pagination.all).toBe('');
  });

  it('is empty past the last one, and links back to the last', () => {
    const { items, pagination } = page(20, { page: '99' });
    expect(items).toEqual([]);
    expect(pagination).toMatchObject({ nextPage: null, previousPage: '/p?page=2&limit=10' });
  });

  it.each(['0', '-1', '1.5', 'ten', '', ' 1', '1e3', '9'.repeat(40)])('is refused for the number %j', number => {
    expect(() => page(20, { page: number })).toThrow(Refused);
    expect(() => page(20, { limit: number })).toThrow(Refused);
  });

  it('is that of the first of repeated parameters', () => {
    expect(page(20, { page: ['2', 'x'] }).pagination.pageNumber).toBe(2);
  });
});

it('is answered by the same response until the list is another one, unless it is long', () => {
  const request = { endpoint: 'list-segments', method: 'GET', path: '/p', param: '', query: {}, headers: {} } as const;
  const answer = (list: readonly object[]) => listed({ ...request, body: undefined }, list);
  const [short, long] = [[{ id: 'a' }], [{ id: 'a'.repeat(128 * 1024) }]];
  expect(answer(short)).toBe(answer(short));
  expect(answer([...short])).not.toBe(answer(short));
  expect(answer(long)).not.toBe(answer(long));
  expect(answer(long)).toEqual(answer(long));
});

const { call, send } = await started();

describe('over a socket', () => {
  it('refuses both wrong parameters at once', async () => {
    const { status, json } = await call('list-segments', '', undefined, '?page=0&limit=x');
    expect([status, json.errors.length]).toEqual([400, 2]);
  });

  it('links to the path as it was called', async () => {
    const { json } = await send('/console/v1/events/page%5Fview?limit=20');
    expect(json.pagination).toMatchObject({
      nextPage: '/console/v1/events/page%5Fview?page=2&limit=20',
      all: '/console/v1/events/page%5Fview?limit=34',
      totalItems: 34,
    });
    const { json: plain } = await send('/console/v1/events/page_view?limit=20');
    expect(plain.pagination.all).toBe('/console/v1/events/page_view?limit=34');
  });

  it('shows a change at once, and no other page for it', async () => {
    const versions = async (query: string) =>
      (await call('list-config-versions', 'pricing_table', undefined, query)).json;
    const [before, second] = [await versions('?limit=1'), await versions('?limit=1&page=2')];
    expect(second.data).not.toEqual(before.data);
    await call('disable-config', 'pricing_table');
    const after = await versions('?limit=1');
    expect(after.data[0].isEnabled).toBe(false);
    expect(after.pagination.totalItems).toBe(before.pagination.totalItems + 1);
    expect((await versions('?limit=1&page=2')).data).toEqual(before.data);
  });
});
