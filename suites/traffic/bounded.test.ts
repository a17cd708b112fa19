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
