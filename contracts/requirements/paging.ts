import { endpointsWhere } from '../endpoints.ts';
import { lists, statedPaging } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/** What a list of one page cannot show. */
const moreItems = 'give each list 14 items or more';

/** Sections 2.1, 4.2, 4.11, 4.12, 4.14, 4.15 and 8: how lists are cut into pages. */
// biome-ignore format: a table
export const paginationRequirements = [
  { id: 'query.limit', section: '4.11', level: 'MUST', endpoints: statedPaging,
    restsOn: ['pagination.limit-obeyed'],
    remedy: moreItems,
    statement: 'The `limit` of the query is the number of results that a page may hold.' },
  { id: 'query.page', section: '4.11', level: 'MUST', endpoints: statedPaging,
    restsOn: ['pagination.page-number'],
    remedy: moreItems,
    statement: 'The `page` of the query is the number of the page that comes.' },
  { id: 'pagination.default-limit', section: '8', level: 'MUST', endpoints: statedPaging,
    statement: 'Without a `limit` a page holds ten items.' },
  { id: 'pagination.default-page', section: '8', level: 'MUST', endpoints: statedPaging,
    statement: 'Without a `page` the first page, number 1, comes.' },
  { id: 'pagination.page-number', section: '2.1', level: 'MUST', endpoints: lists,
    statement: '`pageNumber` is the number of the page that was asked for, counted from 1.' },
  { id: 'pagination.complete', section: '2.1', level: 'MUST', endpoints: lists,
    remedy: moreItems,
    statement: 'A walk over all pages meets each item once, none twice and none never.' },
  { id: 'pagination.page-size', section: '2.1', level: 'MUST', endpoints: lists,
    remedy: moreItems,
    statement: 'Every page but the last holds exactly `itemsPerPage` items, and the last no more.' },
  { id: 'pagination.total', section: '2.1', level: 'MUST', endpoints: lists,
    remedy: moreItems,
    statement: '`totalItems` is the number of items on all pages together, on every page and with every limit.' },
  { id: 'pagination.limit-obeyed', section: '4.11', level: 'MUST', endpoints: lists,
    remedy: moreItems,
    statement: 'A page is never larger than the `limit` that was asked for, and `itemsPerPage` says no more than it.' },
  { id: 'pagination.next-null', section: '2.1', level: 'MUST', endpoints: lists,
    statement: '`nextPage` is null on the last page and nowhere else.' },
  { id: 'pagination.previous-null', section: '2.1', level: 'MUST', endpoints: lists,
    statement: '`previousPage` is null on the first page and nowhere else.' },
  { id: 'pagination.link-page', section: '2.1', level: 'MUST', endpoints: lists,
    remedy: moreItems,
    statement: 'The links to the next and the previous page carry the number of that page in `page`.' },
  { id: 'pagination.link-limit', section: '2.1', level: 'MUST', endpoints: lists,
    remedy: moreItems,
    statement: 'The links to the next and the previous page carry the reported `itemsPerPage` in `limit`.' },
  { id: 'pagination.event-link-path', section: '4.15', level: 'MUST', endpoints: endpointsWhere(row => row.statedLinks === true),
    remedy: moreItems,
    statement: 'The `nextPage` and `all` links of a list of logged events, unless null or empty, lead to a path below that of the event.' },
  { id: 'pagination.all-link', section: '2.1', level: 'MUST', endpoints: lists,
    statement: 'The `all` link, unless it is empty, leads to the whole list on one page.',
    unverified: 'The path of a link is open and never followed, and no query that asks for an unpaged list is given.' },
  { id: 'pagination.odd-values', section: '8', standard: 'RFC 9110 §15.6', level: 'MUST', sporadic: true, endpoints: lists,
    statement: 'A page or limit that is zero, negative, huge or no number never brings a 5xx status.' },
] as const satisfies RequirementTable;
