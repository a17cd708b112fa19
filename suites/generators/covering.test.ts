import { expect, test } from 'vitest';
import { type Choice, coveringRows } from './covering.ts';

const pairsIn = (rows: readonly (readonly number[])[]): Set<string> =>
  new Set(
    rows.flatMap(row =>
      row.flatMap((level, factor) =>
        row.slice(factor + 1).map((other, next) => `${factor}=${level} ${factor + 1 + next}=${other}`),
      ),
    ),
  );

test.each([
  [[2, 2], 4],
  [[3], 0],
  [[3, 3, 3], 12],
  [[4, 3, 2, 3, 4, 2], 24],
  [Array.from({ length: 14 }, () => 3), 21],
  [Array.from({ length: 60 }, () => 3), 36],
] as const)('every two levels of two factors stand in a row of %j, of which there are at most %d', (levels, most) => {
  const rows = coveringRows({ levels });
  const all = levels.flatMap((count, factor) =>
    levels
      .slice(factor + 1)
      .flatMap((others, next) =>
        Array.from({ length: count * others }, (_, at) => [
          factor,
          at % count,
          factor + 1 + next,
          Math.floor(at / count),
        ]),
      ),
  );
  const met = pairsIn(rows);
  expect(all.filter(([f, a, g, b]) => !met.has(`${f}=${a} ${g}=${b}`))).toEqual([]);
  expect(rows.length).toBeLessThanOrEqual(most);
  expect(coveringRows({ levels })).toEqual(rows);
});

test('what cannot stand together stands in no row, and everything else in one', () => {
  const levels = [3, 3, 2];
  const clash = (one: Choice, other: Choice): boolean =>
    one.factor + other.factor === 1 && one.level > 0 && other.level > 0 && one.level !== other.level;
  const met = pairsIn(coveringRows({ levels, compatible: (one, other) => !clash(one, other) }));
  expect([...met].filter(pair => ['0=1 1=2', '0=2 1=1'].includes(pair))).toEqual([]);
  expect(['0=1 1=1', '0=2 1=2', '0=1 1=0', '0=1 2=1', '0=2 2=0'].every(pair => met.has(pair))).toBe(true);
});

test('without factors there are no rows', () => {
  expect(coveringRows({ levels: [] })).toEqual([]);
});
