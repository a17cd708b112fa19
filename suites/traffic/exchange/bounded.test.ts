import { expect, test } from 'vitest';
import { boundedMap, createTally } from './bounded.ts';

test('what was used last is kept, and no more than so much', () => {
  const map = boundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.keys(), map.size]).toEqual([['a', 'c'], 2]);
});

test('no more bytes are kept than one map may hold, but for one entry that takes more', () => {
  const map = boundedMap<string, number>(10);
  const half = 17 * 1024 * 1024;
  map.set('a', 1, half);
  map.set('a', 2, half);
  expect(map.keys()).toEqual(['a']);
  map.set('b', 3, half);
  expect(map.keys()).toEqual(['b']);
  map.set('c', 4, 4 * half);
  expect(map.keys()).toEqual(['c']);
  map.delete('c');
  map.set('d', 5, half);
  map.set('e', 6, 1);
  expect(map.keys()).toEqual(['d', 'e']);
});

test('asking for each key ends, though it changes their order', () => {
  const map = boundedMap<string, number>(3);
  for (const key of ['a', 'b', 'c']) map.set(key, 1);
  let asked = 0;
  for (const key of map.keys()) asked += map.get(key) ?? 0;
  expect(asked).toBe(3);
});

test('so many different reasons are counted apart, and the others together', () => {
  const tally = createTally(2);
  for (const reason of ['a', 'b', 'c', 'd', 'a']) tally.add(reason);
  expect(tally.counts()).toEqual([
    { because: 'a', count: 2 },
    { because: 'other reasons', count: 2 },
    { because: 'b', count: 1 },
  ]);
});
