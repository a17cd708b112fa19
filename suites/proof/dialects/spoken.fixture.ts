import { expect, test } from 'vitest';
import type { Dialect } from '../../../reference-server/index.ts';
import { shareOf } from '../testing/proof-share.ts';
import type { RunRecord } from '../testing/reference-run.ts';
import { concerned, judged } from './judged.fixture.ts';

/** The seed of the runs: 1, unless `DIALECT_SEED` gives another. */
const seed = Number(process.env.DIALECT_SEED ?? 1);

/** The verdicts of the endpoints of which every check can be carried out: each run has to come to the same. */
const settledVerdicts = ({ verdicts }: RunRecord, { mayBeUntested }: Dialect) =>
  [...verdicts].filter(
    ([id]) => !mayBeUntested?.checks.some(glob => glob.startsWith('*') || glob.startsWith(`${id}/`)),
  );

/** How often the suite is run against each server: once, unless `DIALECT_RUNS` says otherwise. */
const tokens = ['test', 'more', 'last'].slice(0, Number(process.env.DIALECT_RUNS ?? 1));

/**
 * The whole suite, in process, accuses a server that speaks a dialect of nothing but what its row names, draws every
 * warning that it names, and leaves nothing changed that it does not tell. A second run over the same server ends as
 * the first.
 */
async function expectJustice(dialect: Dialect): Promise<void> {
  const { accused, damages } = dialect;
  const { records, accusations, damage } = await judged(dialect, seed, tokens);
  if (damages !== undefined) expect(damage, 'damaged no more: mend the row').not.toEqual([]);
  else expect(damage.join('\n')).toBe('');
  if (accused !== undefined) return void expect(accusations, 'accused no more: mend the row').not.toEqual([]);
  expect(accusations.join('\n')).toBe('');
  for (const { verdicts } of records) expect([...verdicts.keys()]).toEqual(concerned(dialect));
  const [first, ...more] = records.map(record => settledVerdicts(record, dialect));
  for (const verdicts of more) expect(verdicts).toEqual(first);
}

const isBehind = ({ behindMs }: Dialect): boolean => behindMs !== undefined;

/** One test for each dialect of these that shows what is. */
export const areNotAccused = (dialects: readonly Dialect[]): void =>
  // Two or more at once: while one waits for what does not come, the others work.
  test.concurrent.each(shareOf(dialects.filter(dialect => !isBehind(dialect))))('$id: $title', expectJustice);

/** One test for each dialect of these that is behind: one after another, for they put the clock forward. */
export const areNotAccusedWhereBehind = (dialects: readonly Dialect[]): void =>
  test.each(dialects.filter(isBehind))('$id: $title', expectJustice);
