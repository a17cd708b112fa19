/** A page size, chosen once the number of items is known; null where there is none for a list of that length. */
export interface WalkCase {
  readonly title: string;
  readonly limit: (total: number) => number | null;
}

/** The largest page that is asked for: answers are bounded, and a page of very long entities would pass the bound. */
const largestPage = 1_000;

/** The sizes that cut a list into several pages, the largest first. Bounded, for the total is what the target says. */
function sizesOf(total: number): number[] {
  const largest = Math.min(largestPage, total - 1);
  return Array.from({ length: Math.max(0, largest - 1) }, (_, index) => largest - index);
}

/** The largest size that leaves so many items on the last page, all others being full; null where there is none. */
const sizeThatLeaves = (total: number, left: number): number | null =>
  sizesOf(total).find(size => total % size === left) ?? null;

/** The size that leaves the fewest places on the last page, but at least one. */
function sizeThatLacksLeast(total: number): number | null {
  const sizes = sizesOf(total).filter(size => total % size !== 0);
  const lacking = (size: number): number => size - (total % size);
  const least = Math.min(...sizes.map(lacking));
  return sizes.find(size => lacking(size) === least) ?? null;
}

const onOnePage = (size: number): number | null => (size <= largestPage ? size : null);

/** In the order in which a profile takes them: the last item before, on and after the edge of a page first. */
export const walkCases: readonly WalkCase[] = [
  { title: 'the last item alone on the last page', limit: total => sizeThatLeaves(total, 1) },
  { title: 'pages of three items', limit: total => (total >= 4 ? 3 : null) },
  { title: 'every page full', limit: total => sizeThatLeaves(total, 0) },
  { title: 'the last page all but full', limit: sizeThatLacksLeast },
  { title: 'all items on one page, exactly', limit: total => (total >= 1 ? onOnePage(total) : null) },
  { title: 'a page larger than the list', limit: total => onOnePage(total + 1) },
  { title: 'pages of one item', limit: total => (total >= 2 && total <= 60 ? 1 : null) },
  { title: 'pages of seven items', limit: total => (total >= 8 ? 7 : null) },
  { title: 'pages of ten items', limit: total => (total >= 11 ? 10 : null) },
  { title: 'pages of fourteen items', limit: total => (total >= 14 ? 14 : null) },
];
