import { type EndpointId, endpointIds } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { type Answer, refusal } from '../api/answer.ts';
import type { Hooks } from '../api/hooks.ts';
import { largestLimit } from '../api/page.ts';
import type { ApiRequest } from '../api/request.ts';
import { instead, onPagination, type Pagination, type Success } from './answering.ts';
import type { Dialect } from './dialect.ts';

/** Other manners of lists (sections 2.1, 4.11 to 4.15 and 8). */

const lists: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].list);
/** The lists of which no query parameter is stated. */
const unstated = lists.filter(id => endpoints[id].query === null);
/** The lists of which the path of the links is not stated: 4.15 is the exception. */
const freeLinks = lists.filter(id => id !== 'list-events');

type Query = ApiRequest['query'];

const asked = (query: Query, name: 'limit' | 'page'): string | undefined => {
  const given = query[name];
  return Array.isArray(given) ? given[0] : given;
};

const onQuery = (change: (query: Query) => Query): Pick<Hooks, 'decorateOperation'> => ({
  decorateOperation: (_id, handler) => (request, store, settings) =>
    handler({ ...request, query: change(request.query) }, store, settings),
});

const cap = (most: number) =>
  onQuery(query => (Number(asked(query, 'limit')) > most ? { ...query, limit: String(most) } : query));

/** A parameter that is no whole number from 1 counts as absent. */
const invalidIgnored = onQuery(query =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([name]) => (name !== 'page' && name !== 'limit') || /^0*[1-9]\d{0,14}$/.test(asked(query, name) ?? ''),
    ),
  ),
);

const tooMany =
  (most: number) =>
  ({ query }: ApiRequest): Answer | undefined =>
    Number(asked(query, 'limit')) > most ? refusal(400, `The limit is at most ${most}.`) : undefined;

/** An error for a page past the last, instead of an empty one. */
const noSuchPage: Pick<Hooks, 'decorateOperation'> = {
  decorateOperation: (_id, handler) => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    const { data } = answer.body as { data: readonly unknown[] };
    return data.length === 0 && Number(asked(request.query, 'page') ?? 1) > 1
      ? refusal(404, 'There is no such page.')
      : answer;
  },
};

const links = (change: (link: string, request: ApiRequest) => string) =>
  onPagination(({ nextPage, previousPage, all }, request) => ({
    nextPage: nextPage === null ? null : change(nextPage, request),
    previousPage: previousPage === null ? null : change(previousPage, request),
    all: change(all, request),
  }));

const otherPath = (link: string): string => link.replace(/^[^?]*/, '/console/v1/somewhere/list');
const moreParameters = (link: string): string =>
  link.includes('?') ? link.replace('?', '?sort=name&cursor=%2F%3D&') : link;
const absolute = (link: string, { headers }: ApiRequest): string => `http://${headers.host}${link}`;

/** The whole list at once, whatever is asked for. */
const onePage: Pick<Hooks, 'decorateOperation'> = {
  decorateOperation: (_id, handler) => async (request, store, settings) => {
    const data: unknown[] = [];
    for (let page = 1; ; page++) {
      const query = { page: String(page), limit: String(largestLimit) };
      const answer = await handler({ ...request, query }, store, settings);
      const body = answer.body as Success & { data: readonly unknown[]; pagination: Pagination };
      data.push(...body.data);
      if (body.pagination.nextPage !== null) continue;
      const itemsPerPage = Math.max(1, data.length);
      const pagination = { ...body.pagination, itemsPerPage, pageNumber: 1, nextPage: null, previousPage: null };
      return { ...answer, body: { ...body, data, pagination } };
    }
  },
};

// biome-ignore format: a table
export const pagingDialects: readonly Dialect[] = [
  { id: 'page-cap-10',         section: '4.11, 4.12',  title: 'shows at most 10 items on a page, whatever is asked for',       endpoints: lists,     ...cap(10) },
  { id: 'page-cap-20',         section: '4.11, 4.12',  title: 'shows at most 20 items on a page',                              endpoints: lists,     ...cap(20) },
  { id: 'limit-refused',       section: '4.11, 4.12',  title: 'refuses a limit above 10',                                      endpoints: lists,     ...instead(tooMany(10)) },
  { id: 'page-past-end-404',   section: '2.1',         title: 'answers 404 to a page past the last one',                       endpoints: lists,     ...noSuchPage },
  { id: 'paging-ignored',      section: '4.11, 4.12',  title: 'ignores a page or limit that is no whole number from 1',        endpoints: lists,     ...invalidIgnored },
  { id: 'links-absolute',      section: '2.1',         title: 'links with scheme and host',                                    endpoints: lists,     ...links(absolute) },
  { id: 'links-elsewhere',     section: '2.1',         title: 'links to another path than the one that was called',            endpoints: freeLinks, ...links(otherPath) },
  { id: 'links-more',          section: '2.1',         title: 'carries more parameters in its links',                          endpoints: lists,     ...links(moreParameters) },
  { id: 'links-no-all',        section: '2.1',         title: 'leaves `all` empty',                                            endpoints: lists,     ...onPagination(() => ({ all: '' })) },
  { id: 'lists-whole',         section: '4.2, 4.14, 4.15', title: 'shows lists without stated parameters on one page',         endpoints: unstated,  ...onePage },
];
