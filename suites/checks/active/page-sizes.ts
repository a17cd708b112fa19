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

/** Chooses a size by the total and the largest page. */
type Limit = WalkCase['limit'];

/** Returns the sizes that cut a list into several pages, largest first. Bounded, since the target states the total. */
function sizesOf(total: number, most: number): number[] {
  const largest = Math.min(most, total - 1);
  return Array.from({ length: Math.max(0, largest - 1) }, (_, index) => largest - index);
}

/** Chooses the largest size that fills all pages but the last, which has `left` items. */
const leaving =
  (left: number): Limit =>
  (total, most = largestPage) =>
    sizesOf(total, most).find(size => total % size === left) ?? null;

/** Chooses the size that leaves the fewest free places on the last page, but at least one. */
const lackingLeast: Limit = (total, most = largestPage) => {
  const sizes = sizesOf(total, most).filter(size => total % size !== 0);
  const lacking = (size: number): number => size - (total % size);
  const least = Math.min(...sizes.map(lacking));
  return sizes.find(size => lacking(size) === least) ?? null;
};

/** Chooses a page for the whole list with this many places more. */
const onOnePage =
  (more: number): Limit =>
  (total, most = largestPage) =>
    total + more >= 1 && total + more <= most ? total + more : null;

/** Chooses one size for lists of `fewest` items to `mostItems`. */
const fixed =
  (size: number, fewest: number, mostItems = Number.POSITIVE_INFINITY): Limit =>
  (total, most = largestPage) =>
    total >= fewest && total <= mostItems && size <= most ? size : null;

/** Number of pages from which page numbers have two digits. */
const twoDigits = 10;

/** Chooses three items a page, or fewer if the pages would all have numbers of one digit. */
const small: Limit = (total, most = largestPage) => {
  const size = total < twoDigits ? 3 : Math.min(3, Math.floor((total - 1) / (twoDigits - 1)));
  return total > 3 && size <= most ? size : null;
};

/** In the order in which profiles take them: first the sizes with one item before, on and after a page's edge. */
// biome-ignore format: a table
export const walkCases: readonly WalkCase[] = [
  { title: 'the last item alone on the last page', asking: 'sparse', limit: leaving(1) },
  { title: 'ten pages or more',                    asking: 'turned', limit: small },
  { title: 'every page full',                      limit: leaving(0) },
  { title: 'the last page all but full',           limit: lackingLeast },
  { title: 'all items on one page, exactly',       limit: onOnePage(0) },
  { title: 'a page larger than the list',          limit: onOnePage(1) },
  { title: 'pages of one item',                    limit: fixed(1, 2, 60) },
  { title: 'pages of seven items',                 limit: fixed(7, 8) },
  { title: 'pages of ten items',                   limit: fixed(10, 11) },
  { title: 'pages of fourteen items',              limit: fixed(14, 14) },
];
