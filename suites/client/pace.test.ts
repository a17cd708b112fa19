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

/** Sends requests one after another to a target that `takes` the one of a moment or not. Returns their moments. */
function sentTo(takes: (index: number, now: number) => boolean, count: number, isTold = false): number[] {
  const pace = createPace(undefined);
  const sent: number[] = [];
  let now = 0;
  for (let index = 1; index <= count; index += 1) {
    now += 1 + pace.wait(now);
    sent.push(now);
    if (takes(index, now)) pace.taken();
    else pace.limited(now, now, isTold);
  }
  return sent;
}

test.each([
  [2, false],
  [3, false],
  [3, true],
  [7, false],
])('a target that puts off every request of %i, whatever its pace, is not slowed down for', (each, isTold) => {
  const sent = sentTo(index => index % each !== 0, 2_000, isTold);
  expect((sent.at(-1) ?? 0) / sent.length).toBeLessThan(20);
});

test.each([2, 10, 40])('a target that takes %i requests a second is slowed down for', rate => {
  let tokens = 0;
  let before = 0;
  const takes = (_index: number, now: number): boolean => {
    tokens = Math.min(1, tokens + ((now - before) * rate) / 1000);
    before = now;
    const isTaken = tokens >= 1;
    if (isTaken) tokens -= 1;
    return isTaken;
  };
  const sent = sentTo(takes, 2_000);
  expect((sent.at(-1) ?? 0) / sent.length).toBeGreaterThan(500 / rate);
});

test('a target that took requests at any pace, and then refuses them, is slowed down for', () => {
  const pace = createPace(undefined);
  for (let round = 0; round < 50; round += 1) {
    pace.limited(round, round);
    pace.taken();
    pace.taken();
  }
  expect(pace.limited(100, 100)).toBe(true);
  expect(moments(pace, 3)).toEqual([0, 0, 0]);
  const later = Array.from({ length: 100 }, (_, index) => pace.limited(101 + index, 101 + index));
  expect(later.at(-1)).toBe(false);
  expect(pace.wait(1_000)).toBe(0);
  expect(pace.wait(1_000)).toBeGreaterThan(500);
});
