import { expect, test } from 'vitest';
import { type ExampleName, examples } from '../example-runs.ts';
import { currentRate, type Progress, progressOf } from './progress.ts';

// biome-ignore format: a table
const runs: readonly [ExampleName, Progress][] = [
  ['empty',     { total: 0,  done: 0,  requests: 0,   failing: 0 }],
  ['green',     { total: 60, done: 60, requests: 840, failing: 0 }],
  ['warned',    { total: 60, done: 60, requests: 840, failing: 0 }],
  ['strict',    { total: 60, done: 60, requests: 840, failing: 1 }],
  ['failing',   { total: 60, done: 60, requests: 826, failing: 3 }],
  ['truncated', { total: 60, done: 29, requests: 406, failing: 1 }],
];

test.each(runs)('a run that is %s is counted', (name, progress) => {
  const counting = progressOf();
  const seen = examples[name].map(event => counting.add(event));
  expect(seen.at(-1)).toEqual(progress);
  for (const { done, total } of seen) expect(done).toBeLessThanOrEqual(total);
});

test('the rate is that of the time between', () => {
  expect(currentRate({ at: 1_000, requests: 100 }, { at: 3_000, requests: 700 })).toBe(300);
  expect(currentRate({ at: 1_000, requests: 100 }, { at: 1_000, requests: 700 })).toBe(0);
});
