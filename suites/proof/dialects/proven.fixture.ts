import type { Dialect } from '../../../reference-server/index.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import type { Setting } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRun, watchedRuns } from '../testing/watched-run.ts';
import { driven, serverKey } from '../traffic/driven.fixture.ts';
import { ordinaryClient, twoClients } from '../traffic/ordinary-client.fixture.ts';
import { differences, mayBreak, referenceFor, timing } from './compared.fixture.ts';
import { accusedInTraffic, problemsOf, settingOf, unhurried } from './judged.fixture.ts';

/** What is noted of a dialect. */
export interface ProvenDialect {
  /** What the comparison with the reference server says of it beyond noise, a line each. */
  readonly differs: readonly string[];
  /** What the comparison of single runs says besides, of which two runs would show that it is noise. */
  readonly noise?: readonly string[];
}

/** Where it is noted; `npm run prove -- dialects` writes it. */
export const provenFile = new URL('proven.json', import.meta.url);

/** What is noted of every dialect. */
export const provenDialects = (): NotedRows<ProvenDialect> => readRows<ProvenDialect>(provenFile);

/** The seed of `npm test`, and another one. */
const seeds = { usual: 1, other: 2 } as const;

/** The verdicts of the endpoints of which every check can be carried out: each run has to come to the same. */
const settledVerdicts = ({ record: { verdicts } }: WatchedRun, { mayBeUntested }: Dialect): string =>
  JSON.stringify(
    [...verdicts].filter(
      ([id]) => !mayBeUntested?.checks.some(glob => glob.startsWith('*') || glob.startsWith(`${id}/`)),
    ),
  );

/** What an ordinary client, and two at the same time, show of a server that speaks a dialect. */
async function accusedByClients(dialect: Dialect): Promise<readonly string[]> {
  const { id, apiKey = serverKey, naming, behindMs } = dialect;
  const server = { dialects: [id], apiKey, ...(naming && { naming }) };
  const now = (): number => performance.now();
  // What lags is judged by the time that really passes.
  const one = await driven(server, ordinaryClient(), behindMs === undefined ? undefined : now);
  const two = await driven(server, twoClients(), now);
  return [one, two].flatMap(({ exchanges }) => accusedInTraffic({ ...dialect, apiKey }, exchanges));
}

/**
 * Holds a dialect by more than one run: two over the same server, two over another one that speaks it, another seed, an
 * ordinary client and two of them. Notes what the comparison with the reference server says.
 */
async function provenBy(dialect: Dialect, setting: Setting) {
  const [first, second] = (await watchedRuns(setting, ['test', 'later'])) as [WatchedRun, WatchedRun];
  const [other, again] = (await watchedRuns(setting, ['other', 'again'])) as [WatchedRun, WatchedRun];
  const seeded = await watchedRun(settingOf(dialect, seeds.other));
  const reference = await referenceFor(setting, dialect);
  const differs = differences([reference.recording], [second.recording, first.recording]);
  const single = [first, second, other].flatMap(({ recording }) => differences([reference.recording], [recording]));
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

/** Measures a dialect, to be noted. */
export async function measureDialect(dialect: Dialect) {
  const { differs, noise, problems } = await unhurried(dialect, () =>
    provenBy(dialect, settingOf(dialect, seeds.usual)),
  );
  const all = [...problems, ...(await accusedByClients(dialect))];
  if (all.length > 0) return { problems: all };
  return { noted: { differs, ...(noise.length === 0 ? {} : { noise }) }, problems: all };
}
