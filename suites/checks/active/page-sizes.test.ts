import { describe, expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { createModel } from '../../proof/testing/model.ts';
import { walkCases } from './page-sizes.ts';
import { pagination } from './pagination.ts';

const totals = [1, 2, 3, 4, 5, 10, 12, 14, 23, 41, 1_000, 1_001, 1_500, 99_991, 1_000_000_000];

const sizeOf = (title: string, total: number): number | null =>
  walkCases.find(one => one.title === title)?.limit(total) ?? null;

describe.each(totals)('of a list of %i items', total => {
  test('no page is larger than answers may be, and none smaller than one', () => {
    for (const { limit } of walkCases) {
      const size = limit(total) ?? 1;
      expect(Number.isInteger(size)).toBe(true);
      expect(size).toBeGreaterThanOrEqual(1);
      expect(size).toBeLessThanOrEqual(1_000);
    }
  });

  test('the last page has what its title says', () => {
    const alone = sizeOf('the last item alone on the last page', total);
    const full = sizeOf('every page full', total);
    const lacking = sizeOf('the last page all but full', total);
    expect(alone === null || total % alone).toBe(alone === null ? true : 1);
    expect(full === null || total % full).toBe(full === null ? true : 0);
    expect(lacking === null || total % lacking > 0).toBe(true);
    // Each has several pages; otherwise no edge between pages is crossed.
    for (const size of [alone, full, lacking]) expect(size === null || size < total).toBe(true);
    expect(total < 3 || alone !== null || total > 1_001).toBe(true);
  });
});

test.each([
  [20, 19, 10, 7],
  [10, 9, 5, 6],
  [3, 2, null, 2],
  [5_000, null, 1_000, 3],
])('of %i items: %j, %j and %j to a page', (total, alone, full, lacking) => {
  expect(sizeOf('the last item alone on the last page', total)).toBe(alone);
  expect(sizeOf('every page full', total)).toBe(full);
  expect(sizeOf('the last page all but full', total)).toBe(lacking);
});

test('a long list is walked in pages that can be read', async () => {
  const more = { amounts: { fuzz: 0, enumerated: 0, walks: walkCases.length, creations: 0 } };
  const { found, sent } = await judgedBy(pagination, 'list-segments', () => createModel(30_000), more);
  expect(found).toEqual([]);
  // Each walk reads at most 10,000 items, or 80 pages.
  expect(sent.length).toBeLessThan(600);
  // Long items limit the page size to what is light to read.
  expect(Math.max(...sent.map(({ query }) => Number(query?.limit ?? 0)))).toBe(375);
});
