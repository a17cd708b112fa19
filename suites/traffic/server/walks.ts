import { createHash } from 'node:crypto';
import { type Collection, resourceNames } from '../../../contracts/endpoint.ts';
import { walkViolations } from '../../checks/active/walk.ts';
import { copyKeyOf, haveIdentity, keyOf } from '../../judge/items.ts';
import { isClientError } from '../../judge/outcome.ts';
import { lastPage, type Page, readPage } from '../../judge/page.ts';
import { isAccepted } from '../../protocol/answer.ts';
import { type NumberedAnswer, type Violation, violation } from '../../protocol/check.ts';
import { boundedMap } from '../exchange/bounded.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { askedIn, otherParameters } from './server.ts';
import { becauseOf, type StateOptions, seenOnce, stepOf, withSteps } from './state-findings.ts';

/** The pages of one list with one page size, read while nothing was written. */
interface Window {
  readonly total: number;
  readonly pages: Map<number, readonly string[]>;
  /** The page of each item, by the item's mark. */
  readonly places: Map<string, number>;
  identified: boolean;
  isTold: boolean;
  readonly first: NumberedAnswer;
}

const mostWindows = 100;
const mostPages = 200;
const mostItems = 5_000;

/** Returns the item's key, or a digest of a long one. */
const mark = (key: string): string =>
  key.length <= 40 ? key : createHash('sha256').update(key).digest('base64').slice(0, 24);

/**
 * True if every page begins with the last item of the page before, and no page holds equal neighbours. Only this
 * distinguishes a repeated item from two equal ones if items have no identity.
 */
function repeatsAtEdges(pages: readonly (readonly string[])[]): boolean {
  const isAlike = pages.some(keys => keys.some((key, index) => index > 0 && key === keys[index - 1]));
  const edges = pages.slice(1).map((keys, index) => keys.length > 0 && keys[0] === pages[index]?.at(-1));
  return edges.length > 1 && !isAlike && edges.every(isEdge => isEdge);
}

const changed = 'a list changed between its pages without a write that was seen';

const opened = (seen: SeenExchange, { totalItems }: Page): Window => ({
  total: totalItems,
  pages: new Map(),
  places: new Map(),
  identified: true,
  isTold: false,
  first: stepOf(seen),
});

/**
 * Follows the pages of lists (section 2.1): if nobody else writes, the pages of one walk hold each item once. They may
 * be read in any order, with one page size, while nothing is written.
 */
export function createWalks({ tell, cover, notJudged, isSoleWriter, settleMs }: StateOptions) {
  const windows = boundedMap<string, Window>(mostWindows);
  /** The number of faults shown so far, by list and requirement. */
  const suspected = boundedMap<string, number>(mostWindows);
  /** The collections with writes under way, and when the last write to each was answered. */
  const writing = new Map<number, Collection>();
  const written = new Map<Collection, number>();

  const listOf = (seen: SeenExchange): string =>
    `${seen.endpoint} ${seen.operation?.param ?? ''}`.slice(0, 300) + otherParameters(seen);

  /** Reports a fault: a warning, until a second walk shows it. */
  function told(one: Violation, seen: SeenExchange, walk: Window): void {
    const name = `${listOf(seen)} ${one.requirement}`;
    const times = (suspected.get(name) ?? 0) + 1;
    suspected.set(name, times);
    walk.isTold = true;
    tell(withSteps(times > 1 ? one : { ...one, doubt: seenOnce }, [walk.first, stepOf(seen)]), seen);
  }

  /** Reports an item that does not stand on exactly one page, exactly once. */
  function toldIncomplete(what: string, seen: SeenExchange, walk: Window): void {
    const expected = `each ${resourceNames[seen.row.resource]} on one page, once`;
    told(violation(seen.answer, 'pagination.complete', '/data', expected, what), seen, walk);
  }

  function read(seen: SeenExchange, page: Page, number: number): void {
    const { row } = seen;
    const name = `${listOf(seen)} ${page.itemsPerPage}`;
    const keys = page.items.map(item => mark(keyOf(item, row)));
    const known = windows.get(name);
    const before = known?.pages.get(number);
    const isSame = !before || before.join('\n') === keys.join('\n');
    const hasTotal = !known || known.total === page.totalItems;
    if (!isSame || !hasTotal) notJudged.add(changed);
    const isFull = known !== undefined && (known.pages.size >= mostPages || known.places.size >= mostItems);
    const goesOn = known !== undefined && hasTotal && !before && !isFull;
    const walk = goesOn ? known : opened(seen, page);
    windows.set(name, walk);
    walk.identified &&= haveIdentity(page.items, row);
    const copies = page.items.map(item => mark(copyKeyOf(item, row)));
    const other = copies.map(copy => walk.places.get(copy)).find(place => place !== undefined && place !== number);
    walk.pages.set(number, keys);
    for (const copy of copies) walk.places.set(copy, number);
    const last = lastPage(page);
    if (walk.pages.size > 1) cover(seen, ['pagination.complete']);
    if (other !== undefined && walk.identified && !walk.isTold)
      toldIncomplete(`one of page ${other} came again`, seen, walk);
    if (walk.pages.size < last) return;
    const whole = Array.from({ length: last }, (_, index) => walk.pages.get(index + 1) ?? []);
    cover(seen, ['pagination.complete', 'pagination.total']);
    if (walk.isTold) return;
    const { identified } = walk;
    // An item that came twice is told above.
    const state = { violations: [], covers: new Set<never>(), copies: [], totals: [], steady: true };
    const ended = { ended: 'whole', refusal: null } as const;
    for (const one of walkViolations({ ...state, ...ended, keys: whole.flat(), identified, last: page }, null))
      told(one, seen, walk);
    if (!identified && repeatsAtEdges(whole))
      toldIncomplete('each page begins with the last item of the page before', seen, walk);
  }

  function wrote({ exchange, row, answer }: SeenExchange): void {
    writing.delete(exchange.number);
    if (isClientError(answer)) return;
    windows.clear();
    written.set(row.collection, Math.max(written.get(row.collection) ?? 0, exchange.answeredAtMs));
  }

  function listed(seen: SeenExchange): void {
    const { row, exchange } = seen;
    const page = isAccepted(seen.answer) ? readPage(seen.answer) : null;
    const asked = askedIn(seen);
    const number = asked?.page ?? 1;
    if (!page || !asked || page.pageNumber !== number) return;
    // A page that is wrong in itself proves nothing about the whole list.
    if (page.itemsPerPage === 0 || number > lastPage(page) || page.items.length > page.itemsPerPage) return;
    const isWriting = [...writing.values()].includes(row.collection);
    if (isWriting || exchange.sentAtMs < (written.get(row.collection) ?? Number.NEGATIVE_INFINITY) + settleMs)
      notJudged.add(becauseOf.lag);
    else read(seen, page, number);
  }

  return {
    begun({ exchange, row }: SeenExchange): void {
      if (row.method !== 'GET') writing.set(exchange.number, row.collection);
    },
    ended(seen: SeenExchange): void {
      if (seen.row.method !== 'GET') wrote(seen);
      else if (isSoleWriter && seen.row.list) listed(seen);
    },
    /** Forgets the pages read, because they may have changed unseen. */
    forget(): void {
      windows.clear();
      writing.clear();
    },
    size: (): number => windows.size + suspected.size,
  };
}
