import { describe, expect, test } from 'vitest';
import { leastWorth } from './case-order.ts';
import { profileTrim, type Trim, trimToFit, untrimmed, within } from './trim.ts';

const units = [
  { ranks: [9, 8, 5, 4, 1].map(worth => ({ worth, cost: 1 })) },
  { ranks: [7, 3].map(worth => ({ worth, cost: 2 })) },
  { ranks: [{ worth: 0.5, cost: 1 }] },
];
const words = { because: 'beyond', remedy: 'more' };
const sentBy = (trim: Trim): number[][] =>
  units.map(({ ranks }) => within(ranks, trim).map(at => ranks[at]?.worth ?? 0));

describe('a run of so many requests', () => {
  test('sends all where they suffice', () => {
    expect(trimToFit(units, untrimmed, 10, words)).toBe(untrimmed);
  });

  test('sends what is worth most, and one case of each unit', () => {
    expect(sentBy(trimToFit(units, untrimmed, 8, words))).toEqual([[9, 8, 5, 4], [7], [0.5]]);
  });

  test('sends only what is worth most where one case of each unit would take most of them', () => {
    expect(sentBy(trimToFit(units, untrimmed, 5, words))).toEqual([[9, 8, 5], [7], []]);
    expect(sentBy(trimToFit(units, untrimmed, 1, words))).toEqual([[9], [], []]);
    expect(sentBy(trimToFit(units, untrimmed, 0, words))).toEqual([[], [], []]);
  });

  test('sends nothing that its profile leaves out', () => {
    const profile = { ...untrimmed, least: 5 };
    expect(trimToFit(units, profile, 100, words)).toBe(profile);
  });
});

test('a profile leaves out what is worth less, but not where a path or time is given', () => {
  const at = (more: object) => profileTrim({ profile: 'quick', path: undefined, timeMs: undefined, ...more }).least;
  expect(at({})).toBe(leastWorth.quick);
  for (const more of [{ profile: 'thorough' }, { path: 'a' }, { timeMs: 1 }]) expect(at(more)).toBe(0);
});
