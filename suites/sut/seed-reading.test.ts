import { expect, test } from 'vitest';
import { joined } from './seed-reading.ts';

// biome-ignore format: a table
const rows: readonly (readonly [string, readonly string[], string])[] = [
  ['one',                               ['abc'],            'abc'],
  ['the same twice',                    ['abc', 'abc'],     'abc'],
  ['what stands before',                ['bc', 'ab'],       'abc'],
  ['what stands between',               ['ac', 'abc'],      'abc'],
  ['what stands behind',                ['ab', 'bc'],       'abc'],
  ['nothing in common',                 ['ab', 'cd'],       'cdab'],
  ['orders that contradict each other', ['ab', 'ba'],       'ab'],
];

test.each(rows)('joins lists with %s', (_, lists, all) => {
  expect(joined(lists.map(list => [...list])).join('')).toBe(all);
});
