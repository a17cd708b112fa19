import { describe, expect, test } from 'vitest';
import { allUnits, type Unit } from '../checks/units.ts';
import type { CaseDescription } from '../protocol/check.ts';
import { minimalCaseId } from './case-ids.ts';
import { leastWorth, rankCases, rankDraws, shares } from './case-order.ts';

const unitOf = (id: string): Unit => allUnits().find(one => one.id === id) as Unit;
const accepts = unitOf('patch-gate/accepts');
const described = (id: string, description: Partial<CaseDescription> = {}) => ({
  id,
  description: { title: id, pointer: '/name', ...description },
});
const enumRule = { keyword: 'enum', level: 'MUST' } as const;
const worths = (cases: Parameters<typeof rankCases>[1], seed = 1): number[] =>
  rankCases(accepts, cases, seed).map(({ worth }) => worth);

describe('a case', () => {
  test('of a stated rule is worth more than one of an ordinary value, and that more than one of what is only shown', () => {
    const [stated = 0, ordinary = 0, shown = 0] = worths([
      described('a', { rule: enumRule }),
      described('b', { rule: { keyword: 'example', level: 'MUST' } }),
      described('c', { rule: { keyword: 'type', level: 'SHOULD' } }),
    ]);
    expect(stated).toBeGreaterThan(ordinary);
    // Both come first of their kind, with a turn between 1/4 and 3/4.
    expect(stated).toBeGreaterThan(leastWorth.quick as number);
    expect(shown).toBeLessThan(leastWorth.quick as number);
  });

  test('is worth less the more that try the same rule at its place come first, and the seed decides which do', () => {
    const cases = Array.from({ length: 12 }, (_, at) => described(`case-${at}`, { rule: enumRule }));
    expect(new Set(worths(cases)).size).toBe(12);
    expect(worths(cases)).toEqual(worths(cases));
    const first = (seed: number): number => worths(cases, seed).indexOf(Math.max(...worths(cases, seed)));
    expect(new Set([1, 2, 3, 4, 5].map(first)).size).toBeGreaterThan(1);
  });

  test('is worth what it is without those that try another rule, or another place', () => {
    const own = described('own', { rule: enumRule });
    const others = [
      described('other place', { rule: enumRule, pointer: '/type' }),
      described('other rule', { rule: { keyword: 'pattern', level: 'MUST' } }),
      described('other level', { rule: { keyword: 'enum', level: 'SHOULD' } }),
    ];
    expect(worths([...others, own]).at(-1)).toBe(worths([own])[0]);
  });

  test('that is the minimal request, or the basic one of its check, is sent by every profile', () => {
    const ranks = worths([described(minimalCaseId), described('x', { isBasic: true })]);
    expect(ranks).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  test('that is random is worth less than the one before it', () => {
    const random = rankDraws(unitOf('patch-gate/violations'), 5).map(({ worth }) => worth);
    expect(random).toEqual([...random].sort((a, b) => b - a));
    expect(new Set(random).size).toBe(5);
  });
});

test('every check that sends has a share, and every share is of such a check', () => {
  const sending = new Set(allUnits().flatMap(({ check }) => (check.kind === 'active' ? [check.id] : [])));
  expect(Object.keys(shares).sort()).toEqual([...sending].sort());
});

test('what quick sends standard sends, and thorough sends all', () => {
  expect(leastWorth.quick).toBeGreaterThan(leastWorth.standard as number);
  expect(leastWorth.thorough).toBeUndefined();
});
