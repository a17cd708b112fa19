import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { membersOf } from '../../../contracts/json.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { pagination } from './pagination.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly pagination: Readonly<Record<string, unknown>>;
}

/** Changes the pages that it answers with. */
const paging =
  (change: (page: Page, request: ApiRequest) => Partial<Page>): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    const page = membersOf(given.value) as unknown as Page;
    return given.status === 200 ? { ...given, value: { ...page, ...change(page, request) } } : given;
  };
const members = (change: (pagination: Page['pagination'], request: ApiRequest) => object): Wrong =>
  paging((page, request) => ({ pagination: { ...page.pagination, ...change(page.pagination, request) } }));
const isPage = (number: number, { query }: ApiRequest): boolean => Number(query?.page ?? 1) === number;
const ignoringLimit: Wrong = model => (request, body) =>
  model({ ...request, query: { ...request.query, limit: 10 } }, body);

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                          'list-segments', right,                                                                   []],
  ['a right server, paged by its links',      'list-events',   right,                                                                   []],
  ['an item lost at the edge of a page',      'list-segments', paging(({ data }, request) => (isPage(2, request) ? { data: data.slice(1) } : {})), ['pagination.complete', 'pagination.page-size']],
  ['an item that a limit of 2 skips',         'list-segments', paging(({ data }, request) => (isPage(2, request) && request.query?.limit === 2 ? { data: data.slice(1) } : {})), ['pagination.complete', 'pagination.page-size']],
  ['such an item, and a total of one more',   'list-segments', paging(({ data, pagination: page }, request) => (request.query?.limit === 2 ? { data: isPage(2, request) ? data.slice(1) : data, pagination: { ...page, totalItems: Number(page.totalItems) + 1 } } : {})), ['pagination.complete', 'pagination.next-null', 'pagination.page-size', 'pagination.total']],
  ['an item repeated at the edge of a page',  'list-segments', paging(({ data }, request) => (isPage(2, request) ? { data: [{ ...(data[0] as object), id: 'id 0' }, ...data.slice(1)] } : {})), ['pagination.complete']],
  ['a next link on the last page',            'list-segments', members(({ nextPage, itemsPerPage, pageNumber }) => ({ nextPage: nextPage ?? `?page=${Number(pageNumber) + 1}&limit=${itemsPerPage}` })), ['pagination.next-null']],
  ['a previous link on the first page',       'list-segments', members(({ previousPage, itemsPerPage }) => ({ previousPage: previousPage ?? `?page=0&limit=${itemsPerPage}` })), ['pagination.previous-null']],
  ['a limit that is ignored',                 'list-segments', ignoringLimit,                                                           ['pagination.limit-obeyed']],
  ['a list that is refused to this key',      'list-segments', instead({ status: 403 }, ({ endpoint }) => endpoint === 'list-segments'), []],
  ['a small limit that is refused',           'list-segments', instead({ status: 400 }, ({ query }) => query?.limit === 2 && query.page === undefined), ['pagination.limit-obeyed']],
  ['a large limit that is never answered',    'list-segments', instead({ failure: { kind: 'timeout', message: '' } }, ({ query }) => Number(query?.limit) > 14), ['robust.no-hang']],
  ['a limit that is refused',                 'list-segments', instead({ status: 400 }, ({ query }) => query?.limit === 2),             ['pagination.limit-obeyed']],
  ['a total that counts one page',            'list-segments', paging(({ data, pagination: page }) => ({ pagination: { ...page, totalItems: data.length } })), ['pagination.next-null', 'pagination.total']],
  ['a total that is one too high',            'list-segments', members(({ totalItems }) => ({ totalItems: Number(totalItems) + 1 })),   ['pagination.next-null', 'pagination.page-size', 'pagination.total']],
  ['pages counted from 0',                    'list-segments', members(({ pageNumber }) => ({ pageNumber: Number(pageNumber) - 1 })),  ['pagination.default-page', 'pagination.page-number']],
  ['another default',                         'list-segments', model => (request, body) => model({ ...request, query: { limit: 20, ...request.query } }, body), ['pagination.default-limit']],
  ['links without a limit',                   'list-segments', members(({ nextPage, previousPage }) => ({ nextPage: withoutLimit(nextPage), previousPage: withoutLimit(previousPage) })), ['pagination.link-limit']],
  ['links to another path',                   'list-events',   members(({ nextPage }) => ({ nextPage: nextPage && String(nextPage).replace('events', 'metrics') })), ['pagination.event-link-path']],
  ['other items with another limit',          'list-events',   paging(({ data }, { query }) => (query?.limit === 2 ? { data: data.map(item => ({ ...(item as object), source: 'other' })) } : {})), ['pagination.complete']],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(pagination, endpoint, wrong)).cited).toEqual(cited);
});

/** Answers the n-th request for a list with a link of another size. */
const linkedOnce =
  (nth: number): Wrong =>
  model => {
    let requests = 0;
    return (request, body) => {
      requests += request.endpoint === 'list-events' ? 1 : 0;
      const once = members(({ nextPage }) => ({
        nextPage: nextPage && `${String(nextPage).split('limit=')[0]}limit=77`,
      }));
      return (requests === nth ? once(model) : model)(request, body);
    };
  };

test.each([1, 2, 4, 5, 7, 8])('a wrong link is told where request %i alone shows it', async nth => {
  expect((await judgedBy(pagination, 'list-events', linkedOnce(nth))).cited).toContain('pagination.link-limit');
});

test.each([2, 5, 8])('an item that page %i alone holds twice is told', async nth => {
  let requests = 0;
  const twice = answering('list-segments', data => {
    const items = data as unknown as readonly unknown[];
    if (items.length > 1) requests += 1;
    return requests === nth && items.length > 1 ? [items[0], ...items.slice(0, 1), ...items.slice(2)] : items;
  });
  expect((await judgedBy(pagination, 'list-segments', twice)).cited).toContain('pagination.no-repeat');
});

test('an item that came twice is named, unless items have no identity', async () => {
  const alike = paging(({ data }) => ({ data: data.map(item => ({ ...(item as object), id: 'a', value: 'a' })) }));
  const { results } = await judgedBy(pagination, 'list-segments', alike);
  expect(results.flatMap(({ violations }) => violations)).toContainEqual(
    expect.objectContaining({ requirement: 'pagination.complete', actual: 'the segment "a" came twice' }),
  );
  expect((await judgedBy(pagination, 'list-events', alike)).cited).toEqual([]);
});

test('of a list in another order each time, whole pages show that it stands still, as large as they may be', async () => {
  const unordered: Wrong = model => {
    let turn = 0;
    return (request, body) => {
      const { page = 1, limit = 10 } = request.query ?? {};
      if (Number(limit) > 100) return { status: 400 };
      turn += 7;
      const { data } = membersOf(model({ ...request, query: { limit: 100 } }, body).value);
      const all = data as readonly unknown[];
      const turned = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
      const from = (Number(page) - 1) * Number(limit);
      return paging(() => ({ data: turned.slice(from, from + Number(limit)) }))(model)(request, body);
    };
  };
  const { results } = await judgedBy(pagination, 'list-segments', unordered);
  const [found] = results.flatMap(({ violations }) => violations);
  expect(found).toMatchObject({ requirement: 'pagination.complete' });
  expect(found?.doubt).toBe('the list has no order that stays from one reading to the next');
});

function withoutLimit(link: unknown): unknown {
  return typeof link === 'string' ? link.replace(/&limit=\d+/, '') : link;
}

describe('nothing is proved', () => {
  // biome-ignore format: a table
  test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, because: string]>([
    ['of a list that is refused',                'list-segments', instead({ status: 400 }),                               'the list was refused (status 400)'],
    ['of a list without pagination',             'list-segments', paging(() => ({ pagination: {} })),                     'the pagination could not be read'],
    ['of an empty list',                         'list-segments', paging(() => ({ data: [], pagination: empty })),        'the list is empty'],
    ['of pages where no link carries a limit',   'list-events',   members(({ nextPage }) => ({ nextPage: withoutLimit(nextPage) })), 'no link carries a limit, so none may be sent'],
    ['of one page that no link leads from',      'list-events',   paging(({ data }) => ({ data: data.slice(0, 1), pagination: { ...empty, totalItems: 1 } })), 'the whole list is on one page and no link carries a limit'],
    ['of a large limit that is refused',         'list-segments', instead({ status: 400 }, ({ query }) => Number(query?.limit) > 10), 'a limit of 23 is refused, which is open'],
    ['of a list that changes under every walk',  'list-segments', changing,                                               'the list is alive: its items, or their total, changed between readings of the whole of it'],
  ])('%s', async (_what, endpoint, wrong, because) => {
    expect((await judgedBy(pagination, endpoint, wrong)).because).toContain(because);
  });
});

const empty = { itemsPerPage: 10, pageNumber: 1, totalItems: 0, nextPage: null, previousPage: null, all: '' };

/** Adds one to the total with every page read. */
function changing(model: Parameters<Wrong>[0]): ReturnType<Wrong> {
  let more = 0;
  return (request, body) => {
    more += 1;
    return members(({ totalItems }) => ({ totalItems: Number(totalItems) + more }))(model)(request, body);
  };
}

test('a list on one page gives way to that of another fixture which has several', async () => {
  const { target } = contextOf('list-events');
  const two = { ...target, fixtures: { ...target.fixtures, events: ['page_view', 'purchase'] } };
  const short: Wrong = paging(({ data, pagination: page }, { param }) =>
    param === 'page_view'
      ? { data: data.slice(0, 3), pagination: { ...page, totalItems: 3, nextPage: null, previousPage: null } }
      : {},
  );
  const onLast = members(({ nextPage, itemsPerPage, pageNumber }, { param }) =>
    param === 'purchase'
      ? { nextPage: nextPage ?? `/console/v1/events/purchase?page=${Number(pageNumber) + 1}&limit=${itemsPerPage}` }
      : {},
  );
  expect((await judgedBy(pagination, 'list-events', short, { target: two })).cited).toEqual([]);
  expect((await judgedBy(pagination, 'list-events', model => onLast(short(model)), { target: two })).cited).toEqual([
    'pagination.next-null',
  ]);
  const { because } = await judgedBy(pagination, 'list-events', short);
  expect(because).toContain('the whole list is on one page and no link carries a limit');
});

test('the first page of every other fixture is judged', async () => {
  const { target } = contextOf('list-events');
  const three = { ...target, fixtures: { ...target.fixtures, events: ['page_view', 'purchase', 'sign_up'] } };
  const others = members(({ nextPage }, { param }) =>
    param === 'sign_up' ? { nextPage: nextPage && String(nextPage).replace('sign_up', 'purchase') } : {},
  );
  expect((await judgedBy(pagination, 'list-events', right, { target: three })).cited).toEqual([]);
  expect((await judgedBy(pagination, 'list-events', others, { target: three })).cited).toEqual([
    'pagination.event-link-path',
  ]);
});

test('a run that ends in the middle of the walks leaves no walk that nobody waits for', async () => {
  const forgotten: unknown[] = [];
  const note = (reason: unknown): void => void forgotten.push(reason);
  process.on('unhandledRejection', note);
  const lossy = paging(({ data }, request) => (isPage(2, request) ? { data: data.slice(1) } : {}));
  const { sent } = await judgedBy(pagination, 'list-segments', lossy);
  for (let most = 0; most < sent.length; most += 1) {
    const ending: Wrong = model => {
      let answered = 0;
      return (request, body) => {
        answered += 1;
        if (answered > most) throw new Error('the run has ended');
        return lossy(model)(request, body);
      };
    };
    await expect(judgedBy(pagination, 'list-segments', ending)).rejects.toThrow('the run has ended');
  }
  await new Promise(resolve => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(forgotten).toEqual([]);
});
