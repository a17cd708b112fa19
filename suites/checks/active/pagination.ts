import { linkQuery, pageViolations, readPage } from '../../judge/page.ts';
import { coveredByPage } from '../../judge/page-covers.ts';
import { inWords } from '../../judge/words.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckPlan,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
  violated,
  violation,
} from '../../protocol/check.ts';
import { type WalkCase, walkCases } from './page-sizes.ts';
import { sequenceViolations, type Walk, walkList } from './walk.ts';

/** The defaults of the two lists whose query is stated (sections 4.11, 4.12 and 8). */
const defaults = [
  { requirement: 'pagination.default-limit', member: 'itemsPerPage', value: 10 },
  { requirement: 'pagination.default-page', member: 'pageNumber', value: 1 },
] as const;

/** The list without a query, beside the walks with a page size. */
const plainListing: WalkCase = { title: 'the plain listing', limit: () => null };

/** Reads the list without a query: its defaults where they are stated, the frame of the page in any case. */
async function readFirstPage(context: CheckContext, session: Session) {
  const answer = await session.send(minimalApiRequest(context));
  const page = readPage(answer);
  if (page === null)
    return unproved(
      answer.success ? 'the pagination could not be read' : `the list was refused (status ${answer.status})`,
    );
  const stated = context.row.query !== null;
  const wrong = defaults
    .filter(({ member, value }) => stated && page[member] !== value)
    .map(({ requirement, member, value }) =>
      violation(answer, requirement, `/pagination/${member}`, `${value}, the default`, inWords(page[member])),
    );
  const others = pageViolations(page, { page: 1 }, context.row).filter(
    ({ requirement }) => !(stated && requirement === 'pagination.page-number'),
  );
  const covers = coveredByPage(page, { page: 1 }, context.row);
  if (stated) covers.add('pagination.default-limit').add('pagination.default-page').delete('pagination.page-number');
  return covering([...wrong, ...others], covers);
}

/** Walks with a page size of the case and, once, with the default page size, and compares. */
function comparedWalks(context: CheckContext): CheckPlan<WalkCase>['run'] {
  const stated = context.row.query !== null;
  let reference: Promise<Walk> | undefined;
  return async (input, session) => {
    const first = await session.send(minimalApiRequest(context));
    const page = readPage(first);
    if (page === null) return unproved('the first page could not be read');
    const { totalItems, itemsPerPage, nextPage } = page;
    if (totalItems === 0) return unproved('the list is empty');
    if (!stated && nextPage === null && totalItems <= itemsPerPage)
      return unproved('the whole list is on one page and no link carries a limit');
    if (!stated && nextPage !== null && linkQuery(nextPage).limit === undefined)
      return unproved('no link carries a limit, so none may be sent');
    const limit = input.limit(totalItems);
    if (limit === null) return unproved(`a list of ${totalItems} items has no pages of that kind`);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const walk = await walkList(context, session, limit);
      if (walk.ended === 'changed') continue;
      if (walk.ended === 'unreadable') return unproved('a page could not be read');
      if (walk.ended === 'refused') {
        if (limit > 10 || !stated) return unproved(`a limit of ${limit} is refused, which is open`);
        const actual = `the limit ${limit} was refused`;
        return violated(first, 'pagination.limit-obeyed', 'status', 'a page of that limit', actual);
      }
      reference ??= walkList(context, session, stated ? 10 : undefined);
      const known = await reference;
      return covering(
        [...walk.violations, ...known.violations, ...sequenceViolations(walk, known, first)],
        [...walk.covers, ...known.covers],
      );
    }
    return unproved('the list changed during each of three walks');
  };
}

/** Sections 2.1, 4.11, 4.12 and 8: a walk over the pages meets every item once, whatever the size of the pages. */
export const pagination: ActiveCheck<WalkCase> = {
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
    const walkWith = comparedWalks(context);
    return {
      cases: [plainListing, ...walkCases.slice(0, context.amounts.walks)],
      parallel: false,
      describe: ({ title }) => ({ title, pointer: '' }),
      run: (input, session) => (input === plainListing ? readFirstPage(context, session) : walkWith(input, session)),
    };
  },
};
