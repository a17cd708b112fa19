import type { Endpoint } from '../../../contracts/endpoint.ts';
import { lastPage, linkQuery, type Page, pageViolations, readPage } from '../../judge/page.ts';
import { inWords } from '../../judge/words.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  unproved,
} from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import type { Violation } from '../../protocol/violation.ts';
import { type WalkCase, walkCases } from './page-sizes.ts';

/** So many pages of one walk are read, and of large pages fewer; of a longer list the first ones. */
const mostPages = 80;
const mostItems = 10_000;

interface Walk {
  readonly violations: Violation[];
  readonly items: readonly string[] | null;
  /** `refused`: the limit was refused. `changed`: the list changed under the walk. */
  readonly ended: 'whole' | 'partial' | 'refused' | 'changed' | 'unreadable';
}

/** True if every item has its identity, so that two of one key are one item met twice. */
const haveIdentity = (items: readonly unknown[], row: Endpoint): boolean =>
  row.itemKey.length > 0 &&
  items.every(item =>
    row.itemKey.every(field => (item as Readonly<Record<string, unknown>> | null)?.[field] !== undefined),
  );

/** What tells items from one another: their identity, or else all that is documented of them, for other members may differ from answer to answer. */
function keyOf(item: unknown, row: Endpoint): string {
  const entity = item as Readonly<Record<string, unknown>> | null;
  const documented = Object.keys('properties' in row.data ? (row.data.properties ?? {}) : {});
  const fields = haveIdentity([item], row) ? row.itemKey : documented;
  return JSON.stringify(fields.map(field => entity?.[field] ?? null));
}

async function walk(context: CheckContext, session: Session, limit: number | undefined): Promise<Walk> {
  const { row } = context;
  const minimal = minimalApiRequest(context);
  const violations: Violation[] = [];
  const keys: string[] = [];
  let identified = true;
  let query: Record<string, string | number> = limit === undefined ? {} : { limit, page: 1 };
  let first: Page | null = null;
  for (let number = 1; number <= mostPages; number += 1) {
    const answer = await session.send(Object.keys(query).length === 0 ? minimal : { ...minimal, query });
    const page = readPage(answer);
    if (page === null)
      return { violations, items: null, ended: number === 1 && !answer.success ? 'refused' : 'unreadable' };
    first ??= page;
    if (page.totalItems !== first.totalItems) return { violations: [], items: null, ended: 'changed' };
    violations.push(...pageViolations(page, { page: number, limit }, row));
    for (const item of page.items) keys.push(keyOf(item, row));
    identified &&= haveIdentity(page.items, row);
    const last = lastPage(page);
    if (number >= last || page.items.length === 0) {
      return {
        violations: [...violations, ...completenessViolations(keys, page, identified)],
        items: keys,
        ended: 'whole',
      };
    }
    if (keys.length >= mostItems) break;
    const link = page.nextPage === null ? {} : linkQuery(page.nextPage);
    // What else a link carries is kept; its page and its limit were judged above and are not followed when they are wrong.
    query = { ...link, limit: limit ?? link.limit ?? page.itemsPerPage, page: number + 1 };
  }
  return { violations, items: null, ended: 'partial' };
}

function completenessViolations(keys: readonly string[], page: Page, identified: boolean): Violation[] {
  const violations: Violation[] = [];
  if (identified) {
    const seen = new Set<string>();
    const twice = keys.find(key => seen.size === seen.add(key).size);
    if (twice !== undefined) {
      violations.push({
        requirement: 'pagination.complete',
        pointer: '/data',
        expected: 'each item on one page, once',
        actual: `${inWords(JSON.parse(twice))} came twice`,
        answer: page.answer,
      });
    }
  }
  if (keys.length !== page.totalItems) {
    violations.push({
      requirement: 'pagination.total',
      pointer: '/pagination/totalItems',
      expected: `${keys.length}, the items on all pages together`,
      actual: String(page.totalItems),
      answer: page.answer,
    });
  }
  return violations;
}

/** The plain listing: the defaults where they are stated, the frame of the page in any case. */
function firstPage(context: CheckContext) {
  return async (session: Session): Promise<CheckResult> => {
    const answer = await session.send(minimalApiRequest(context));
    const page = readPage(answer);
    if (page === null)
      return unproved(
        answer.success ? 'the pagination could not be read' : `the list was refused (status ${answer.status})`,
      );
    const stated = context.row.query !== null;
    const violations: Violation[] =
      stated && page.itemsPerPage !== 10
        ? [
            {
              requirement: 'pagination.default-limit',
              pointer: '/pagination/itemsPerPage',
              expected: '10, the default',
              actual: inWords(page.itemsPerPage),
              answer,
            },
          ]
        : [];
    if (stated && page.pageNumber !== 1) {
      violations.push({
        requirement: 'pagination.default-page',
        pointer: '/pagination/pageNumber',
        expected: '1, the default',
        actual: inWords(page.pageNumber),
        answer,
      });
    }
    const others = pageViolations(page, { page: 1 }, context.row).filter(
      violation => !(stated && violation.requirement === 'pagination.page-number'),
    );
    return { violations: [...violations, ...others], proved: true };
  };
}

/** Walks with the default page size, then with another, and compares. */
function walker(context: CheckContext) {
  let reference: Promise<Walk> | undefined;
  return async (input: WalkCase, session: Session): Promise<CheckResult> => {
    const minimal = await session.send(minimalApiRequest(context));
    const page = readPage(minimal);
    if (page === null) return unproved('the first page could not be read');
    if (page.totalItems === 0) return unproved('the list is empty');
    const single = page.nextPage === null && page.totalItems <= page.itemsPerPage;
    if (context.row.query === null && single)
      return unproved('the whole list is on one page and no link carries a limit');
    if (context.row.query === null && page.nextPage !== null && linkQuery(page.nextPage).limit === undefined) {
      return unproved('no link carries a limit, so none may be sent');
    }
    const limit = input.limit(page.totalItems);
    if (limit === null) return unproved(`a list of ${page.totalItems} items has no pages of that kind`);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const done = await walk(context, session, limit);
      if (done.ended === 'changed') continue;
      if (done.ended === 'refused') {
        if (limit > 10 || context.row.query === null) return unproved(`a limit of ${limit} is refused, which is open`);
        const actual = `the limit ${limit} was refused`;
        return {
          violations: [
            {
              requirement: 'pagination.limit-obeyed',
              pointer: 'status',
              expected: 'a page of that limit',
              actual,
              answer: minimal,
            },
          ],
          proved: true,
        };
      }
      if (done.ended === 'unreadable') return unproved('a page could not be read');
      reference ??= walk(context, session, context.row.query === null ? undefined : 10);
      const known = await reference;
      return {
        violations: [...done.violations, ...known.violations, ...sequenceViolations(done, known, minimal)],
        proved: true,
      };
    }
    return unproved('the list changed during each of three walks');
  };
}

/** Walks with different limits meet the same items in the same order; logged events have no identity, so this is all that tells. */
function sequenceViolations(done: Walk, known: Walk, answer: Violation['answer']): Violation[] {
  if (done.items === null || known.items === null || done.violations.length > 0 || known.violations.length > 0)
    return [];
  const sorted = (items: readonly string[]): string => JSON.stringify([...items].sort());
  if (sorted(done.items) === sorted(known.items)) return [];
  const other = done.items.findIndex((item, index) => item !== known.items?.[index]);
  return [
    {
      requirement: 'pagination.complete',
      pointer: '/data',
      expected: 'the same items whatever the limit',
      actual: `from item ${other + 1} on, other items than with the default limit`,
      answer,
    },
  ];
}

/** Sections 2.1, 4.11, 4.12 and 8: a walk over the pages of a list meets every item once, whatever the size of the pages. */
export const pagination: ActiveCheck<WalkCase | 'first page'> = {
  kind: 'active',
  id: 'pagination',
  level: 'MUST',
  title: 'A walk over the pages meets every item once, with any page size, and the links and totals are right',
  detects:
    'An item lost or repeated at the edge of a page, a next link on the last page, a limit that is ignored, totals that count one page.',
  requirements: row => [
    'pagination.complete',
    'pagination.page-size',
    'pagination.total',
    'pagination.limit-obeyed',
    'pagination.page-number',
    'pagination.next-null',
    'pagination.previous-null',
    'pagination.link-page',
    'pagination.link-limit',
    ...(row.query === null
      ? []
      : (['pagination.default-limit', 'pagination.default-page', 'query.limit', 'query.page'] as const)),
    ...(row.statedLinks ? (['pagination.event-link-path'] as const) : []),
  ],
  appliesTo: row => row.list,
  plan(context) {
    const first = firstPage(context);
    const others = walker(context);
    return {
      cases: ['first page', ...walkCases.slice(0, context.amounts.walks)],
      parallel: false,
      describe: input => ({ title: input === 'first page' ? 'the plain listing' : input.title, pointer: '' }),
      run: (input, session) => (input === 'first page' ? first(session) : others(input, session)),
    };
  },
};
