import type { Asking } from './walk.ts';

/**
 * A page size, chosen once the number of items is known, and how large a page may be; null where there is none for a
 * list of that length.
 */
export interface WalkCase {
  readonly title: string;
  /** How the parameters are sent; both, the limit first, when absent. */
  readonly asking?: Asking;
  readonly limit: (total: number, largest?: number) => number | null;
}

/** The largest page that is asked for, unless its items are so long that fewer of them fill an answer. */
const largestPage = 1_000;

/** The sizes that cut a list into several pages, the largest first. Bounded, for the total is what the target says. */
function sizesOf(total: number, most: number): number[] {
  const largest = Math.min(most, total - 1);
  return Array.from({ length: Math.max(0, largest - 1) }, (_, index) => largest - index);
}

/** The largest size that leaves so many items on the last page, all others being full; null where there is none. */
const sizeThatLeaves = (total: number, left: number, most: number): number | null =>
  sizesOf(total, most).find(size => total % size === left) ?? null;

/** The size that leaves the fewest places on the last page, but at least one. */
function sizeThatLacksLeast(total: number, most: number): number | null {
  const sizes = sizesOf(total, most).filter(size => total % size !== 0);
  const lacking = (size: number): number => size - (total % size);
  const least = Math.min(...sizes.map(lacking));
  return sizes.find(size => lacking(size) === least) ?? null;
}

const onOnePage = (size: number, most: number): number | null => (size <= most ? size : null);
const among = (size: number, isFitting: boolean, most: number): number | null =>
  isFitting && size <= most ? size : null;

/** In the order in which a profile takes them: the last item before, on and after the edge of a page first. */
// biome-ignore format: a table
export const walkCases: readonly WalkCase[] = [
  { title: 'the last item alone on the last page', asking: 'sparse', limit: (total, most = largestPage) => sizeThatLeaves(total, 1, most) },
  { title: 'pages of three items',                 asking: 'turned', limit: (total, most = largestPage) => among(3, total >= 4, most) },
  { title: 'every page full',                      limit: (total, most = largestPage) => sizeThatLeaves(total, 0, most) },
  { title: 'the last page all but full',           limit: (total, most = largestPage) => sizeThatLacksLeast(total, most) },
  { title: 'all items on one page, exactly',       limit: (total, most = largestPage) => (total >= 1 ? onOnePage(total, most) : null) },
  { title: 'a page larger than the list',          limit: (total, most = largestPage) => onOnePage(total + 1, most) },
  { title: 'pages of one item',                    limit: (total, most = largestPage) => among(1, total >= 2 && total <= 60, most) },
  { title: 'pages of seven items',                 limit: (total, most = largestPage) => among(7, total >= 8, most) },
  { title: 'pages of ten items',                   limit: (total, most = largestPage) => among(10, total >= 11, most) },
  { title: 'pages of fourteen items',              limit: (total, most = largestPage) => among(14, total >= 14, most) },
];
