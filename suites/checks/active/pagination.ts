import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { type Page, readPage } from '../../judge/page.ts';
import { pagesRequirements } from '../../judge/page-covers.ts';
import { judgeByQuery } from '../../judge/queried-page.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { said } from '../../judge/words.ts';
import { kinds } from '../../model/resources.ts';
import { isAccepted } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  covering,
  minimalApiRequest,
  passed,
  type Session,
  unproved,
  violated,
  violation,
} from '../../protocol/check.ts';
import { knownPages, lightLimit, takesLimit } from '../../state/page-size.ts';
import { fixtureNames } from '../../sut/target.ts';
import { type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { judgeSuspected, ofWalks } from './alive.ts';
import { type WalkCase, walkCases } from './page-sizes.ts';
import { countBeyond, listRequest, type Walk, walkList, walkViolations } from './walk.ts';

/** The smallest limits, of which the first page alone is read, because whole walks would be long. */
const smallLimits = [1, 2];

/** Reads the first page with a small limit, without the page number, which has a stated default. */
async function readSmallPage(size: number, context: CheckContext, session: Session): Promise<CheckResult> {
  const answer = await session.send({ ...listRequest(context), query: { limit: size } });
  const page = readPage(answer);
  if (page === null && isClientError(answer)) {
    const plain = await session.send(listRequest(context));
    if (!isAccepted(plain)) return unproved(`the list was refused without a limit as well (${refusalInWords(plain)})`);
    return violated(answer, 'pagination.limit-obeyed', 'status', 'a page of that limit', refusalInWords(answer));
  }
  if (page === null) return unproved('the page could not be read');
  const { violations, covers } = judgeByQuery(page, { limit: size }, context.row);
  return covering(violations, covers);
}

/** The endpoint's own first page, once a case of the check has read it. */
interface Opening {
  page: Page | null;
}

/** Reads the list without a query: checks its stated defaults, and the pagination in any case. */
async function readFirstPage(context: CheckContext, session: Session, opening: Opening): Promise<CheckResult> {
  const request = listRequest(context);
  const answer = await session.send(request);
  const page = readPage(answer);
  opening.page = page;
  if (page === null)
    return unproved(
      answer.success ? 'the pagination could not be read' : `the list was refused (${refusalInWords(answer)})`,
    );
  knownPages(session, request).first ??= page;
  const { violations: wrong, covers } = judgeByQuery(page, {}, context.row);
  // If the page after a denied link has items, the total is wrong, not the link.
  const isDenied = wrong.some(({ requirement }) => requirement === 'pagination.next-null') && page.nextPage !== null;
  const beyond = isDenied ? await countBeyond(context, session, page) : 0;
  const total = said(page.items.length + beyond, ', the items on all pages together');
  const ofTotal =
    beyond === 0 ? [] : [violation(answer, 'pagination.total', '/pagination/totalItems', total, said(page.totalItems))];
  // A list on one page is read whole.
  const ofWhole = page.totalItems > 0 && page.totalItems === page.items.length ? ofWalks : [];
  return covering([...wrong, ...ofTotal], [...covers, ...ofWhole]);
}

/** Returns why no walk with a limit is possible over a list with this first page; null if one is. */
function noWalkOver(page: Page, { endpoint, row }: CheckContext): string | null {
  const { totalItems, itemsPerPage, nextPage } = page;
  if (totalItems === 0) return 'the list is empty';
  if (row.query !== null) return null;
  if (nextPage === null && totalItems <= itemsPerPage)
    return 'the whole list is on one page and no link carries a limit';
  return nextPage !== null && !takesLimit(page, { endpoint }) ? 'no link carries a limit, so none may be sent' : null;
}

/** Returns the requirement on the items of two walks, where none says of writes what they show. */
const sameItems = ({ resource }: Endpoint): readonly RequirementId[] =>
  kinds[resource].reads === 'pagination.same-items' ? ['pagination.same-items'] : [];

/** A list to walk over, and its first page. */
interface List {
  readonly of: CheckContext;
  readonly page: Page | null;
}

/** Maximum number of other lists to read: to find one with several pages, and to judge each first page. */
const mostLooked = 8;

/** Returns the names of other fixtures with such a list. */
const otherLists = ({ row, target, minimal }: CheckContext): readonly string[] =>
  row.fixture === null
    ? []
    : fixtureNames(target, row.fixture)
        .filter(name => name !== minimal.param)
        .slice(0, mostLooked);

const ofFixture = (context: CheckContext, param: string): CheckContext => ({
  ...context,
  minimal: { ...context.minimal, param },
});

/** Reads the first page at each other fixture: links and totals may be right at a single one. */
async function readOtherPages(context: CheckContext, session: Session): Promise<CheckResult> {
  const results: CheckResult[] = [];
  for (const param of otherLists(context)) {
    const request = listRequest(ofFixture(context, param));
    const page = readPage(await session.send(request));
    if (page === null) continue;
    knownPages(session, request).first ??= page;
    const { violations, covers } = judgeByQuery(page, {}, context.row);
    results.push(covering(violations, covers));
  }
  if (results.length === 0) return unproved('no page of another fixture could be read');
  return covering(
    results.flatMap(({ violations }) => violations),
    new Set(results.flatMap(({ covers = [] }) => [...covers])),
  );
}

/** Returns the endpoint's own list; if it allows no walk, the shortest list with several pages of another fixture. */
async function listOf(context: CheckContext, session: Session, opening: Opening): Promise<List> {
  const first = async (of: CheckContext): Promise<List> => ({
    of,
    page: readPage(await session.send(minimalApiRequest(of))),
  });
  const own = opening.page === null ? await first(context) : { of: context, page: opening.page };
  if (own.page === null || noWalkOver(own.page, context) === null) return own;
  let best = own;
  for (const param of otherLists(context)) {
    const one = await first(ofFixture(context, param));
    if (one.page === null || noWalkOver(one.page, one.of) !== null) continue;
    if (best === own || one.page.totalItems < (best.page?.totalItems ?? 0)) best = one;
  }
  return best;
}

/** Walks with the page size of the case and, once, with the default size, and compares the walks. */
function comparedWalks(context: CheckContext, opening: Opening) {
  const stated = context.row.query !== null;
  let list: Promise<List> | undefined;
  let wholeLimits: number[] | undefined;
  let reference: Promise<Walk> | undefined;
  let judgedReference: Promise<CheckResult> | undefined;
  return async (input: WalkCase, session: Session): Promise<CheckResult> => {
    list ??= listOf(context, session, opening);
    const { page, of } = await list;
    if (page === null) return unproved('the first page could not be read');
    const why = noWalkOver(page, of);
    if (why !== null) return unproved(why);
    const largest = lightLimit(page);
    const limit = input.limit(page.totalItems, largest);
    if (limit === null) return unproved(`a list of ${page.totalItems} items has no pages of that kind`);
    const walk = await walkList(of, session, limit, input.asking);
    if (walk.ended === 'unreadable')
      return walk.violations.length > 0 ? covering(walk.violations, []) : unproved('a page could not be read');
    if (walk.refusal !== null) {
      if (limit > 10 || !stated) return unproved(`a limit of ${limit} is refused, which is open`);
      const actual = refusalInWords(walk.refusal);
      return violated(walk.refusal, 'pagination.limit-obeyed', 'status', 'a page of that limit', actual);
    }
    // If ten items are too heavy, the reference walk has smaller pages too.
    const usual = stated && largest < 10 ? largest : undefined;
    // The default size is stated: send the page number alone.
    reference ??= walkList(of, session, usual, 'sparse');
    const known = await reference;
    // A service may refuse large limits; the first that it takes is kept.
    wholeLimits ??= takesLimit(page, of) ? [largest, Math.min(largest, page.totalItems)] : [];
    const untried = wholeLimits;
    const whole = async (): Promise<Walk> => {
      while (untried[0] !== undefined) {
        const large = await walkList(of, session, untried[0]);
        if (large.ended === 'whole') return large;
        // An answer that cannot be read says nothing of the limit.
        if (large.ended === 'unreadable') break;
        untried.shift();
      }
      return walkList(of, session, usual, 'sparse');
    };
    const isKnownSound = known.steady && walkViolations(known, null).length === 0;
    if (isKnownSound && walk.steady && walkViolations(walk, known).length === 0) {
      const covers = [...walk.covers, ...(walk.ended === 'whole' ? [...ofWalks, ...sameItems(context.row)] : [])];
      return covering([...walk.violations, ...known.violations], covers);
    }
    const judgeReference = () => judgeSuspected({ walk: () => walkList(of, session, usual, 'sparse'), whole });
    // Not both at once: the run may end during either, and then nobody would wait for the other.
    // biome-ignore lint/suspicious/noAssignInExpressions: the first case that needs it begins it, for all of them.
    const usually = isKnownSound ? passed : await (judgedReference ??= judgeReference());
    const again = await judgeSuspected({ walk: () => walkList(of, session, limit, input.asking), whole });
    // The list may have changed: do not compare further walks with the old reference.
    if (again.violations.length === 0 && isKnownSound) reference = undefined;
    // A wrong link may have led the reference walk astray, and is in no walk after it.
    const ofReference = known.violations.filter(({ requirement }) => requirementById(requirement).sporadic === true);
    const all = [...again.violations, ...walk.violations, ...ofReference, ...usually.violations];
    return { ...again, violations: all };
  };
}

/** Sections 2.1, 4.11, 4.12 and 8: a walk over the pages meets every item once, whatever the page size. */
export const pagination: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'pagination',
  level: 'MUST',
  title: 'A walk over the pages meets every item once, and alike, with any page size; links and totals are right',
  detects:
    'An item lost or repeated at the edge of a page, a next link on the last page, a limit that is ignored, totals that count one page, items that another page size shows otherwise.',
  requirements: row => [
    'pagination.complete',
    'pagination.total',
    ...pagesRequirements(row),
    // The passive checks compare an item with what is known of it, whichever check reads it.
    ...[kinds[row.resource].reads ?? []].flat(),
  ],
  appliesTo: row => row.list,
  plan(context) {
    const opening: Opening = { page: null };
    const walkWith = comparedWalks(context, opening);
    // A limit that no link has carried is learned only by a walk.
    const small = (context.row.query === null ? [] : smallLimits).map((size, index) => ({
      title: `the first page with a limit of ${size} alone`,
      // An ignored limit is the plainest fault of a list: every profile should show it.
      isBasic: index === 0,
      run: (of: CheckContext, session: Session) => readSmallPage(size, of, session),
    }));
    const others = otherLists(context).length === 0 ? [] : [readOtherPages];
    return planOf(
      context,
      ...small.slice(0, 1),
      // After a request with a limit, which a server may keep for the next one.
      { title: 'the plain listing', run: (of, session) => readFirstPage(of, session, opening) },
      ...small.slice(1),
      ...walkCases.slice(0, context.amounts.walks).map(one => ({
        title: one.title,
        run: (_of: CheckContext, session: Session) => walkWith(one, session),
      })),
      ...others.map(run => ({ title: 'the first page at each other fixture', run })),
    );
  },
};
