import { pageViolations, readPage } from '../../judge/page.ts';
import { coveredByPage } from '../../judge/page-covers.ts';
import { said } from '../../judge/words.ts';
import { violation } from '../../protocol/check.ts';
import { type Judged, nothing } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The id of the check that compares each page of a list with the request. */
export const pagesCheck = 'pages';

/** True if a parameter is absent, or one usual number. */
const isUsual = (given: readonly string[]): boolean =>
  given.length < 2 && given.every(one => /^[1-9]\d{0,5}$/.test(one));

/** Returns the page that a request asks for; undefined if no list has it, because the answer is then open. */
export function askedIn({ query }: SeenExchange): { readonly page: number; readonly limit?: number } | undefined {
  if (!isUsual(query.getAll('page')) || !isUsual(query.getAll('limit'))) return undefined;
  const limit = query.get('limit');
  return { page: Number(query.get('page') ?? 1), ...(limit === null ? {} : { limit: Number(limit) }) };
}

/** Returns the undocumented query parameters of a list, which may filter or sort its items. */
export const otherParameters = ({ query }: SeenExchange): string =>
  [...query]
    .filter(([name]) => name !== 'page' && name !== 'limit')
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .slice(0, 300);

/**
 * Judges one page of a list by its own numbers and by the request (sections 2.1, 4.11 and 8). `isOpen`: the list has no
 * stated query and no link offered the parameters, so any answer is allowed.
 */
export function judgePage(seen: SeenExchange, isOpen: boolean): Judged {
  const { row, answer, operation, query } = seen;
  const asked = askedIn(seen);
  const page = operation !== undefined && row.list && !isOpen ? readPage(answer) : null;
  if (page === null || asked === undefined) return nothing;
  const isByDefault = (name: string): boolean => row.query !== null && !query.has(name);
  // A wrong number of an unrequested page breaks the rule on the default page.
  const breaches = pageViolations(page, asked, row).map(one =>
    one.requirement === 'pagination.page-number' && isByDefault('page')
      ? { ...one, requirement: 'pagination.default-page' as const }
      : one,
  );
  const covers = [...coveredByPage(page, asked, row)];
  // The default page size of the two lists with a stated query (sections 4.11, 4.12 and 8).
  if (isByDefault('limit')) {
    const [id, place] = ['pagination.default-limit', '/pagination/itemsPerPage'] as const;
    const { itemsPerPage: size } = page;
    if (size !== 10) breaches.push(violation(answer, id, place, said(10, ', the default'), said(size)));
    covers.push(id);
  }
  if (isByDefault('page')) covers.push('pagination.default-page');
  return { breaches, covers };
}
