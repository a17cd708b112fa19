import { endpointRow } from '../../contracts/endpoints.ts';
import { type Members, membersOf } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { linkQuery, readPage } from '../judge/page.ts';
import { type Answer, type ApiRequest, dataObject } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';
import { entryOf } from '../protocol/entries.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { type KnownPages, knownPages, limitsToTry } from './page-size.ts';

/** The parts of a session that reading needs. */
type Sender = Pick<Session, 'send' | 'lastWritten' | 'run' | 'quiet'>;

/** An entity as it was read, and the answer that showed it; `entity` is null if it could not be read. */
export interface Reading {
  readonly entity: Members | null;
  readonly answer: Answer;
}

/** Reads a gate by an empty patch; if that is refused, by sending its last known `isEnabled` again. */
export async function readGate(session: Sender, id: string): Promise<Reading> {
  const answer = await session.send({ endpoint: 'patch-gate', param: id, body: {} });
  if (answer.success) return { entity: dataObject(answer), answer };
  const lastEnabled = session.lastWritten(id)?.isEnabled;
  if (typeof lastEnabled !== 'boolean') return { entity: null, answer };
  const body = { isEnabled: lastEnabled };
  const again = await session.send({ endpoint: 'patch-gate', param: id, body, toRead: true });
  return { entity: again.success ? dataObject(again) : null, answer: again };
}

/** The items of a walked list, and whether the walk reached its end. */
export interface Listing {
  readonly items: readonly Members[];
  readonly complete: boolean;
  readonly answer: Answer;
  /** The total that the last page states; absent if it was not reached. */
  readonly total?: number;
}

/** Maximum numbers of pages and items that are read of one list. */
const mostPages = 100;
const mostItems = 20_000;

/** Limits to send if a page of the default size is too long to be read, and a limit is stated. */
const smallLimits = [3, 1] as const;

/**
 * Walks a list to its end by the queries of its links, within bounds. Once a link has carried a limit, it sends the
 * largest that works, which is learned once per run. `enough` ends the walk early.
 */
export async function readList(
  session: Sender,
  request: ApiRequest,
  enough: (item: Members) => boolean = () => false,
): Promise<Listing> {
  const known = knownPages(session, request);
  for (;;) {
    const { limit } = known;
    const walked = await walkPages(session, request, known, enough);
    if (walked !== null) return walked;
    // Never try a limit again that does not work, or no longer works.
    if (known.limit === limit) known.limit = known.untried?.shift() ?? null;
  }
}

/** Walks once with the known limit; null if another is to be tried. */
async function walkPages(
  session: Sender,
  request: ApiRequest,
  known: KnownPages,
  enough: (item: Members) => boolean,
): Promise<Listing | null> {
  const { limit } = known;
  const items: Members[] = [];
  let query: Record<string, string | number> | undefined = limit === null ? undefined : { limit, page: 1 };
  for (let number = 1; ; number += 1) {
    const asked = query === undefined ? request : { ...request, query };
    const isFirst = known.untried === null && endpointRow(request.endpoint).query !== null;
    const answer = await (limit === null && !isFirst ? session.send(asked) : unlessGivenUp(session.send(asked), null));
    if (answer === null && isFirst) known.untried = [...smallLimits];
    const page = answer === null ? null : readPage(answer);
    if (answer === null || (page === null && limit !== null)) return null;
    if (page === null) return { items, complete: false, answer };
    const read = page.items.filter((item): item is Members => typeof item === 'object' && item !== null);
    for (const item of read) items.push(item);
    // The server cut the pages silently, so the walk ended too early.
    if (page.nextPage === null && limit !== null && items.length < page.totalItems) return null;
    if (page.nextPage === null) return { items, complete: true, answer, total: page.totalItems };
    if (read.some(enough) || number >= mostPages || items.length >= mostItems || read.length === 0)
      return { items, complete: false, answer };
    if (known.untried === null) {
      known.untried = limitsToTry(page, request);
      known.limit = known.untried.shift() ?? null;
      if (known.limit !== null) return null;
    }
    query = linkQuery(page.nextPage);
  }
}

/** Reads a qualifying event from the list. */
export async function readQualifyingEvent(session: Sender, name: string): Promise<Reading> {
  const listing = await readList(session, { endpoint: 'list-qualifying-events' }, item => item.name === name);
  return { entity: listing.items.find(item => item.name === name) ?? null, answer: listing.answer };
}

/**
 * Reads a qualifying event from the page that comes without a query (section 4.11), which may be cached by itself;
 * from the whole list if it does not stand there.
 */
export async function readFromFirstPage(session: Sender, name: string): Promise<Reading> {
  const answer = await session.send({ endpoint: 'list-qualifying-events' });
  const entity = readPage(answer)?.items.find(item => membersOf(item).name === name);
  return entity === undefined ? readQualifyingEvent(session, name) : { entity: membersOf(entity), answer };
}

/** Walks that are about to begin, by run and list: callers that ask before then share them. */
const gathered = memoized((_run: object) => new Map<string, Promise<Listing>>());

/**
 * Reads the metrics of an event (section 4.14). Cases of one check that ask at the same time share one walk. It begins
 * when none of them has a request in flight, so that each sees the effect of its own.
 */
export function readMetrics(session: Sender, event: string): Promise<Listing> {
  const walk = () => readList(session, { endpoint: 'list-event-metrics', param: event });
  if (session.quiet === undefined) return walk();
  const { quiet, run = session } = session;
  const walks = gathered(run);
  return entryOf(walks, event, async () => {
    await quiet();
    walks.delete(event);
    return walk();
  });
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];

/** Returns the events and the metrics (by their ids) that the lineage of a metric names. */
export function lineageOf(metric: Members): {
  readonly events: readonly string[];
  readonly metrics: readonly string[];
} {
  const { events, metrics } = membersOf(metric.lineage);
  return { events: texts(events), metrics: texts(metrics) };
}
