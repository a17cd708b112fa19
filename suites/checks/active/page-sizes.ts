import type { Asking } from './walk.ts';

/**
 * A page size that depends on the number of items, and on how large a page may be. Null if no size fits a list of that
 * length.
 */
export interface WalkCase {
  readonly title: string;
  /** The order and choice of the parameters; absent: both, the limit first. */
  readonly asking?: Asking;
  readonly limit: (total: number, largest?: number) => number | null;
}

/** The largest page size, unless the items are so long that fewer of them fill an answer. */
const largestPage = 1_000;

/** Returns the sizes that cut a list into several pages, largest first. Bounded, since the target states the total. */
function sizesOf(total: number, most: number): number[] {
  const largest = Math.min(most, total - 1);
  return Array.from({ length: Math.max(0, largest - 1) }, (_, index) => largest - index);
}

/** Returns the largest size that fills all pages but the last, which has `left` items; null if none does. */
const sizeThatLeaves = (total: number, left: number, most: number): number | null =>
  sizesOf(total, most).find(size => total % size === left) ?? null;

/** Returns the size that leaves the fewest free places on the last page, but at least one. */
function sizeThatLacksLeast(total: number, most: number): number | null {
  const sizes = sizesOf(total, most).filter(size => total % size !== 0);
  const lacking = (size: number): number => size - (total % size);
  const least = Math.min(...sizes.map(lacking));
  return sizes.find(size => lacking(size) === least) ?? null;
}

const onOnePage = (size: number, most: number): number | null => (size <= most ? size : null);
const among = (size: number, isFitting: boolean, most: number): number | null =>
  isFitting && size <= most ? size : null;

/** In the order in which profiles take them: first the sizes with one item before, on and after a page's edge. */
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
