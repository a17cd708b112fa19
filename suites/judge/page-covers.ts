import type { Endpoint } from '../../contracts/endpoint.ts';
import { membersOf } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { haveIdentity } from './items.ts';
import type { Page } from './page.ts';

const hasText = (link: unknown): boolean => typeof link === 'string' && link !== '';

/**
 * Returns what a page could show to be broken (section 2.1): sizes if it has items, links if it has any. `asked`: the
 * page and, if sent, the limit. Only a page that heeds the query covers the query.
 */
export function coveredByPage(
  { answer, items, itemsPerPage, pageNumber, nextPage, previousPage }: Page,
  asked: { readonly page: number; readonly limit?: number | undefined },
  row: Endpoint,
): Set<RequirementId> {
  const { all } = membersOf(membersOf(answer.value).pagination);
  const covers = new Set<RequirementId>(['pagination.page-number', 'pagination.next-null', 'pagination.previous-null']);
  if (items.length > 0) covers.add('pagination.page-size');
  if (items.length > 1 && haveIdentity(items, row)) covers.add('pagination.no-repeat');
  if (items.length > 0 && asked.limit !== undefined) {
    covers.add('pagination.limit-obeyed');
    if (row.query !== null && itemsPerPage <= asked.limit) covers.add('query.limit');
  }
  if (asked.page > 1 && row.query !== null && pageNumber === asked.page) covers.add('query.page');
  if (nextPage !== null || previousPage !== null) covers.add('pagination.link-page').add('pagination.link-limit');
  if (row.statedLinks && (hasText(nextPage) || hasText(all))) covers.add('pagination.event-link-path');
  return covers;
}

/** Returns the requirements that the pages of a list can show to be broken. */
export const pagesRequirements = (row: Endpoint): readonly RequirementId[] => [
  'pagination.page-number',
  'pagination.page-size',
  'pagination.limit-obeyed',
  'pagination.next-null',
  'pagination.previous-null',
  'pagination.link-page',
  'pagination.link-limit',
  ...(row.query === null
    ? []
    : (['pagination.default-limit', 'pagination.default-page', 'query.limit', 'query.page'] as const)),
  ...(row.itemKey.length > 0 ? (['pagination.no-repeat'] as const) : []),
  ...(row.statedLinks ? (['pagination.event-link-path'] as const) : []),
];
