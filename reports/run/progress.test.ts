import { expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { checkEnd, planOf, start } from '../testing/runs.fixture.ts';
import { currentRate, leftText, type ProgressState, progressLines, progressOf } from './progress.ts';

// biome-ignore format: a table
const runs: readonly [ExampleName, ProgressState][] = [
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
  expect(seen.at(-1)).toMatchObject(progress);
  for (const { done, total } of seen) expect(done).toBeLessThanOrEqual(total);
});

test('extended fuzzing is measured by its time, and an end that replaces another counts as no further check', () => {
  const counting = progressOf();
  const plan = planOf(['list-segments']);
  const extended = (requests: number, elapsedMs: number): RunEvent => ({
    event: 'progress',
    requests,
    extended: requests - 50,
    elapsedMs,
    timeMs: 60_000,
  });
  const ends = plan.map(check => checkEnd(check, 'pass'));
  const seen = [
    start(plan, { timeMs: 60_000 }),
    ...ends.slice(1),
    // Another lane already sends extended cases.
    extended(60, 1_000),
    ...ends.slice(0, 1),
    extended(500, 30_000),
    ...plan.map((check, index) => checkEnd(check, index === 0 ? 'fail' : 'pass', { replaces: true })),
  ].map(event => counting.add(event));
  const total = plan.length;
  expect(seen[total]).toMatchObject({ total, done: total - 1, requests: 60 });
  expect(seen[total]?.extended).toBeUndefined();
  expect(seen.at(-1)).toMatchObject({ total, done: total, requests: 500, failing: 1 });
  expect(seen.at(-1)?.extended).toEqual({ elapsedMs: 30_000, timeMs: 60_000, cases: 450 });
});

test('the rate is that of the time between', () => {
  expect(currentRate({ at: 1_000, requests: 100 }, { at: 3_000, requests: 700 })).toBe(300);
  expect(currentRate({ at: 1_000, requests: 100 }, { at: 1_000, requests: 700 })).toBe(0);
});

test('the check that runs now is told until it ends', () => {
  const counting = progressOf();
  const plan = planOf(['list-segments']);
  const [first, second] = plan;
  if (first === undefined || second === undefined) throw new Error('no checks');
  counting.add(start(plan));
  expect(counting.add({ event: 'check-start', id: first.id }).running).toBe(first.id);
  expect(counting.add({ event: 'check-start', id: second.id }).running).toBe(second.id);
  expect(counting.add(checkEnd(second, 'pass')).running).toBe(first.id);
  expect(counting.add(checkEnd(first, 'pass')).running).toBeUndefined();
});

test('the time left is that of the share that is done', () => {
  expect(leftText(10_000, 50, 100)).toBe('  10s left');
  expect(leftText(10_000, 0, 100)).toBe('');
  expect(leftText(10_000, 100, 100)).toBe('');
});

test.each([
  ['none of a short run', 200, []],
  ['one each 30 seconds of a long one', 1_000, ['  after 30s: 15/60 checks, 210 requests, 0 failing\n']],
])('a log without a live line gets %s', (_what, step, lines) => {
  let now = 0;
  const written: string[] = [];
  const add = progressLines(
    text => written.push(text),
    () => now,
  );
  for (const event of examples.green) {
    add(event);
    now += step;
  }
  expect(written.slice(0, 1)).toEqual(lines);
});
