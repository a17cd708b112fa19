import type { Endpoint } from '../../../contracts/endpoint.ts';
import { membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { lastPage, linkQuery, type Page, pageViolations, readPage } from '../../judge/page.ts';
import { coveredByPage } from '../../judge/page-covers.ts';
import { inWords } from '../../judge/words.ts';
import { type CheckContext, minimalApiRequest, type Session, type Violation, violation } from '../../protocol/check.ts';

/** So many pages of one walk are read, and of large pages fewer; of a longer list the first ones. */
const mostPages = 80;
const mostItems = 10_000;

/** A walk over the pages of a list, and what was wrong on the way. */
export interface Walk {
  readonly violations: readonly Violation[];
  /** What its pages could show to be broken. */
  readonly covers: ReadonlySet<RequirementId>;
  /** What tells each item from the others, in the order of the list; null where the walk did not reach its end. */
  readonly keys: readonly string[] | null;
  /** `refused`: the limit was refused. `changed`: the list changed under the walk. */
  readonly ended: 'whole' | 'partial' | 'refused' | 'changed' | 'unreadable';
}

/** True if every item has its identity, so that two of one key are one item met twice. */
const haveIdentity = (items: readonly unknown[], { itemKey }: Endpoint): boolean =>
  itemKey.length > 0 && items.every(item => itemKey.every(field => membersOf(item)[field] !== undefined));

/** What tells an item from others: its identity, or else all documented members, for the others may vary by answer. */
function keyOf(item: unknown, row: Endpoint): string {
  const fields = haveIdentity([item], row) ? row.itemKey : Object.keys(row.data.properties ?? {});
  return JSON.stringify(fields.map(field => membersOf(item)[field] ?? null));
}

/** Judges a walk that met all items: none came twice, and there are as many as the pages tell. */
function completenessViolations(
  keys: readonly string[],
  { answer, totalItems }: Page,
  identified: boolean,
): Violation[] {
  const seen = new Set<string>();
  const twice = identified ? keys.find(key => seen.size === seen.add(key).size) : undefined;
  const wrong: Violation[] = [];
  if (twice !== undefined) {
    const actual = `${inWords(JSON.parse(twice))} came twice`;
    wrong.push(violation(answer, 'pagination.complete', '/data', 'each item on one page, once', actual));
  }
  if (keys.length !== totalItems) {
    const expected = `${keys.length}, the items on all pages together`;
    wrong.push(violation(answer, 'pagination.total', '/pagination/totalItems', expected, String(totalItems)));
  }
  return wrong;
}

/** Walks over the pages of a list, with a limit if one is given, and judges each page and the whole (section 2.1). */
export async function walkList(context: CheckContext, session: Session, limit: number | undefined): Promise<Walk> {
  const { row } = context;
  const minimal = minimalApiRequest(context);
  const violations: Violation[] = [];
  const covers = new Set<RequirementId>();
  const keys: string[] = [];
  let identified = true;
  let query: Record<string, string | number> | undefined = limit === undefined ? undefined : { limit, page: 1 };
  let totalItems: number | undefined;
  for (let number = 1; number <= mostPages; number += 1) {
    const answer = await session.send(query === undefined ? minimal : { ...minimal, query });
    const page = readPage(answer);
    if (page === null)
      return { violations, covers, keys: null, ended: number === 1 && !answer.success ? 'refused' : 'unreadable' };
    totalItems ??= page.totalItems;
    if (page.totalItems !== totalItems) return { violations: [], covers: new Set(), keys: null, ended: 'changed' };
    violations.push(...pageViolations(page, { page: number, limit }, row));
    for (const id of coveredByPage(page, { page: number, limit }, row)) covers.add(id);
    for (const item of page.items) keys.push(keyOf(item, row));
    identified &&= haveIdentity(page.items, row);
    if (number >= lastPage(page) || page.items.length === 0) {
      violations.push(...completenessViolations(keys, page, identified));
      if (keys.length > 0) covers.add('pagination.total');
      // One page repeats and loses nothing: what can go wrong goes wrong at its edge.
      if (number > 1) covers.add('pagination.complete');
      return { violations, covers, keys, ended: 'whole' };
    }
    if (keys.length >= mostItems) break;
    const link = page.nextPage === null ? {} : linkQuery(page.nextPage);
    // What else a link carries is kept; its page and its limit were judged above and are not followed when wrong.
    query = { ...link, limit: limit ?? link.limit ?? page.itemsPerPage, page: number + 1 };
  }
  return { violations, covers, keys: null, ended: 'partial' };
}

/** Judges two walks with different limits: they meet the same items. Items without identity are told by this alone. */
export function sequenceViolations(walk: Walk, reference: Walk, answer: Violation['answer']): Violation[] {
  const { keys, violations } = walk;
  const known = reference.keys;
  if (keys === null || known === null || violations.length > 0 || reference.violations.length > 0) return [];
  if (JSON.stringify(keys.toSorted()) === JSON.stringify(known.toSorted())) return [];
  const other = keys.findIndex((key, index) => key !== known[index]);
  const actual = `from item ${other + 1} on, other items than with the default limit`;
  return [violation(answer, 'pagination.complete', '/data', 'the same items whatever the limit', actual)];
}
