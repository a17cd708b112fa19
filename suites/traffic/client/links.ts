import { membersOf } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { linkQuery } from '../../judge/page.ts';
import { boundedMap } from '../exchange/bounded.ts';
import type { Note } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** So many links are remembered. */
const mostLinks = 2_000;

/** Remembers what the links of answers offered. */
export interface Links {
  /** True of a request to a path that a link had: it was followed as it stood. */
  wasOffered(seen: SeenExchange): boolean;
  /** What of a request no link offered; then what its own answer offers is remembered. */
  note(seen: SeenExchange): readonly Note[];
  readonly size: () => number;
}

function pathOf(link: string): string {
  try {
    return new URL(link, 'http://relative.invalid').pathname;
  } catch {
    return link.split('?')[0] ?? '';
  }
}

/** Begins to remember. */
export function createLinks(): Links {
  const paths = boundedMap<string, true>(mostLinks);
  const pages = boundedMap<string, true>(mostLinks);
  const keyOf = ({ path }: SeenExchange, page: unknown, limit: unknown): string =>
    `${path} ${String(page ?? '')} ${String(limit ?? '')}`.slice(0, 500);
  return {
    size: () => paths.size + pages.size,
    wasOffered: ({ path }) => paths.get(path.slice(0, 500)) === true,
    note(seen) {
      const { row, query, operation, answer, path } = seen;
      if (operation === undefined || !row.list) return [];
      const [page, limit] = [query.get('page'), query.get('limit')];
      const isAsked = row.query === null && (page !== null || limit !== null);
      const isOffered = pages.get(keyOf(seen, page, limit)) === true;
      for (const link of Object.values(membersOf(membersOf(answer.value).pagination))) {
        if (typeof link !== 'string' || link === '' || link.length > 2_000) continue;
        const linked = pathOf(link);
        if (linked !== path) paths.set(linked.slice(0, 500), true);
        const asked = linkQuery(link);
        pages.set(keyOf(seen, asked.page, asked.limit), true);
      }
      if (!isAsked || isOffered) return [];
      const value = [...query].map(([name, one]) => clip(`${name}=${one}`, 40)).join('&');
      return [{ requirement: 'client.unoffered-page', subject: 'a page that no link offered', value: clip(value, 80) }];
    },
  };
}
