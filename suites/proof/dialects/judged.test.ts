import { expect, test } from 'vitest';
import type { CheckEnd } from '../../../contracts/report/journal.ts';
import { largerProfile } from '../../../contracts/report/remedies.ts';
import { type Dialect, dialectNamed } from '../../../reference-server/index.ts';
import type { WatchedRun } from '../testing/watched-run.ts';
import { accusations } from './judged.fixture.ts';

const gateLists = 'patch-gate/lists';
const untested = (more: Partial<CheckEnd> = {}): Partial<CheckEnd> => ({
  verdict: 'untested',
  because: 'why',
  ...more,
});

/** What is wrong with a run in which this check of level SHOULD ended so, at a dialect of this row. */
const wrong = (end: Partial<CheckEnd>, row: Partial<Dialect> = {}): readonly string[] => {
  const { untested: _, mayBeUntested: __, ...bare } = dialectNamed('sparse-gates');
  const check = { id: gateLists, level: 'SHOULD', findings: [], verdict: 'pass', ...end };
  const record = { checks: new Map([[gateLists, check]]), end: { outcome: 'complete' } };
  return accusations({ ...bare, ...row }, [{ record, exchanges: [] } as unknown as WatchedRun]);
};

// biome-ignore format: a table
test.each<[what: string, end: Partial<CheckEnd>, row: Partial<Dialect>, problems: readonly string[]]>([
  ['passed',                                        {},                                 {},                                            []],
  ['that the row does not name was untested',       untested(),                         {},                                            [`untested ${gateLists} why`]],
  ['of level MUST was untested',                    untested({ level: 'MUST' }),        {},                                            [`untested ${gateLists} why`]],
  ['that the row names was untested',               untested(),                         { untested: [gateLists] },                     []],
  ['that may be untested was',                      untested(),                         { mayBeUntested: { checks: ['patch-gate/*'] } }, []],
  ['that only a larger profile sends was untested', untested({ remedy: largerProfile }), {},                                           []],
  ['that the row names as untested passed',         {},                                 { untested: [gateLists] },                     [gateLists]],
])('a check %s', (_what, end, row, problems) => {
  expect(wrong(end, row)).toEqual(problems);
});
