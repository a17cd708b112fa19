import { endpoints } from '../../contracts/endpoints.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { parameterOf } from '../api/page.ts';
import { refusal } from '../api/response.ts';
import {
  both,
  type Mutable,
  onLinks,
  onList,
  onPagination,
  onQuery,
  onSuccess,
  refusing,
} from '../decorators/index.ts';
import { type DialectTable, lists } from './dialect.ts';

/** Other ways to paginate lists (sections 2.1, 4.11 to 4.15 and 8). */

/** The lists for which no query parameter is stated. */
const unstated = lists.filter(id => endpoints[id].query === null);
const statedPath = requirementById('pagination.event-link-path').endpoints;
/** The lists for which the path of the links is not stated. */
const freeLinks = lists.filter(id => !statedPath.includes(id));

const cap = (most: number) =>
  onQuery(query => (Number(parameterOf(query, 'limit')) > most ? { ...query, limit: String(most) } : query));

/** Ignores a parameter that is not a whole number from 1. */
const invalidIgnored = onQuery(query => {
  const isValid = (name: 'limit' | 'page') => /^0*[1-9]\d{0,14}$/.test(parameterOf(query, name) ?? '');
  const { limit, page, ...others } = query;
  return { ...others, ...(isValid('limit') && { limit }), ...(isValid('page') && { page }) };
});

const limitRefused = (most: number) =>
  refusing(400, `The limit is at most ${most}.`, (_body, { query }) => Number(parameterOf(query, 'limit')) > most);

/** Answers a page past the last with an error instead of an empty page. */
const noSuchPage = onSuccess(response => {
  const { data, pagination } = response.body as { data: readonly unknown[]; pagination: Mutable };
  return data.length === 0 && Number(pagination.pageNumber) > 1 ? refusal(404, 'There is no such page.') : response;
});

const allLinks = ['nextPage', 'previousPage', 'all'];
const absolute = onLinks((link, _list, { headers }) => `http://${headers.host}${link}`, allLinks);

/** Lists everything on one page, whatever the query. */
const onePage = both(
  onList(list => {
    list.data = [...list.all];
    const itemsPerPage = Math.max(1, list.all.length);
    Object.assign(list.pagination, { itemsPerPage, pageNumber: 1, nextPage: null, previousPage: null });
  }),
  onQuery(() => ({})),
);

// biome-ignore format: a table
export const pagingDialects: DialectTable = [
  ['page-cap-10',       '4.11, 4.12',      lists,     'shows at most 10 items on a page, whatever is asked for', cap(10)],
  ['page-cap-20',       '4.11, 4.12',      lists,     'shows at most 20 items on a page',                        cap(20)],
  ['limit-refused',     '4.11, 4.12',      lists,     'refuses a limit above 10',                                limitRefused(10)],
  ['page-past-end-404', '2.1',             lists,     'answers 404 to a page past the last one',                 noSuchPage],
  ['paging-ignored',    '4.11, 4.12',      lists,     'ignores a page or limit that is no whole number from 1',  invalidIgnored],
  ['links-absolute',    '2.1',             lists,     'links with scheme and host',                              absolute, { warns: ['pagination.relative-link'] }],
  ['links-elsewhere',   '2.1',             freeLinks, 'links to another path than the one that was called',      onLinks(link => link.replace(/^[^?]*/, '/console/v1/somewhere/list'), allLinks)],
  ['links-more',        '2.1',             lists,     'carries more parameters in its links',                    onLinks(link => link.replace('?', '?sort=name&cursor=%2F%3D&'), allLinks)],
  ['links-no-all',      '2.1',             lists,     'leaves `all` empty',                                      onPagination(pagination => { pagination.all = '';})],
  ['lists-whole',       '4.2, 4.14, 4.15', unstated,  'shows lists without stated parameters on one page',       onePage, { untested: ['list-config-versions/table-notes', 'list-events/table-notes'] }],
];
