import type { Dialect } from '../../../reference-server/index.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import type { Setting } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRun, watchedRuns } from '../testing/watched-run.ts';
import { driven, serverKey } from '../traffic/driven.fixture.ts';
import { ordinaryClient, twoClients } from '../traffic/ordinary-client.fixture.ts';
import { byNumber, differences, mayBreak, referenceFor, timing } from './compared.fixture.ts';
import { accusedInTraffic, problemsOf, settingOf, unhurried } from './judged.fixture.ts';

/** The noted results of a dialect. */
export interface ProvenDialect {
  /** The differences from the reference server beyond noise, one line each. */
  readonly differs: readonly string[];
  /** Further differences between single runs, which more runs would show to be noise. */
  readonly noise?: readonly string[];
}

/** The file of the results; `npm run prove -- dialects` writes it. */
export const provenFile = new URL('proven.json', import.meta.url);

/** Returns the noted results of every dialect. */
export const provenDialects = (): NotedRows<ProvenDialect> => readRows<ProvenDialect>(provenFile);

/** The seed of `npm test`, and a second one. */
const seeds = { usual: 1, other: 2 } as const;

/** Further runs of a dialect that acts by number: each shows other noise. */
const moreByNumber = 4;

/** Returns the verdicts of the endpoints whose checks can all run. They must be the same in each run. */
const settledVerdicts = ({ record: { verdicts } }: WatchedRun, { mayBeUntested }: Dialect): string =>
  JSON.stringify(
    [...verdicts].filter(
      ([id]) => !mayBeUntested?.checks.some(glob => glob.startsWith('*') || glob.startsWith(`${id}/`)),
    ),
  );

/** Returns the accusations in the traffic of one ordinary client, and of two at the same time. */
async function accusedByClients(dialect: Dialect): Promise<readonly string[]> {
  const { id, apiKey = serverKey, naming, behindMs } = dialect;
  const server = { dialects: [id], apiKey, ...(naming && { naming }) };
  const now = (): number => performance.now();
  // A lagging server is judged with the real clock.
  const one = await driven(server, ordinaryClient(), behindMs === undefined ? undefined : now);
  const two = await driven(server, twoClients(), now);
  return [one, two].flatMap(({ exchanges }) => accusedInTraffic({ ...dialect, apiKey }, exchanges));
}

/**
 * Tests a dialect with several runs: two on one server, two on another, one with another seed, and one and two ordinary
 * clients. One that acts by number has further runs, for noise alone. Returns the comparison with the reference server.
 */
async function provenBy(dialect: Dialect, setting: Setting) {
  const [first, second] = (await watchedRuns(setting, ['test', 'later'])) as [WatchedRun, WatchedRun];
  const [other, again] = (await watchedRuns(setting, ['other', 'again'])) as [WatchedRun, WatchedRun];
  const seeded = await watchedRun(settingOf(dialect, seeds.other));
  const more: WatchedRun[] = [];
  while (byNumber.has(dialect.id) && more.length < moreByNumber) more.push(await watchedRun(setting));
  const reference = await referenceFor(setting, dialect);
  const differs = differences([reference.recording], [second.recording, first.recording]);
  const single = [first, second, other, ...more].flatMap(({ recording }) =>
    differences([reference.recording], [recording]),
  );
  const isSame = settledVerdicts(first, dialect) === settledVerdicts(second, dialect);
  return {
    differs,
    noise: [...new Set(single)].filter(line => !differs.includes(line)).sort(),
    problems: [
      ...problemsOf(dialect, [first, second]),
      ...problemsOf(dialect, [seeded]),
      ...(isSame || dialect.accused !== undefined ? [] : ['a second run over the same server ends otherwise']),
      ...differences([second.recording, first.recording], [again.recording, other.recording])
        .filter(line => line !== timing && !mayBreak(dialect).includes(line.replace('a-breaks', 'b-breaks')))
        .map(line => `beside its like: ${line}`),
      ...[...differs, ...single]
        .filter(line => line.includes('-breaks ') && !mayBreak(dialect).includes(line))
        .map(line => `beside the reference server: ${line}`),
    ],
  };
}

/** Measures a dialect and returns the results to note. */
export async function measureDialect(dialect: Dialect) {
  const { differs, noise, problems } = await unhurried(dialect, () =>
    provenBy(dialect, settingOf(dialect, seeds.usual)),
  );
  const all = [...problems, ...(await accusedByClients(dialect))];
  if (all.length > 0) return { problems: all };
  return { noted: { differs, ...(noise.length === 0 ? {} : { noise }) }, problems: all };
}
