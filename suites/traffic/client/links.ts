import { membersOf } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { linkQuery } from '../../judge/page.ts';
import { boundedMap } from '../exchange/bounded.ts';
import type { Note } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** So many links are remembered. */
const mostLinks = 2_000;

/** So many characters of a path, or of what names a page, are remembered. */
const longest = 500;

function pathOf(link: string): string {
  try {
    return new URL(link, 'http://relative.invalid').pathname;
  } catch {
    return link.split('?')[0] ?? '';
  }
}

const pageKey = ({ path }: SeenExchange, page: unknown, limit: unknown): string =>
  `${path} ${String(page ?? '')} ${String(limit ?? '')}`.slice(0, longest);

/** Begins to remember what the links of answers offer. */
export function createLinks() {
  const paths = boundedMap<string, true>(mostLinks);
  const pages = boundedMap<string, true>(mostLinks);
  return {
    size: (): number => paths.size + pages.size,
    /** True of a request to a path that a link had: it was followed as it stood. */
    wasOffered: ({ path }: SeenExchange): boolean => paths.get(path.slice(0, longest)) === true,
    /** What of a request no link offered; then what its own answer offers is remembered. */
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
