import { expect, test } from 'vitest';
import { curveOf } from './curve.fixture.ts';
import { learnOrder } from './learning.fixture.ts';
import type { SoundCase, ToldFault } from './told.fixture.ts';

const unit = 'patch-gate/rejects';
const one = (path: string, requests = 1, of = unit): SoundCase => ({
  unit: of,
  path,
  title: `name: ${path}`,
  pointer: '/name',
  requests,
  exercised: ['a requirement'],
});
const sound = {
  cases: [one('twice'), one('both'), one('dear', 10), one('nothing'), one('0', 2, 'patch-gate/violations')],
  requests: 20,
};
const told: readonly ToldFault[] = [
  { id: 'a', told: { [unit]: ['twice', 'both'] }, sent: { [unit]: 4 } },
  { id: 'b', told: { [unit]: ['both', 'dear'], 'patch-gate/violations': ['0'] }, sent: { 'patch-gate/violations': 4 } },
];

test('a case that shows most comes first, and one that shows the same again is worth little', () => {
  const { cases, draws, fixed } = learnOrder(told, sound);
  const worth = (path: string): number => cases[unit]?.[path]?.[0] ?? 0;
  expect(worth('both')).toBeGreaterThan(5 * worth('twice'));
  expect(worth('both')).toBeGreaterThan(5 * worth('dear'));
  // A quarter of the random cases of the unit shows a fault.
  expect(draws['patch-gate/violations']).toMatchObject({ cost: 2 });
  expect(fixed).toBe(5);
});

test('a case that could not be carried out is worth nothing', () => {
  const { cases } = learnOrder(told, { ...sound, cases: [...sound.cases, { ...one('held-back', 0), exercised: [] }] });
  expect(cases[unit]?.['held-back']?.[0]).toBe(0);
});

test('the curve counts what is found with so many requests, and what is found of faults that were left out', () => {
  const [few, all] = curveOf(told, sound, [6, 100]);
  expect(few).toMatchObject({ requests: 6, found: 2 });
  expect(all).toMatchObject({ requests: 100, found: 2, foundUnseen: 2 });
});
