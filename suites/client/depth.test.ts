import { expect, test } from 'vitest';
import { nestingDepth } from './depth.ts';

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
  expect(nestingDepth(text, 100)).toBe(depth);
});

test('stops looking one level below the limit', () => {
  expect(nestingDepth('['.repeat(200_000), 10)).toBe(11);
});
