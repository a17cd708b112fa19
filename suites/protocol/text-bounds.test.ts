import { expect, test } from 'vitest';
import { passedBound, weightOf } from './text-bounds.ts';

const passes = (text: string, depth: number, values = 1_000): boolean =>
  passedBound(text, { depth, values }) === 'depth';
const holdsMore = (text: string, values: number): boolean => passedBound(text, { depth: 100, values }) === 'values';

test.each([
  ['1', 0],
  ['[]', 1],
  ['{"a":{"b":[1]}}', 3],
  ['[[],[],[[]]]', 3],
  ['"[[[["', 0],
  ['["\\"[[", "]"]', 1],
  ['["\\\\", [1]]', 2],
  ['{"[{": "}]"}', 1],
  [']]][', 0],
])('%s is nested %i deep', (text, depth) => {
  expect(passes(text, depth)).toBe(false);
  expect(depth === 0 || passes(text, depth - 1)).toBe(true);
});

test.each([
  ['1', 1],
  ['[1,2,3]', 4],
  ['{"a":1,"b":[2,3]}', 5],
  ['["a,b,c","\\",,"]', 3],
])('%s holds %i values', (text, count) => {
  expect(holdsMore(text, count)).toBe(false);
  expect(holdsMore(text, count - 1)).toBe(true);
});

test('an empty container counts for one value more than it has, never for fewer', () => {
  expect(holdsMore('[]', 2)).toBe(false);
  expect(holdsMore('[]', 1)).toBe(true);
});

test('the bound that is passed first is the one that is told', () => {
  expect(passedBound('['.repeat(200_000), { depth: 10, values: 100 })).toBe('depth');
  expect(passedBound('[1,'.repeat(200_000), { depth: 100, values: 10 })).toBe('values');
});

test('a text weighs what it is long, or what its values would take', () => {
  const long = JSON.stringify('x'.repeat(10_000));
  expect(weightOf(long)).toBe(long.length);
  expect(weightOf(`[${'1,'.repeat(9_998)}1]`)).toBe(160_000);
});
