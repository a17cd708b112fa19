import { endpointRow } from '../../contracts/endpoints.ts';
import { linkQuery, type Page } from '../judge/page.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';
import { weightOf } from '../protocol/text-bounds.ts';

/** How heavy a page may be that is asked for, see `weightOf`: light enough to be read at once, and any number of times. */
const heaviestPage = 200_000;

/** The limits that are tried instead of one that a link carries, the largest first. */
const largeLimits = [1_000, 100] as const;

/** The most items of such a weight that a page may be asked for; at least one. */
export const lightLimit = (page: Page, most: number = largeLimits[0]): number => {
  const { body } = page.answer.reply;
  if (body.kind === 'empty' || page.items.length === 0) return most;
  return Math.max(1, Math.min(most, Math.floor((heaviestPage * page.items.length) / weightOf(body.text))));
};

/** True where a limit may be sent: where the query is stated, or once a link has carried one (section 2.1). */
export const takesLimit = (page: Page, { endpoint }: Pick<ApiRequest, 'endpoint'>): boolean =>
  endpointRow(endpoint).query !== null || (page.nextPage !== null && linkQuery(page.nextPage).limit !== undefined);

/** What a run knows of the pages of one list. */
export interface KnownPages {
  /** The limit that its walks send; null where the links are followed as they are. */
  limit: number | null;
  /** Limits that are left to be tried; null before the first page was read. */
  untried: number[] | null;
}

const runs = new WeakMap<object, Map<string, KnownPages>>();

/** What is known of a list in the run of a session, to be written on. */
export function knownPages(session: Pick<Session, 'send' | 'run'>, { endpoint, param = '' }: ApiRequest): KnownPages {
  const run = session.run ?? session;
  const lists = runs.get(run) ?? new Map<string, KnownPages>();
  runs.set(run, lists);
  const key = `${endpoint} ${param}`;
  const known = lists.get(key) ?? { limit: null, untried: null };
  lists.set(key, known);
  return known;
}

/** The limits worth trying on a list, as its first page shows it: larger than its pages, and light. */
export function limitsToTry(page: Page, request: ApiRequest): number[] {
  if (page.nextPage === null || !takesLimit(page, request)) return [];
  const most = lightLimit(page);
  const worth = largeLimits
    .filter(limit => page.totalItems > limit / 10)
    .map(limit => Math.min(limit, most))
    .filter(limit => limit >= 2 * page.itemsPerPage);
  return [...new Set(worth)];
}
