import type { Dialect } from '../../../reference-server/index.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import type { Setting } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRun, watchedRuns } from '../testing/watched-run.ts';
import { driven, serverKey } from '../traffic/driven.fixture.ts';
import { ordinaryClient, twoClients } from '../traffic/ordinary-client.fixture.ts';
import { differences, toReference } from './compared.fixture.ts';
import { accusedInTraffic, problemsOf, settingOf, unhurried } from './judged.fixture.ts';

/** What is noted of a dialect. */
export interface ProvenDialect {
  /** What the comparison with the reference server says of it, a line each. */
  readonly differs: readonly string[];
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

/** What runs beyond the one of `npm test` say that they must not. */
async function problemsBeyond(dialect: Dialect, setting: Setting): Promise<readonly string[]> {
  const [first, second] = (await watchedRuns(setting, ['first', 'second'])) as [WatchedRun, WatchedRun];
  const other = await watchedRun(setting, 'other');
  const seeded = await watchedRun(settingOf(dialect, seeds.other));
  const isSame = settledVerdicts(first, dialect) === settledVerdicts(second, dialect);
  return [
    ...problemsOf(dialect, [first, second]),
    ...problemsOf(dialect, [seeded]),
    ...(isSame || dialect.accused !== undefined ? [] : ['a second run over the same server ends otherwise']),
    ...differences([second.recording, first.recording], [other.recording]).map(line => `beside its like: ${line}`),
  ];
}

/**
 * Holds a dialect by more than one run: a second run over the same server, another server that speaks it, another seed,
 * an ordinary client and two of them. Notes what the comparison with the reference server says.
 */
export async function measureDialect(dialect: Dialect) {
  const setting = settingOf(dialect, seeds.usual);
  const run = await unhurried(dialect, () => watchedRun(setting));
  const differs = await unhurried(dialect, () => toReference(dialect, setting, run));
  const problems = [
    ...problemsOf(dialect, [run]),
    ...(await unhurried(dialect, () => problemsBeyond(dialect, setting))),
    ...(await accusedByClients(dialect)),
  ];
  return problems.length > 0 ? { problems } : { noted: { differs }, problems };
}
