import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import { contextOf } from '../proof/testing/judged-by.ts';
import { type ActiveCheck, type CheckPlan, isNothingToDo } from '../protocol/check.ts';
import { amountsFor, amountsOf, casesOf, mostExtended, rankedCases } from './cases.ts';
import { runDouble } from './run.fixture.ts';
import { profileTrim, type Trim } from './trim.ts';

const plan = (more: Partial<CheckPlan<unknown>>): CheckPlan<unknown> => ({
  parallel: true,
  describe: input => ({ title: `the letter ${String(input)}`, pointer: '' }),
  run: async () => ({ violations: [], proved: true }),
  ...more,
});
const unit = { id: 'patch-gate/letters', check: { id: 'letters', level: 'SHOULD' } } as unknown as Unit;
const letters = plan({ cases: [...'abcdefghij'] });
const trimmed = (least: number): Trim => ({ least, keepsOne: true, because: '', remedy: '' });
const sent = (of: CheckPlan<unknown>, options: { readonly trim?: Trim; readonly path?: string } = {}) =>
  casesOf(unit, of, amountsOf.quick, { seed: 1, ...options }).sent.map(({ value }) => value);

describe('enumerated cases', () => {
  test('are all sent where nothing is left out', () => {
    expect(sent(letters)).toEqual([...'abcdefghij']);
    expect(casesOf(unit, letters, amountsOf.quick, { seed: 1 }).sent[3]).toMatchObject({
      value: 'd',
      index: 3,
      path: 'the-letter-d',
    });
  });

  test('are sent in their order where they are worth enough, and the others come after, best first', () => {
    // The more similar cases there are, the less each is worth.
    const alike = plan({
      cases: [...'abcdefghij'],
      describe: input => ({ title: `a: "${String(input)}"`, pointer: '/a' }),
    });
    const { ranks } = rankedCases(unit, alike, amountsOf.quick, { seed: 1 });
    const best = ranks.map(({ worth }, index) => ({ worth, index })).sort((a, b) => b.worth - a.worth);
    const {
      sent: some,
      leftOut,
      bestLeftOut,
    } = casesOf(unit, alike, amountsOf.quick, {
      seed: 1,
      trim: trimmed(best[3]?.worth ?? 0),
    });
    expect(some.map(({ index }) => index)).toEqual(
      best
        .slice(0, 4)
        .map(({ index }) => index)
        .sort(),
    );
    expect(leftOut).toBe(6);
    expect(bestLeftOut(99).map(({ index }) => index)).toEqual(best.slice(4).map(({ index }) => index));
    expect(bestLeftOut(2).map(({ value }) => value)).toEqual(best.slice(4, 6).map(({ index }) => alike.cases?.[index]));
  });

  test('are one where a path names it, and none where it names nothing', () => {
    const trim = trimmed(Number.POSITIVE_INFINITY);
    expect(sent(letters, { trim })).toHaveLength(1);
    expect(sent(letters, { trim, path: 'the-letter-h' })).toEqual(['h']);
    expect(sent(letters, { trim, path: '7' })).toEqual([]);
  });
});

describe('random cases', () => {
  const numbers = plan({ arbitrary: fc.nat() });

  test('are as many as the profile has, by the seed, and each has the path that replays it', () => {
    const cases = casesOf(unit, numbers, amountsOf.quick, { seed: 1 }).sent;
    expect(cases).toHaveLength(amountsOf.quick.fuzz);
    expect(sent(numbers, { path: cases[5]?.path ?? '' })).toEqual([cases[5]?.value]);
  });

  test('are the same ones where only some of them are sent, and no more are drawn than it takes', () => {
    const all = casesOf(unit, numbers, amountsOf.quick, { seed: 1 }).sent.map(({ value }) => value);
    let drawn = 0;
    const counted = plan({
      arbitrary: fc.nat().map(value => {
        drawn += 1;
        return value;
      }),
    });
    const { worth } = rankedCases(unit, counted, amountsOf.quick, { seed: 1 }).ranks[3] ?? { worth: 0 };
    const { sent: some, bestLeftOut } = casesOf(unit, counted, amountsOf.quick, { seed: 1, trim: trimmed(worth) });
    expect(some.map(({ value }) => value)).toEqual(all.slice(0, 4));
    expect(drawn).toBe(4);
    expect(bestLeftOut(2).map(({ value }) => value)).toEqual(all.slice(4, 6));
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

/** Returns the enumerated cases that a whole run of a profile sends, by `endpoint/check#path`. */
function casesOfProfile(profile: Profile): readonly string[] {
  const trim = profileTrim({ profile, path: undefined, timeMs: undefined });
  return allUnits().flatMap(one => {
    if (one.check.kind !== 'active') return [];
    const context = contextOf(one.endpoint, { amounts: amountsOf[profile] });
    const planned = (one.check as unknown as ActiveCheck<unknown>).plan(context);
    if (isNothingToDo(planned) || planned.arbitrary !== undefined) return [];
    const { sent: cases } = casesOf(one, planned, context.amounts, { seed: 1, token: context.token, trim });
    return cases.map(({ path }) => `${one.id}#${path}`);
  });
}

test('a profile sends what a smaller one sends, and more', () => {
  const [quick = [], standard = [], thorough = []] = (['quick', 'standard', 'thorough'] as const).map(casesOfProfile);
  const beyond = (some: readonly string[], all: readonly string[]): readonly string[] => {
    const known = new Set(all);
    return some.filter(id => !known.has(id));
  };
  expect(beyond(quick, standard)).toEqual([]);
  expect(beyond(standard, thorough)).toEqual([]);
  expect(standard.length).toBeGreaterThan(3 * quick.length);
  expect(thorough.length).toBeGreaterThan(standard.length);
});
