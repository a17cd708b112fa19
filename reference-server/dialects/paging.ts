import { endpoints } from '../../contracts/endpoints.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { parameterOf } from '../api/page.ts';
import { refusal } from '../api/response.ts';
import type { Mutable } from '../decorators/members.ts';
import { around, insteadOfWork } from '../decorators/operations.ts';
import { changingList, onLinks, onPagination, onQuery } from '../decorators/paging.ts';
import { onSuccess } from '../decorators/responses.ts';
import { type Dialect, lists } from './dialect.ts';

/** Other ways to page lists (sections 2.1, 4.11 to 4.15 and 8). */

/** The lists of which no query parameter is stated. */
const unstated = lists.filter(id => endpoints[id].query === null);
const statedPath = requirementById('pagination.event-link-path').endpoints;
/** The lists of which the path of the links is not stated. */
const freeLinks = lists.filter(id => !statedPath.includes(id));

const cap = (most: number) =>
  onQuery(query => (Number(parameterOf(query, 'limit')) > most ? { ...query, limit: String(most) } : query));

/** A parameter that is no whole number from 1 counts as absent. */
const invalidIgnored = onQuery(query => {
  const isValid = (name: 'limit' | 'page') => /^0*[1-9]\d{0,14}$/.test(parameterOf(query, name) ?? '');
  const { limit, page, ...others } = query;
  return { ...others, ...(isValid('limit') && { limit }), ...(isValid('page') && { page }) };
});

const limitRefused = (most: number) =>
  insteadOfWork(({ query }) =>
    Number(parameterOf(query, 'limit')) > most ? refusal(400, `The limit is at most ${most}.`) : undefined,
  );

/** An error for a page past the last, instead of an empty one. */
const noSuchPage = onSuccess(response => {
  const { data, pagination } = response.body as { data: readonly unknown[]; pagination: Mutable };
  return data.length === 0 && Number(pagination.pageNumber) > 1 ? refusal(404, 'There is no such page.') : response;
});

const allLinks = ['nextPage', 'previousPage', 'all'];
const elsewhere = onLinks(link => link.replace(/^[^?]*/, '/console/v1/somewhere/list'), allLinks);
const moreParameters = onLinks(link => link.replace('?', '?sort=name&cursor=%2F%3D&'), allLinks);
const absolute = onLinks((link, _list, { headers }) => `http://${headers.host}${link}`, allLinks);

const noAll = onPagination(pagination => {
  pagination.all = '';
});

const wholeList = changingList(list => {
  list.data = [...list.all];
  const itemsPerPage = Math.max(1, list.all.length);
  Object.assign(list.pagination, { itemsPerPage, pageNumber: 1, nextPage: null, previousPage: null });
});

/** The whole list at once, whatever is asked for. */
const onePage = around(handler => {
  const whole = wholeList(handler);
  return (request, store, settings) => whole({ ...request, query: {} }, store, settings);
});

// biome-ignore format: a table
export const pagingDialects: readonly Dialect[] = [
  { id: 'page-cap-10',         section: '4.11, 4.12',  title: 'shows at most 10 items on a page, whatever is asked for',       endpoints: lists,     decorator: cap(10) },
  { id: 'page-cap-20',         section: '4.11, 4.12',  title: 'shows at most 20 items on a page',                              endpoints: lists,     decorator: cap(20) },
  { id: 'limit-refused',       section: '4.11, 4.12',  title: 'refuses a limit above 10',                                      endpoints: lists,     decorator: limitRefused(10) },
  { id: 'page-past-end-404',   section: '2.1',         title: 'answers 404 to a page past the last one',                       endpoints: lists,     decorator: noSuchPage },
  { id: 'paging-ignored',      section: '4.11, 4.12',  title: 'ignores a page or limit that is no whole number from 1',        endpoints: lists,     decorator: invalidIgnored },
  { id: 'links-absolute',      section: '2.1',         title: 'links with scheme and host',                                    endpoints: lists,     decorator: absolute },
  { id: 'links-elsewhere',     section: '2.1',         title: 'links to another path than the one that was called',            endpoints: freeLinks, decorator: elsewhere },
  { id: 'links-more',          section: '2.1',         title: 'carries more parameters in its links',                          endpoints: lists,     decorator: moreParameters },
  { id: 'links-no-all',        section: '2.1',         title: 'leaves `all` empty',                                            endpoints: lists,     decorator: noAll },
  { id: 'lists-whole',         section: '4.2, 4.14, 4.15', title: 'shows lists without stated parameters on one page',         endpoints: unstated,  decorator: onePage },
];
