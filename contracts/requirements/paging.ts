import { endpointsWhere } from '../endpoints.ts';
import { identifiedLists, lists, statedPaging } from './bindings.ts';
import { requirementTable, sporadic } from './requirement.ts';

/** For requirements that a list of one page cannot show. */
const moreItems = { remedy: 'give each list 14 items or more' } as const;

/** For requirements of single pages that need several: nothing that others do makes one answer break them. */
const ofOnePage = { ...sporadic, ...moreItems } as const;

/** Sections 2.1, 4.2, 4.11, 4.12, 4.14, 4.15 and 8: how lists are paginated. */
// biome-ignore format: a table
export const paginationRequirements = requirementTable([
  ['query.limit', 'MUST', '4.11', statedPaging,
    'The `limit` of the query is the number of results that a page may hold.', { restsOn: ['pagination.limit-obeyed'], ...moreItems }],
  ['query.page', 'MUST', '4.11', statedPaging,
    'The `page` of the query is the number of the page that comes.', { restsOn: ['pagination.page-number'], ...moreItems }],
  ['pagination.default-limit', 'MUST', '8', statedPaging,
    'Without a `limit` a page holds ten items.', sporadic],
  ['pagination.default-page', 'MUST', '8', statedPaging,
    'Without a `page` the first page, number 1, comes.', sporadic],
  ['pagination.page-number', 'MUST', '2.1', lists,
    '`pageNumber` is the number of the page that was asked for, counted from 1.', sporadic],
  ['pagination.complete', 'MUST', '2.1', lists,
    'A walk over all pages meets each item once, none twice and none never.', moreItems],
  ['pagination.no-repeat', 'MUST', '2.1', identifiedLists,
    'No page holds an item twice.', sporadic],
  ['pagination.page-size', 'MUST', '2.1', lists,
    'Every page but the last holds exactly `itemsPerPage` items, and the last no more.', moreItems],
  ['pagination.same-items', 'MUST', '4.12', ['list-segments'],
    'A segment is shown alike on every page, with every limit.', moreItems],
  ['pagination.total', 'MUST', '2.1', lists,
    '`totalItems` is the number of items on all pages together, on every page and with every limit.', moreItems],
  ['pagination.limit-obeyed', 'MUST', '4.11', lists,
    'A page is never larger than the `limit` that was asked for, and `itemsPerPage` says no more than it.', ofOnePage],
  ['pagination.next-null', 'MUST', '2.1', lists,
    '`nextPage` is null on the last page and nowhere else.'],
  ['pagination.previous-null', 'MUST', '2.1', lists,
    '`previousPage` is null on the first page and nowhere else.', sporadic],
  ['pagination.link-page', 'MUST', '2.1', lists,
    'The links to the next and the previous page carry the number of that page in `page`.', ofOnePage],
  ['pagination.link-limit', 'MUST', '2.1', lists,
    'The links to the next and the previous page carry the reported `itemsPerPage` in `limit`.', ofOnePage],
  ['pagination.relative-link', 'SHOULD', '2.1', lists,
    'The link to the next page is relative: it has neither a scheme nor an authority.', { standard: 'RFC 3986 §4.2', conditional: true }],
  ['pagination.event-link-path', 'MUST', '4.15', endpointsWhere(row => row.statedLinks === true),
    'The `nextPage` and `all` links of a list of logged events, unless null or empty, lead to a path below that of the event.',
    moreItems],
  ['pagination.all-link', 'MUST', '2.1', lists,
    'The `all` link, unless it is empty, leads to the whole list on one page.',
    { unverified: 'The path of a link is open and never followed, and no query that asks for an unpaged list is given.' }],
  ['pagination.odd-values', 'MUST', '8', lists,
    'A page or limit that is zero, negative, huge or no number never brings a 5xx status.', { standard: 'RFC 9110 §15.6', sporadic: true }],
]);
