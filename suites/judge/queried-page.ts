import type { Endpoint } from '../../contracts/endpoint.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { type Violation, violation } from '../protocol/check.ts';
import { type Page, pageViolations } from './page.ts';
import { coveredByPage } from './page-covers.ts';
import { said } from './words.ts';

/** The page and the limit that a request asks for, where it does. */
export interface Queried {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * Returns what a `page` or `limit` asks for: undefined where it is absent, null for what is no usual number, as any
 * answer to that is open.
 */
export function askedNumber(value: string | number | undefined): number | undefined | null {
  if (value === undefined) return undefined;
  return /^[1-9]\d{0,5}$/.test(String(value)) ? Number(value) : null;
}

/** The default page size of the two lists whose query is stated (sections 4.11, 4.12 and 8). */
const defaultLimit = 10;

/** Judges a page by the query of its request, and by the defaults where they are stated (sections 4.11, 4.12 and 8). */
export function judgeByQuery(
  page: Page,
  { page: number, limit }: Queried,
  row: Endpoint,
): { readonly violations: readonly Violation[]; readonly covers: ReadonlySet<RequirementId> } {
  const { answer, itemsPerPage } = page;
  const asked = { page: number ?? 1, limit };
  const violations = pageViolations(page, asked, row);
  const covers = coveredByPage(page, asked, row);
  if (row.query === null) return { violations, covers };
  if (limit === undefined) {
    const [id, place] = ['pagination.default-limit', '/pagination/itemsPerPage'] as const;
    covers.add(id);
    if (itemsPerPage !== defaultLimit)
      violations.push(violation(answer, id, place, said(defaultLimit, ', the default'), said(itemsPerPage)));
  }
  if (number !== undefined) return { violations, covers };
  covers.add('pagination.default-page');
  // The wrong number of a page that was not asked for breaks the rule on the default page.
  const byDefault = violations.map(one =>
    one.requirement === 'pagination.page-number' ? { ...one, requirement: 'pagination.default-page' as const } : one,
  );
  return { violations: byDefault, covers };
}
