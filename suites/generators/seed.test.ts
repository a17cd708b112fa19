import { expect, it } from 'vitest';
import { seedOf } from './seed.ts';

it('is pinned: a changed hash would change every replay', () => {
  expect(seedOf(42, 'patch-gate', 'accept')).toBe(-1423581815);
});

it('depends on every part and on where parts end', () => {
  const seeds = [
    seedOf(1, 'a', 'b'),
    seedOf(2, 'a', 'b'),
    seedOf(1, 'ab'),
    seedOf(1, 'b', 'a'),
    seedOf(1, 'a', 'b', ''),
    seedOf(1, 'a'),
  ];
  expect(new Set(seeds).size).toBe(seeds.length);
  for (const seed of seeds) expect(seed).toBe(seed | 0);
});
