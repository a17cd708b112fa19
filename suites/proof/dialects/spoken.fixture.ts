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
 * Runs the suite once against a dialect. Expects no accusation by the run or the judge of traffic beyond the row, every
 * warning of the row, and no unreported change. Compared with the reference server, only the noted differences may
 * appear.
 */
const expectJustice = (dialect: Dialect): Promise<void> =>
  unhurried(dialect, async () => {
    // If request numbers matter, send as many requests as `prove` sends.
    const setting = settingOf(dialect, seed, byNumber.has(dialect.id) ? 'whole' : 'least');
    const noted = provenDialects()[dialect.id];
    const watched = async () => {
      const run = await watchedRun(setting);
      return { run, wrong: unnoted(dialect, await toReference(dialect, setting, run), noted, run.record) };
    };
    const { run, wrong } = await watched();
    expect([...run.record.verdicts.keys()]).toEqual(setting.only);
    // Only these dialects must show the same deviation in a second run.
    const again = wrong.length > 0 && byNumber.has(dialect.id) ? (await watched()).wrong : wrong;
    expect([...problemsOf(dialect, [run]), ...wrong.filter(line => again.includes(line))].join('\n')).toBe('');
  });

const isBehind = ({ behindMs }: Dialect): boolean => behindMs !== undefined;

/** The test files, by the collections for which their dialects are tested. */
export const groups = ['every-kind', 'some-kinds', 'gates', 'experiments', 'other-collections'] as const;
type Group = (typeof groups)[number];

/** A dialect of more collections belongs to `every-kind`. */
const mostOfSome = 3;

function groupOf(dialect: Dialect): Group {
  const asked = new Set(concerned(dialect, 'least').map(id => endpoints[id].collection));
  if (asked.size > 1) return asked.size > mostOfSome ? 'every-kind' : 'some-kinds';
  if (asked.has('gates')) return 'gates';
  return asked.has('experiments') || asked.has('qualifying-events') ? 'experiments' : 'other-collections';
}

/**
 * Defines one test for each dialect of a group that does not lag. Dialects with the same endpoints share a file, so
 * that one worker records the reference server for all of them.
 */
export const areNotAccused = (group: Group): void =>
  // Run tests concurrently, so that others work while one waits for a time limit.
  test.concurrent.each(dialects.filter(dialect => !isBehind(dialect) && groupOf(dialect) === group))(
    '$id: $title',
    expectJustice,
  );

/** Defines one test for each lagging dialect. They run one after another, because they advance the clock. */
export const areNotAccusedWhereBehind = (): void => test.each(dialects.filter(isBehind))('$id: $title', expectJustice);
