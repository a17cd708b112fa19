import type { Endpoint } from '../../contracts/endpoint.ts';
import { membersOf } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Answer } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/check.ts';
import type { Said } from '../protocol/fault.ts';
import { copyKeyOf, haveIdentity, itemInWords, repeatedIn } from './items.ts';
import { said } from './words.ts';

/** One page of a list, as far as it can be read. */
export interface Page {
  readonly answer: Answer;
  readonly items: readonly unknown[];
  readonly itemsPerPage: number;
  readonly pageNumber: number;
  readonly totalItems: number;
  readonly nextPage: string | null;
  readonly previousPage: string | null;
}

/** Minimum number of items for a walk with pages larger than the default. */
export const longEnough = 14;

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isLink = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** Reads a page; null if the answer is none, or its pagination is not well typed (which the schema check reports). */
export function readPage(answer: Answer): Page | null {
  const { itemsPerPage, pageNumber, totalItems, nextPage, previousPage } = membersOf(
    membersOf(answer.value).pagination,
  );
  if (!answer.success || !Array.isArray(answer.data)) return null;
  if (!isCount(itemsPerPage) || !isCount(pageNumber) || !isCount(totalItems)) return null;
  if (!isLink(nextPage) || !isLink(previousPage)) return null;
  return { answer, items: answer.data, itemsPerPage, pageNumber, totalItems, nextPage, previousPage };
}

/** Returns the query of a link, the only part that is ever followed. */
export function linkQuery(link: string): Record<string, string> {
  const query = link.includes('?') ? link.slice(link.indexOf('?') + 1) : '';
  return Object.fromEntries(new URLSearchParams(query.split('#')[0]));
}

/** Returns the number of the last page of a list (1 for an empty one). */
export const lastPage = ({ totalItems, itemsPerPage }: Page): number =>
  itemsPerPage === 0 ? 1 : Math.max(1, Math.ceil(totalItems / itemsPerPage));

/** Judges the items, size, number and links of a page (section 2.1). `asked`: the page and, if sent, the limit. */
export function pageViolations(
  page: Page,
  asked: { page: number; limit?: number | undefined },
  row: Endpoint,
): Violation[] {
  const { answer, items, itemsPerPage, pageNumber, totalItems } = page;
  const limit = asked.limit ?? Number.POSITIVE_INFINITY;
  const wrong: Violation[] = [];
  const add = (requirement: RequirementId, pointer: string, expected: string | Said, actual: string | Said): void =>
    void wrong.push(violation(answer, requirement, pointer, expected, actual));
  const twice = haveIdentity(items, row) ? repeatedIn(items.map(item => copyKeyOf(item, row))) : undefined;
  if (twice !== undefined)
    add('pagination.no-repeat', '/data', 'each item once', `${itemInWords(twice, row)} came twice`);
  if (itemsPerPage > limit)
    add('pagination.limit-obeyed', '/pagination/itemsPerPage', `at most the ${limit} asked for`, said(itemsPerPage));
  // Of an empty list no size is stated.
  if (itemsPerPage === 0 && (items.length > 0 || totalItems > 0)) {
    add('pagination.page-size', '/pagination/itemsPerPage', 'a page size above 0', said(itemsPerPage));
    return wrong;
  }
  const last = lastPage(page);
  // The page is past the end, because others shortened the list meanwhile: nothing is stated of its items and links.
  if (asked.page > last) return wrong;
  const due = asked.page < last ? itemsPerPage : Math.max(0, totalItems - (last - 1) * itemsPerPage);
  if (items.length !== due) {
    const requirement = items.length > limit ? 'pagination.limit-obeyed' : 'pagination.page-size';
    const expected = `${due} items on page ${asked.page} of ${last} (${totalItems} items, ${itemsPerPage} a page)`;
    add(requirement, '/data', expected, `${items.length} items`);
  }
  if (pageNumber !== asked.page)
    add('pagination.page-number', '/pagination/pageNumber', said(asked.page), said(pageNumber));
  return [
    ...wrong,
    ...linkViolations(page, asked.page, last),
    ...(row.statedLinks ? linkPathViolations(page, row) : []),
  ];
}

/** Judges the links of a page to the one after it and the one before it. */
function linkViolations(page: Page, number: number, last: number): Violation[] {
  const links = [
    { name: 'nextPage', due: number < last, target: number + 1, requirement: 'pagination.next-null' },
    { name: 'previousPage', due: number > 1, target: number - 1, requirement: 'pagination.previous-null' },
  ] as const;
  return links.flatMap(({ name, due, target, requirement }) => {
    const link = page[name];
    const wrong = (id: RequirementId, expected: string | Said) =>
      violation(page.answer, id, `/pagination/${name}`, expected, said(link));
    if ((link !== null) !== due) {
      const why = `, because this is page ${number} of ${last}`;
      return [wrong(requirement, due ? `a link${why}` : said(null, why))];
    }
    if (link === null) return [];
    const query = linkQuery(link);
    return [
      ...(query.page === String(target) ? [] : [wrong('pagination.link-page', `page=${target} in its query`)]),
      ...(query.limit === String(page.itemsPerPage)
        ? []
        : [wrong('pagination.link-limit', `limit=${page.itemsPerPage} in its query`)]),
    ];
  });
}

/** Returns the path of a link, absolute or relative; if it is no URL reference, everything before its query. */
export function pathOf(link: string): string {
  try {
    return new URL(link, 'http://relative.invalid').pathname;
  } catch {
    return link.split('?')[0] ?? '';
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Judges the path of the links in a list of logged events: it must be that of the event (section 4.15). */
function linkPathViolations({ answer }: Page, row: Endpoint): Violation[] {
  const pagination = membersOf(membersOf(answer.value).pagination);
  const path = row.path.replace(/\{\w+\}/, () => answer.request.param ?? '');
  return ['nextPage', 'all'].flatMap(name => {
    const link = pagination[name];
    if (typeof link !== 'string' || link === '') return [];
    const pathname = decoded(pathOf(link));
    const at = pathname.indexOf(path);
    const rest = pathname[at + path.length];
    if (at >= 0 && (rest === undefined || rest === '/')) return [];
    const pointer = `/pagination/${name}`;
    return [violation(answer, 'pagination.event-link-path', pointer, `a path under ${path}`, said(link))];
  });
}
