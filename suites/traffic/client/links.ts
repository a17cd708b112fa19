import { membersOf } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { linkQuery, pathOf } from '../../judge/page.ts';
import { boundedMap } from '../exchange/bounded.ts';
import type { Note } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** Maximum number of links remembered. */
const mostLinks = 2_000;

/** Maximum number of characters kept of a path or a page key. */
const longest = 500;

const pageKey = ({ path }: SeenExchange, page: unknown, limit: unknown): string =>
  `${path} ${String(page ?? '')} ${String(limit ?? '')}`.slice(0, longest);

/** Creates a memory of the links that answers offered. */
export function createLinks() {
  const paths = boundedMap<string, true>(mostLinks);
  const pages = boundedMap<string, true>(mostLinks);
  return {
    size: (): number => paths.size + pages.size,
    /** True if an earlier link had this path: the client followed the link as it stood. */
    wasOffered: ({ path }: SeenExchange): boolean => paths.get(path.slice(0, longest)) === true,
    /** Notes a page that no link offered, then remembers the links of the request's own answer. */
    note(seen: SeenExchange): readonly Note[] {
      const { row, query, operation, answer, path } = seen;
      if (operation === undefined || !row.list) return [];
      const [page, limit] = [query.get('page'), query.get('limit')];
      const isAsked = row.query === null && (page !== null || limit !== null);
      const isOffered = pages.get(pageKey(seen, page, limit)) === true;
      for (const link of Object.values(membersOf(membersOf(answer.value).pagination))) {
        if (typeof link !== 'string' || link === '' || link.length > 2_000) continue;
        const linked = pathOf(link);
        if (linked !== path) paths.set(linked.slice(0, longest), true);
        const asked = linkQuery(link);
        pages.set(pageKey(seen, asked.page, asked.limit), true);
      }
      if (!isAsked || isOffered) return [];
      const value = [...query].map(([name, one]) => clip(`${name}=${one}`, 40)).join('&');
      return [{ requirement: 'client.unoffered-page', subject: 'a page that no link offered', value: clip(value, 80) }];
    },
  };
}
