import { expect, test } from 'vitest';
import type { Dialect } from '../../../reference-server/index.ts';
import { watchedRun } from '../testing/watched-run.ts';
import { toReference, unnoted } from './compared.fixture.ts';
import { problemsOf, settingOf, unhurried } from './judged.fixture.ts';
import { provenDialects } from './proven.fixture.ts';

const seed = 1;

/**
 * One run of the suite against a server that speaks a dialect. The run itself accuses it of nothing but what its row
 * names, draws every warning that it names, and leaves nothing changed that it does not tell; the judge of traffic
 * accuses it of nothing in what passed; and beside the reference server it differs in what is noted, and no more.
 */
const expectJustice = (dialect: Dialect): Promise<void> =>
  unhurried(dialect, async () => {
    const setting = settingOf(dialect, seed, 'least');
    const run = await watchedRun(setting);
    const differs = await toReference(dialect, setting, run);
    expect([...run.record.verdicts.keys()]).toEqual(setting.only);
    const noted = provenDialects()[dialect.id];
    expect([...problemsOf(dialect, [run]), ...unnoted(dialect, differs, noted, run.record)].join('\n')).toBe('');
  });

const isBehind = ({ behindMs }: Dialect): boolean => behindMs !== undefined;

/** One test for each dialect of these that shows what is. */
export const areNotAccused = (dialects: readonly Dialect[]): void =>
  // Two or more at once: while one waits for what does not come, the others work.
  test.concurrent.each(dialects.filter(dialect => !isBehind(dialect)))('$id: $title', expectJustice);

/** One test for each dialect of these that is behind: one after another, for they put the clock forward. */
export const areNotAccusedWhereBehind = (dialects: readonly Dialect[]): void =>
  test.each(dialects.filter(isBehind))('$id: $title', expectJustice);
