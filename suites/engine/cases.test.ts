import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Amounts, CheckPlan } from '../protocol/check.ts';
import { amountsFor, amountsOf, casesOf, mostExtended } from './cases.ts';
import { runDouble } from './run.fixture.ts';

const plan = (more: Partial<CheckPlan<unknown>>): CheckPlan<unknown> => ({
  parallel: true,
  describe: input => ({ title: `the letter ${String(input)}`, pointer: '' }),
  run: async () => ({ violations: [], proved: true }),
  ...more,
});
const at = (enumerated: number): Amounts => ({ ...amountsOf.quick, enumerated });
const letters = plan({ cases: [...'abcdefghij'] });
const sent = (of: CheckPlan<unknown>, amounts: Amounts, path?: string) =>
  casesOf(of, amounts, { seed: 1, path }).map(({ value }) => value);

describe('enumerated cases', () => {
  test('are all sent where there are no more than the profile sends', () => {
    expect(sent(letters, at(10))).toEqual([...'abcdefghij']);
    expect(casesOf(letters, at(10), { seed: 1 })[3]).toEqual({ value: 'd', index: 3, path: 'the-letter-d' });
  });

  test('are spread evenly where there are more', () => {
    expect(sent(letters, at(5))).toEqual(['a', 'c', 'e', 'g', 'i']);
  });

  test('are sent by priority, and spread over the last that fits in part', () => {
    const ranked = { ...letters, priority: (letter: unknown) => ('hij'.includes(String(letter)) ? 0 : 1) };
    expect(sent(ranked, at(5))).toEqual(['a', 'd', 'h', 'i', 'j']);
    expect(sent(ranked, at(2))).toEqual(['h', 'i']);
  });

  test('are one where a path names it, and none where it names nothing', () => {
    expect(sent(letters, at(2), 'the-letter-h')).toEqual(['h']);
    expect(sent(letters, at(2), '7')).toEqual([]);
  });
});

describe('random cases', () => {
  const numbers = plan({ arbitrary: fc.nat() });

  test('are as many as the profile has, by the seed, and each has the path that replays it', () => {
    const cases = casesOf(numbers, amountsOf.quick, { seed: 1 });
    expect(cases).toHaveLength(amountsOf.quick.fuzz);
    expect(sent(numbers, amountsOf.quick, cases[5]?.path)).toEqual([cases[5]?.value]);
  });
});

test('a run with time to spare, and a path, begin with all that can be enumerated', () => {
  const amounts = (options: object) => amountsFor(runDouble({ options: { profile: 'quick', ...options } }).config);
  expect(amounts({})).toEqual(amountsOf.quick);
  for (const options of [{ timeMs: 1000 }, { path: '3' }])
    expect(amounts(options)).toEqual({ ...amountsOf.thorough, fuzz: amountsOf.quick.fuzz });
});

test('random cases have an end where each leaves something that no dry run spares', () => {
  expect(mostExtended(endpoints['create-prompt-version'])).toBe(amountsOf.thorough.fuzz);
  expect(mostExtended(endpoints['create-metric'])).toBe(Number.POSITIVE_INFINITY);
  expect(mostExtended(endpoints['patch-gate'])).toBe(Number.POSITIVE_INFINITY);
});
