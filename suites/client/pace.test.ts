import { expect, test } from 'vitest';
import { createPace } from './deferral.ts';

/** Returns the moments at which `count` requests go out that are all ready at 0. */
const moments = (pace: ReturnType<typeof createPace>, count: number): number[] =>
  Array.from({ length: count }, () => pace.wait(0));

test('without a rate nothing waits', () => {
  expect(moments(createPace(undefined), 3)).toEqual([0, 0, 0]);
});

test('a rate spaces requests evenly, and time that was not used is lost', () => {
  const pace = createPace(10);
  expect(moments(pace, 3)).toEqual([0, 100, 200]);
  expect(pace.wait(5_000)).toBe(0);
  expect(pace.wait(5_000)).toBe(100);
});

test.each([
  [1, 20],
  [2, 40],
  [5, 320],
  [40, 2000],
])('after %i refusals, one after another, %i milliseconds lie between requests', (refusals, gap) => {
  const pace = createPace(undefined);
  for (let at = 1; at <= refusals; at += 1) pace.limited(at, at);
  expect(moments(pace, 3)).toEqual([0, gap, 2 * gap]);
});

test('a target that says when to come again is slowed down for a little only', () => {
  const pace = createPace(undefined);
  for (let at = 1; at <= 40; at += 1) pace.limited(at, at, true);
  expect(moments(pace, 3)).toEqual([0, 100, 200]);
});

test('answers shrink the gap again, to nothing', () => {
  const pace = createPace(undefined);
  for (let at = 1; at < 40; at += 1) pace.limited(at, at);
  pace.taken();
  expect(moments(pace, 2)).toEqual([0, 1800]);
  for (let answers = 0; answers < 100; answers += 1) pace.taken();
  expect(moments(pace, 3)).toEqual([0, 0, 0]);
});

test('requests that were under way together slow the client down once', () => {
  const pace = createPace(undefined);
  for (let request = 0; request < 8; request += 1) pace.limited(10, 11);
  expect(moments(pace, 3)).toEqual([0, 20, 40]);
});

test('slowing adds to the rate that was asked for', () => {
  const pace = createPace(10);
  pace.limited(1, 1);
  expect(moments(pace, 2)).toEqual([0, 120]);
});
