import { expect, test } from 'vitest';
import { someText, textsWithin, valuesWithin } from './values.ts';

const isHit = (text: string): boolean => text === 'hit';

test('of a list that is longer than what is looked at, the first values are looked at', () => {
  const long = Array.from({ length: 5_000 }, (_, index) => (index === 5 ? 'hit' : 'none'));
  expect(someText(long, 2_000, isHit)).toBe(true);
  expect(someText({ members: long }, 2_000, isHit)).toBe(true);
  expect(someText([...long].reverse(), 2_000, isHit)).toBe(false);
});

test('no more is yielded than was asked for, of wide values and of deep ones', () => {
  const wide = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 1));
  expect([...valuesWithin(wide, 50)]).toHaveLength(50);
  expect([...valuesWithin(wide)]).toHaveLength(1 + 100 + 100 * 100);
});

test('texts are told with their places, names of members too, and in their order', () => {
  const value = { a: 'one', 'b/c': { d: ['two', { e: 'three' }] }, f: 4 };
  expect(textsWithin(value, 100).map(({ pointer, name, text }) => `${pointer} ${name} ${text}`)).toEqual([
    '  a',
    '  b/c',
    '  f',
    '/a a one',
    '/b~1c  d',
    '/b~1c/d/0  two',
    '/b~1c/d/1  e',
    '/b~1c/d/1/e e three',
  ]);
  expect(textsWithin(Array.from({ length: 100 }, String), 10).length).toBeLessThanOrEqual(10);
  expect(textsWithin(undefined, 10)).toEqual([]);
});
