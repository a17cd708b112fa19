import { endpointRow } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { copyKeyOf, haveIdentity, itemInWords, keyOf, repeatedIn } from '../../judge/items.ts';
import { isClientError, livenessViolations } from '../../judge/outcome.ts';
import { lastPage, linkQuery, type Page, pageViolations, readPage } from '../../judge/page.ts';
import { coveredByPage } from '../../judge/page-covers.ts';
import { type Answer, type ApiRequest, isSilence } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, type Session, type Violation, violation } from '../../protocol/check.ts';
import { pages } from '../passive/pages.ts';

/** Maximum number of pages per walk, fewer of large pages; of a longer list the first ones are read. */
const mostPages = 80;
const mostItems = 10_000;
/** Number of pages read of a list beyond `mostPages`: it is not read whole, so only single pages are judged. */
const mostOfLong = 20;

/** A walk over the pages of a list, and its violations. */
export interface Walk {
  /** Violations that single pages show by themselves. */
  readonly violations: readonly Violation[];
  /** The requirements of single pages that could have been broken. */
  readonly covers: ReadonlySet<RequirementId>;
  /** The keys that distinguish the items, in list order; null if the walk did not reach the end. */
  readonly keys: readonly string[] | null;
  /** By which an item that was met twice is known, in list order (see `copyKeyOf`). */
  readonly copies: readonly string[];
  /** True if every item has an identity. */
  readonly identified: boolean;
  /** The last page that was read, or null. */
  readonly last: Page | null;
  /** The totals that the pages stated, in their order. */
  readonly totals: readonly number[];
  /** True if every page stated the same total. */
  readonly steady: boolean;
  /** `refused`: the first page was refused. `unreadable`: a page could not be read, or was not answered. */
  readonly ended: 'whole' | 'partial' | 'refused' | 'unreadable';
  /** The refusal of the first page. */
  readonly refusal: Answer | null;
}

/** The request for a list without a query, from a check that judges the pages itself. */
export const listRequest = (context: CheckContext): ApiRequest => ({
  ...minimalApiRequest(context),
  judgedApart: [pages.id],
});

/** Counts the new items on the pages that follow a page by its links. */
export async function countBeyond(context: CheckContext, session: Session, first: Page): Promise<number> {
  const met = new Set(first.items.map(item => keyOf(item, context.row)));
  const onFirst = met.size;
  let page: Page | null = first;
  for (let number = 2; number <= mostPages && page !== null && page.nextPage !== null; number += 1) {
    const query: Record<string, string> = linkQuery(page.nextPage);
    page = readPage(await session.send({ ...listRequest(context), query }));
    const known = met.size;
    for (const item of page?.items ?? []) met.add(keyOf(item, context.row));
    if (met.size === known) break;
  }
  return met.size - onFirst;
}

/**
 * The way in which a walk sends parameters that are both stated (sections 4.11 and 4.12). `together`: both, the limit
 * first; `turned`: both, the page first; `sparse`: a parameter at its default is left out.
 */
export type Asking = 'together' | 'turned' | 'sparse';

function queryOf(asking: Asking, page: number, limit: number | undefined): Record<string, number> {
  if (asking === 'sparse') return { ...(page === 1 ? {} : { page }), ...(limit === undefined ? {} : { limit }) };
  const known = limit === undefined ? {} : { limit };
  return asking === 'turned' ? { page, ...known } : { ...known, page };
}

/** Walks over the pages of a list, with a limit if given, and judges each page by itself (section 2.1). */
export async function walkList(
  context: CheckContext,
  session: Session,
  limit: number | undefined,
  asking: Asking = 'together',
): Promise<Walk> {
  const { row } = context;
  const minimal = listRequest(context);
  const violations: Violation[] = [];
  const covers = new Set<RequirementId>();
  const keys: string[] = [];
  const copies: string[] = [];
  const totals: number[] = [];
  let identified = true;
  let last: Page | null = null;
  const stated = row.query !== null;
  const first = queryOf(stated ? asking : 'together', 1, limit);
  let query: Record<string, string | number> | undefined =
    limit === undefined || Object.keys(first).length === 0 ? undefined : first;
  const end = (ended: Walk['ended'], refusal: Answer | null = null): Walk => {
    const steady = new Set(totals).size <= 1;
    // Pages of a list that changed meanwhile do not show one moment.
    const told = steady ? violations : [];
    const read = { violations: told, covers, keys: ended === 'whole' ? keys : null, copies, identified, last };
    return { ...read, totals, steady, ended, refusal };
  };
  for (let number = 1; number <= mostPages; number += 1) {
    const answer = await session.send(query === undefined ? minimal : { ...minimal, query });
    const page = readPage(answer);
    if (isSilence(answer)) violations.push(...livenessViolations(answer));
    if (page === null) return number === 1 && isClientError(answer) ? end('refused', answer) : end('unreadable');
    last = page;
    totals.push(page.totalItems);
    violations.push(...pageViolations(page, { page: number, limit }, row));
    for (const requirement of coveredByPage(page, { page: number, limit }, row)) covers.add(requirement);
    for (const item of page.items) {
      keys.push(keyOf(item, row));
      copies.push(copyKeyOf(item, row));
    }
    identified &&= haveIdentity(page.items, row);
    if (number >= lastPage(page) || page.items.length === 0) return end('whole');
    if (keys.length >= mostItems || (lastPage(page) > mostPages && number >= mostOfLong)) break;
    const link = page.nextPage === null ? {} : linkQuery(page.nextPage);
    // Keep a link's other parameters. Its page and limit were judged above; do not follow them in case they are wrong.
    const others = stated ? Object.entries(link).filter(([name]) => name !== 'page' && name !== 'limit') : [];
    query = stated
      ? { ...queryOf(asking, number + 1, limit), ...Object.fromEntries(others) }
      : { ...link, limit: limit ?? link.limit ?? page.itemsPerPage, page: number + 1 };
  }
  return end('partial');
}

/** Returns the items of a walk as a comparable set; items without identity may repeat. */
const itemsOf = ({ keys, identified }: Walk): string =>
  JSON.stringify(identified ? [...new Set(keys)].sort() : [...(keys ?? [])].sort());

/** True if two walks met the same items, in whatever order and however often. */
export const meetSameItems = (one: Walk, other: Walk): boolean => itemsOf(one) === itemsOf(other);

/**
 * Returns the items that only the other walk met; none unless it met all of the first one's too. A walk whose last page
 * still has a next one ended because of its total, and so skipped nothing.
 */
function skippedBy(walk: Walk, other: Walk): readonly string[] {
  const isComparable = walk.identified && other.identified;
  if (!isComparable || walk.last?.nextPage !== null) return [];
  const met = new Set(walk.keys);
  const all = new Set(other.keys);
  return [...met].every(key => all.has(key)) ? [...all].filter(key => !met.has(key)) : [];
}

/**
 * Judges a walk that reached the end, by itself and against another of the same moment. No item may repeat, none may be
 * skipped, the total must be right, and the items must be the other walk's. Repeats and gaps show only if items have an
 * identity. Totals are judged only if they were stable.
 */
export function walkViolations(walk: Walk, other: Walk | null, totalsStand = true): Violation[] {
  const { keys, copies, identified, last } = walk;
  if (keys === null || last === null) return [];
  const { answer, totalItems } = last;
  const row = endpointRow(answer.request.endpoint);
  const wrong: Violation[] = [];
  const add = (requirement: RequirementId, pointer: string, expected: string, actual: string): void =>
    void wrong.push(violation(answer, requirement, pointer, expected, actual));
  const addTotal = (expected: string): void =>
    add('pagination.total', '/pagination/totalItems', expected, `${totalItems}`);
  const twice = identified ? repeatedIn(copies) : undefined;
  if (twice !== undefined)
    add('pagination.complete', '/data', 'each item on one page, once', `${itemInWords(twice, row)} came twice`);
  const isTotalJudged = totalsStand && walk.steady;
  const skipped = other?.keys == null ? [] : skippedBy(walk, other);
  const [first] = skipped;
  if (first !== undefined) {
    const expected = 'each item on one page, once, as with another limit';
    add('pagination.complete', '/data', expected, `${itemInWords(first, row)} is on no page`);
    const all = keys.length + skipped.length;
    if (isTotalJudged && totalItems !== all && totalItems !== keys.length)
      addTotal(`${all}, the items that there are with another limit`);
    return wrong;
  }
  if (isTotalJudged && keys.length !== totalItems) addTotal(`${keys.length}, the items on all pages together`);
  if (other === null || other.keys === null || wrong.length > 0) return wrong;
  // Do not report for the whole what single pages already show.
  if (walk.violations.length > 0 || other.violations.length > 0) return wrong;
  if (!meetSameItems(walk, other)) {
    const at = keys.findIndex((key, index) => key !== other.keys?.[index]);
    const actual = at < 0 ? 'fewer of them' : `from item ${at + 1} on, other items than with another limit`;
    add('pagination.complete', '/data', 'the same items whatever the limit', actual);
  } else if (isTotalJudged && other.steady && other.last !== null && other.last.totalItems !== totalItems)
    addTotal(`${other.last.totalItems}, as with another limit`);
  return wrong;
}
