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
  const tally = createTally();
  for (let reason = 1; reason <= 33; reason += 1) tally.add(`reason ${reason}`);
  tally.add('reason 7');
  expect(tally.counts().slice(0, 3)).toEqual([
    { because: 'other reasons', count: 3 },
    { because: 'reason 7', count: 2 },
    { because: 'reason 1', count: 1 },
  ]);
  expect(tally.counts()).toHaveLength(31);
});
