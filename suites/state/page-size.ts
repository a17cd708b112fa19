import { endpointRow } from '../../contracts/endpoints.ts';
import { memoized } from '../../contracts/memoized.ts';
import { linkQuery, type Page } from '../judge/page.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import type { Session } from '../protocol/check.ts';
import { entryOf } from '../protocol/entries.ts';
import { weightOf } from '../protocol/text-bounds.ts';

/** Maximum weight of a page to ask for, see `weightOf`: small enough to be read again and again. */
const heaviestPage = 200_000;

/** Limits to try instead of one that a link carries, the largest first. */
const largeLimits = [1_000, 100] as const;

/** Returns the largest limit at which a page of such items keeps to the maximum weight; at least one. */
export const lightLimit = (page: Page, most: number = largeLimits[0]): number => {
  const { body } = page.answer.reply;
  if (body.kind === 'empty' || page.items.length === 0) return most;
  return Math.max(1, Math.min(most, Math.floor((heaviestPage * page.items.length) / weightOf(body.text))));
};

/** True if a limit may be sent: the query is stated, or a link has carried one (section 2.1). */
export const takesLimit = (page: Page, { endpoint }: Pick<ApiRequest, 'endpoint'>): boolean =>
  endpointRow(endpoint).query !== null || (page.nextPage !== null && linkQuery(page.nextPage).limit !== undefined);

/** What a run knows of the pages of one list. */
export interface KnownPages {
  /** The limit that walks send; null to follow the links as they are. */
  limit: number | null;
  /** Limits that are left to try; null before the first page was read. */
  untried: number[] | null;
  /** The first page as the run first read it, if that was noted. */
  first?: Page;
}

const runs = memoized((_run: object) => new Map<string, KnownPages>());

/** Returns the knowledge of a list in the run of a session. The caller updates it. */
export function knownPages(session: Pick<Session, 'send' | 'run'>, { endpoint, param = '' }: ApiRequest): KnownPages {
  return entryOf(runs(session.run ?? session), `${endpoint} ${param}`, () => ({ limit: null, untried: null }));
}

/** Returns the limits worth trying, by the first page of a list: larger than its pages, and light. */
export function limitsToTry(page: Page, request: ApiRequest): number[] {
  if (page.nextPage === null || !takesLimit(page, request)) return [];
  const most = lightLimit(page);
  const worth = largeLimits
    .filter(limit => page.totalItems > limit / 10)
    .map(limit => Math.min(limit, most))
    .filter(limit => limit >= 2 * page.itemsPerPage);
  return [...new Set(worth)];
}
