import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type Page, pageViolations, readPage } from '../../judge/page.ts';
import { coveredByPage } from '../../judge/page-covers.ts';
import { said } from '../../judge/words.ts';
import { violation } from '../../protocol/check.ts';
import type { Breach } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The id of the check that judges each page of a list by what was asked for. */
export const pagesCheck = 'pages';

/** What of a list was asked for; undefined where that is none of the pages that a list has: then the answer is open. */
export interface Asked {
  readonly page: number;
  readonly limit?: number | undefined;
}

/** A number of the query: `absent`, or undefined where it is no ordinary one. */
function numberIn(query: URLSearchParams, name: string): number | 'absent' | undefined {
  const given = query.getAll(name);
  if (given.length === 0) return 'absent';
  return given.length === 1 && /^[1-9]\d{0,5}$/.test(given[0] ?? '') ? Number(given[0]) : undefined;
}

/** What a request to a list asks for. */
export function askedIn({ query }: Pick<SeenExchange, 'query'>): Asked | undefined {
  const [page, limit] = [numberIn(query, 'page'), numberIn(query, 'limit')];
  if (page === undefined || limit === undefined) return undefined;
  return present({ page: page === 'absent' ? 1 : page, limit: limit === 'absent' ? undefined : limit });
}

/** What else a request to a list asks for: parameters that no section documents, which may choose or sort its items. */
export const otherParameters = ({ query }: Pick<SeenExchange, 'query'>): string =>
  [...query]
    .filter(([name]) => name !== 'page' && name !== 'limit')
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .slice(0, 300);

/** The defaults of the two lists whose query is stated (sections 4.11, 4.12 and 8). */
function defaultBreaches({ query, row, answer }: SeenExchange, page: Page) {
  if (row.query === null) return { violations: [], covers: [] };
  const covers: RequirementId[] = [];
  const violations = [];
  if (!query.has('limit')) {
    covers.push('pagination.default-limit');
    const isTen = page.itemsPerPage === 10;
    const expected = said(10, ', the default');
    if (!isTen)
      violations.push(
        violation(answer, 'pagination.default-limit', '/pagination/itemsPerPage', expected, said(page.itemsPerPage)),
      );
  }
  if (!query.has('page')) covers.push('pagination.default-page');
  return { violations, covers };
}

/**
 * Judges one page of a list by its own numbers and by what was asked for (sections 2.1, 4.11 and 8). What a list with
 * no stated query makes of parameters that no link offered is open: `isOpen`.
 */
export function judgePage(
  seen: SeenExchange,
  isOpen: boolean,
): {
  readonly page: Page | null;
  readonly asked: Asked | undefined;
  readonly breaches: readonly Breach[];
  readonly covers: readonly RequirementId[];
} {
  const { row, answer, operation } = seen;
  const asked = askedIn(seen);
  const page = operation !== undefined && row.list && !isOpen ? readPage(answer) : null;
  if (page === null || asked === undefined) return { page: null, asked, breaches: [], covers: [] };
  const own = defaultBreaches(seen, page);
  const violations = [...pageViolations(page, asked, row), ...own.violations];
  // A default page of another number is the default's fault.
  const told = violations.map(one =>
    one.requirement === 'pagination.page-number' && row.query !== null && !seen.query.has('page')
      ? { ...one, requirement: 'pagination.default-page' as const }
      : one,
  );
  return {
    page,
    asked,
    breaches: told.map(one => ({ side: 'server', check: pagesCheck, violation: one })),
    covers: [...coveredByPage(page, asked, row), ...own.covers],
  };
}
