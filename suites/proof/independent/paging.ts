import type { Fields } from './checks.ts';

/** How a list is cut and where its links point. */
export interface Cut {
  readonly usual: number;
  /** The target of the page links, without its query. */
  readonly path: string;
  /** The link to the whole list; may be empty (section 2.1). */
  readonly all: string;
}

/** The page asked for with its pagination object, or the reason there is none. */
export type Page = { data: readonly Fields[]; pagination: Fields } | { status: number; reason: string };

const largestPage = 50;

/** One page of a list (section 2.1). A page past the end is empty; a limit above 50 counts as 50. */
export function pageOf(items: readonly Fields[], query: URLSearchParams, cut: Cut): Page {
  const page = whole(query.getAll('page'), 1);
  const asked = whole(query.getAll('limit'), cut.usual);
  if (page === undefined || asked === undefined)
    return { status: 422, reason: 'page and limit are whole numbers from 1' };
  const limit = Math.min(asked, largestPage);
  const link = (to: number) => `${cut.path}?limit=${limit}&page=${to}`;
  return {
    data: items.slice((page - 1) * limit, page * limit),
    pagination: {
      itemsPerPage: limit,
      pageNumber: page,
      totalItems: items.length,
      nextPage: page * limit < items.length ? link(page + 1) : null,
      previousPage: page > 1 ? link(page - 1) : null,
      all: cut.all,
      cursor: null,
    },
  };
}

function whole(sent: readonly string[], usual: number): number | undefined {
  if (sent.length === 0) return usual;
  const [only = '', ...rest] = sent;
  return rest.length === 0 && /^[1-9]\d{0,8}$/.test(only) ? Number(only) : undefined;
}
