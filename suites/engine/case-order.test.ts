import { describe, expect, test } from 'vitest';
import { allUnits, type Unit } from '../checks/units.ts';
import { minimalCaseId } from './case-ids.ts';
import { type CaseOrder, caseKind, rankCases, rankDraws, shippedOrder } from './case-order.ts';

const unit = allUnits().find(({ id }) => id === 'patch-gate/accepts') as Unit;
const order: CaseOrder = {
  version: 1,
  least: {},
  fixed: 0,
  overhead: 1,
  cases: { 'patch-gate/accepts': { known: [500, 2] } },
  kinds: { accepts: [6, 1], 'accepts|exactly 0 characters': [90, 1] },
  draws: { 'patch-gate/accepts': { worths: [40, 20], cost: 3 } },
};
const described = (id: string, title: string, pointer = '/name') => ({ id, description: { title, pointer } });

describe('a case', () => {
  test('that is known is worth what was learned of it, and any other what its kind or its check is', () => {
    const cases = [described('known', 'x'), described('b', 'team.name: exactly 3 characters'), described('c', 'new')];
    expect(rankCases(unit, cases, 1, order)).toEqual([
      { worth: 500, cost: 2 },
      { worth: 90, cost: 1 },
      { worth: 6, cost: 1 },
    ]);
  });

  test('is of the kind of another that differs in field, name and number only', () => {
    const kinds = [
      caseKind('accepts', { title: 'name: "Étoile" for 1,000 texts', pointer: '/name' }),
      caseKind('accepts', { title: 'tags.0: "b" for 12 texts', pointer: '/tags/0' }),
    ];
    expect(kinds).toEqual(['accepts|"" for 0 texts', 'accepts|"" for 0 texts']);
  });

  test('is worth less the more of its kind the unit has, and the seed decides which come first', () => {
    const cases = Array.from({ length: 12 }, (_, at) => described(`case-${at}`, `name: exactly ${at} characters`));
    const worths = (seed: number) => rankCases(unit, cases, seed, order).map(({ worth }) => worth);
    expect([...worths(1)].sort((a, b) => b - a)[0]).toBe(90);
    expect(new Set(worths(1)).size).toBe(12);
    expect([...worths(2)].sort()).toEqual([...worths(1)].sort());
    expect(worths(2)).not.toEqual(worths(1));
    expect(worths(1)).toEqual(worths(1));
  });

  test('that is the minimal request comes before all others', () => {
    const [first] = rankCases(unit, [described(minimalCaseId, 'the minimal request', '')], 1, order);
    expect(first?.worth).toBe(Number.POSITIVE_INFINITY);
  });

  test('that is random is worth what was learned of so many of them, and then less and less', () => {
    const worths = rankDraws(unit, 5, order).map(({ worth }) => worth);
    expect(worths.slice(0, 3)).toEqual([40, 20, 6]);
    expect(worths[4]).toBeLessThan(worths[3] as number);
  });
});

test('the order that is shipped speaks of units that there are, and leaves some cases to the larger profiles', () => {
  const { least, cases, draws } = shippedOrder();
  const known = new Set(allUnits().map(({ id }) => id));
  expect([...Object.keys(cases), ...Object.keys(draws)].filter(id => !known.has(id))).toEqual([]);
  expect(least.quick).toBeGreaterThan(least.standard as number);
  expect(least.thorough).toBeUndefined();
});
