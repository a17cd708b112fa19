import type { DifferencePlace } from '../../../contracts/report/difference.ts';
import type { Dialect } from '../../../reference-server/index.ts';
import { compareSides, type RunsOfSide } from '../../diff/compare.ts';
import { settingOf, unhurried } from '../dialects/judged.fixture.ts';
import type { Setting } from '../testing/reference-run.ts';
import { recordedSide } from './recorded.fixture.ts';

/** What two comparisons of a server that speaks a dialect came to. */
export interface DialectCompared {
  /** What differs between two servers that both speak it, beyond noise, a line each. */
  readonly toItself: readonly string[];
  /** What differs between the plain reference server and it. */
  readonly toReference: readonly string[];
}

/** A place in a line: whose it is, the requirement, and, where nothing is said of it, where it is. */
export const inALine = ({ label, requirement, endpoint, pointer, aspect }: DifferencePlace): string =>
  requirement === undefined ? `${label} ${endpoint} ${pointer} ${aspect}` : `${label} ${requirement}`;

const lines = (places: readonly DifferencePlace[]): string[] => [...new Set(places.map(inALine))].sort();

/** The same setting, but for the dialect. */
const plain = ({ server: { dialects: _spoken, ...server } = {}, ...setting }: Setting): Setting => ({
  ...setting,
  server,
});

/** Recordings of the reference server, by how it was run. */
const references = new Map<string, Promise<RunsOfSide>>();

/** The reference server as it is recorded in the setting of a dialect. */
function referenceFor(setting: Setting, { capabilities }: Dialect): Promise<RunsOfSide> {
  const { server, run, only, restMs } = setting;
  const key = JSON.stringify([server, run, only, restMs, capabilities]);
  const known = references.get(key) ?? recordedSide(setting, 2, 'a');
  references.set(key, known);
  return known;
}

/**
 * Compares a server that speaks a dialect with another one that does, and with the reference server, each with one run
 * before to learn what differs from itself.
 */
export function comparedDialect(dialect: Dialect, seed = 1): Promise<DialectCompared> {
  return unhurried(dialect, async () => {
    const setting = settingOf(dialect, seed);
    const one = await recordedSide(setting, 2, 'a');
    const other = await recordedSide(setting, 2, 'b');
    const reference = await referenceFor(plain(setting), dialect);
    return {
      toItself: lines(compareSides(one, other, true).comparison.places),
      toReference: lines(compareSides(reference, other, true).comparison.places),
    };
  });
}

/** The SHOULDs that the row of a dialect names as broken, in lines as `inALine` has them. */
export const mayBreak = ({ warns = [], mayWarn = [] }: Dialect): string[] =>
  [...warns, ...mayWarn].map(requirement => `b-breaks ${requirement}`);
