import { expect, test } from 'vitest';
import { contextOf } from '../proof/testing/judged-by.ts';
import type { ActiveCheck, CheckResult } from '../protocol/check.ts';
import type { ActiveUnit } from './execution.ts';
import { openLane } from './lane-state.ts';
import { runDouble } from './run.fixture.ts';
import { openUnit } from './unit.ts';

const shown: CheckResult = { violations: [], proved: true };
/** Nothing was refused, and no answer could have shown anything. */
const idle: CheckResult = { ...shown, covers: [] };
const withheld: CheckResult = { violations: [], proved: false, because: 'a request was held back' };

/** Runs a check of two cases that gives these results, the last one over and over. Returns the cases that it ran. */
async function casesRun(results: readonly CheckResult[], more: Partial<ActiveCheck<string>> = {}): Promise<string> {
  let ran = '';
  const check: ActiveCheck<string> = {
    kind: 'active',
    id: 'races',
    level: 'MUST',
    title: 'a check',
    detects: 'nothing',
    requirements: () => ['state.concurrent-fields'],
    appliesTo: () => true,
    plan: () => ({
      parallel: false,
      cases: ['a', 'b'],
      describe: title => ({ title, pointer: '' }),
      run: async title => {
        ran += title;
        return results[ran.length - 1] ?? (results.at(-1) as CheckResult);
      },
    }),
    ...more,
  };
  const unit = { id: 'enable-groups/races', endpoint: 'enable-groups', check, lane: 'experiments' } as unknown;
  const run = runDouble();
  const lane = openLane({ run, snapshot: {} as never, units: [], passiveUnits: [] });
  const open = openUnit({ unit: unit as ActiveUnit, context: contextOf('enable-groups'), lane });
  await open.run();
  return ran;
}

// biome-ignore format: a table
test.each<readonly [what: string, results: readonly CheckResult[], ran: string]>([
  ['has no further chance where a case shows something',        [shown, idle],       'ab'],
  ['has up to four further chances where none does',               [idle],              'abaaaa'],
  ['has no more once it shows something',          [idle, idle, shown], 'aba'],
  ['has no further chance where a case could not be sent',      [idle, withheld],    'ab'],
])('a check that depends on luck %s', async (_what, results, ran) => {
  expect(await casesRun(results, { tries: 50 })).toBe(ran);
});

test('any other check has no further chance', async () => {
  expect(await casesRun([idle])).toBe('ab');
});
