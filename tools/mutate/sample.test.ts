import { describe, expect, test } from 'vitest';
import { equivalents } from './equivalent.ts';
import { testsThatReach } from './reach.ts';
import { allMutants, mutatedFolders, productionFiles, sampled } from './sample.ts';

const files = ['contracts/pointer.ts', 'contracts/walk.ts', 'contracts/memoized.ts'];
const all = allMutants(files);

describe('a sample', () => {
  test('is the same for a seed, and another for another', () => {
    expect(sampled(all, 30, 1)).toEqual(sampled(all, 30, 1));
    expect(sampled(all, 30, 2)).not.toEqual(sampled(all, 30, 1));
  });

  test('has from each file as many as its share', () => {
    const chosen = sampled(all, 40, 1);
    expect(new Set(chosen).size).toBe(40);
    for (const file of files) {
      const [some, whole] = [chosen, all].map(list => list.filter(one => one.file === file).length);
      expect(Math.abs((some ?? 0) / 40 - (whole ?? 0) / all.length)).toBeLessThan(2 / 40);
    }
  });

  test('has no more than there are', () => {
    expect(sampled(all, 1_000_000, 1)).toHaveLength(all.length);
  });
});

describe('an equivalent mutant', () => {
  const [first] = all;
  const row = { file: first?.file ?? '', line: first?.line ?? '', change: first?.change ?? '', why: 'for a test' };

  test('is left out', () => {
    expect(allMutants(files, [row])).not.toContainEqual(first);
  });

  test('whose place is gone is an error', () => {
    expect(() => allMutants(files, [{ ...row, line: 'gone' }])).toThrow('no place any more');
  });

  test('of the list has a place, and a reason', () => {
    expect(() => allMutants([...new Set(equivalents.map(({ file }) => file))])).not.toThrow();
    for (const { why } of equivalents) expect(why.length).toBeGreaterThan(20);
  });
});

test('every folder that is mutated has files, and none of them is a test', () => {
  const wanted = productionFiles();
  for (const folder of mutatedFolders) expect(wanted.some(file => file.startsWith(`${folder}/`))).toBe(true);
  expect(wanted.filter(file => /\.(test|fixture)\.ts$/.test(file))).toEqual([]);
});

test('the tests that a file is held against are those that load it, the one beside it first', () => {
  const tests = new Set(['contracts/pointer.test.ts', 'suites/judge/echo.test.ts', 'reports/text/escape.test.ts']);
  const reached = testsThatReach('contracts/pointer.ts', tests);
  expect(reached).toEqual(['contracts/pointer.test.ts', 'suites/judge/echo.test.ts']);
  expect(testsThatReach('suites/judge/echo.ts', tests)).toEqual(['suites/judge/echo.test.ts']);
});
