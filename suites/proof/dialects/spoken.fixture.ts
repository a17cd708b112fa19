import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import { dialects } from '../../../reference-server/dialects/index.ts';
import type { Dialect } from '../../../reference-server/index.ts';
import { watchedRun } from '../testing/watched-run.ts';
import { byNumber, toReference, unnoted } from './compared.fixture.ts';
import { concerned, problemsOf, settingOf, unhurried } from './judged.fixture.ts';
import { provenDialects } from './proven.fixture.ts';

const seed = 1;

/**
 * One run of the suite against a server that speaks a dialect. The run itself accuses it of nothing but what its row
 * names, draws every warning that it names, and leaves nothing changed that it does not tell; the judge of traffic
 * accuses it of nothing in what passed; and beside the reference server it differs in what is noted, and no more.
 */
const expectJustice = (dialect: Dialect): Promise<void> =>
  unhurried(dialect, async () => {
    // Where the number of a request counts, as many are sent as `prove` sends.
    const setting = settingOf(dialect, seed, byNumber.has(dialect.id) ? 'whole' : 'least');
    const noted = provenDialects()[dialect.id];
    const watched = async () => {
      const run = await watchedRun(setting);
      return { run, wrong: unnoted(dialect, await toReference(dialect, setting, run), noted, run.record) };
    };
    const { run, wrong } = await watched();
    expect([...run.record.verdicts.keys()]).toEqual(setting.only);
    // Of these alone it is asked that another run shows it too.
    const again = wrong.length > 0 && byNumber.has(dialect.id) ? (await watched()).wrong : wrong;
    expect([...problemsOf(dialect, [run]), ...wrong.filter(line => again.includes(line))].join('\n')).toBe('');
  });

const isBehind = ({ behindMs }: Dialect): boolean => behindMs !== undefined;

/** The files of tests, by the collections that their dialects are asked for. */
export const groups = ['every-kind', 'some-kinds', 'gates', 'experiments', 'other-collections'] as const;
type Group = (typeof groups)[number];

/** Of so many collections some of each kind are asked for. */
const mostOfSome = 3;

function groupOf(dialect: Dialect): Group {
  const asked = new Set(concerned(dialect, 'least').map(id => endpoints[id].collection));
  if (asked.size > 1) return asked.size > mostOfSome ? 'every-kind' : 'some-kinds';
  if (asked.has('gates')) return 'gates';
  return asked.has('experiments') || asked.has('qualifying-events') ? 'experiments' : 'other-collections';
}

/**
 * One test for each dialect of a group that shows what is. Those that are asked the same stand in one file, so that one
 * worker records the reference server for all of them.
 */
export const areNotAccused = (group: Group): void =>
  // Two or more at once: while one waits for what does not come, the others work.
  test.concurrent.each(dialects.filter(dialect => !isBehind(dialect) && groupOf(dialect) === group))(
    '$id: $title',
    expectJustice,
  );

/** One test for each dialect that is behind: one after another, for they put the clock forward. */
export const areNotAccusedWhereBehind = (): void => test.each(dialects.filter(isBehind))('$id: $title', expectJustice);
