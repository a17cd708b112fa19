import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { largerProfile } from '../../../contracts/report/remedies.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import type { Dialect } from '../../../reference-server/index.ts';
import type { ObservedExchange } from '../../traffic/index.ts';
import { inWords } from '../independent/conformance.ts';
import { judgedTraffic } from '../testing/exchanges.ts';
import { type RunRecord, type Setting, testKey } from '../testing/reference-run.ts';
import { longest, skipWaits } from '../testing/skip-waits.ts';
import type { WatchedRun } from '../testing/watched-run.ts';
import { damage } from './state.fixture.ts';

/** True if a glob matches the check; `*` matches anything. */
const isOneOf = (globs: readonly string[], id: string): boolean =>
  globs.some(glob => new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(id));

/** Returns the checks that ended differently from the dialect's row, in words. */
function unforeseen({ checks, end }: RunRecord, dialect: Dialect): string[] {
  const { warns = [], mayWarn = [], untested = [], mayBeUntested } = dialect;
  const drawn: readonly string[] = [...warns, ...mayWarn];
  const ended = end.outcome === 'complete' ? [] : [`the run ended ${end.outcome}: ${end.because}`];
  const otherwise = [...checks.values()].filter(({ verdict, findings, remedy, id }) => {
    if (verdict === 'fail' || verdict === 'error') return true;
    if (verdict === 'warn') return findings.some(({ requirement }) => !drawn.includes(requirement));
    // What only a larger profile sends is untested at the reference server too.
    if (verdict !== 'untested' || remedy === largerProfile) return false;
    return !untested.includes(id) && !isOneOf(mayBeUntested?.checks ?? [], id);
  });
  return [...ended, ...otherwise.map(inWords)];
}

/** Returns what the dialect's row names but no run showed: warnings, untested checks, the service's own words. */
function notShown(records: readonly RunRecord[], { warns = [], untested = [], mayBeUntested }: Dialect): string[] {
  const ends = records.flatMap(({ checks }) => [...checks.values()]);
  const drawn: readonly string[] = ends.flatMap(({ findings }) => findings.map(({ requirement }) => requirement));
  const { checks = [], because } = mayBeUntested ?? {};
  const quotes = (words: string): boolean =>
    ends.some(end => isOneOf(checks, end.id) && JSON.stringify({ ...end, findings: [] }).includes(words));
  return [
    ...warns.filter(row => !drawn.includes(row)),
    ...untested.filter(id => records.some(record => record.checks.get(id)?.verdict !== 'untested')),
    ...(because === undefined || quotes(because)
      ? []
      : [`no check says why it was not carried out: ${JSON.stringify(because)}`]),
  ];
}

/** How many endpoints are tested: the fewest that show the dialect, for `npm test`, or all that it may affect. */
export type Extent = 'least' | 'whole';

/** Endpoints of different kinds. A change of the whole server affects others of the same kind alike. */
const ofEachKind: Readonly<Record<Extent, readonly EndpointId[]>> = {
  least: ['update-environments', 'patch-gate', 'disable-config', 'create-metric', 'list-segments'],
  whole: [
    'update-environments',
    'update-qualifying-event',
    'patch-gate',
    'disable-config',
    'create-metric',
    'create-prompt-version',
    'list-segments',
    'list-event-metrics',
  ],
};

/** A dialect that affects more operations has the same effect on each. */
const mostTouched = 4;

/** True if a dialect may change more of a server than the operations that it names. */
function isOfWholeServer({ endpoints: touched, decorator }: Dialect): boolean {
  const hooks = decorator({ apiKey: '', naming: specificationNaming, endpoints: touched });
  return (hooks.decorateStore ?? hooks.decorateListener ?? hooks.decorateAuthorise) !== undefined;
}

/**
 * Returns the endpoints that a dialect may affect: those of its collections, some of each kind if it changes the whole
 * server, and those whose checks its row names. With `least`, a dialect of many operations gets some of each kind.
 */
export function concerned(dialect: Dialect, extent: Extent = 'whole'): readonly EndpointId[] {
  const { endpoints: touched, untested = [] } = dialect;
  const collections = new Set((touched ?? []).map(id => endpoints[id].collection));
  const own = endpointIds.filter(id => collections.has(endpoints[id].collection));
  const kinds = ofEachKind[extent];
  const named = (ids: readonly EndpointId[]): readonly EndpointId[] =>
    endpointIds.filter(id => ids.includes(id) || untested.some(check => check.startsWith(`${id}/`)));
  if (extent === 'whole') return touched !== undefined && !isOfWholeServer(dialect) ? own : named([...own, ...kinds]);
  const some = own.filter(id => kinds.includes(id));
  if (touched === undefined) return named(kinds);
  return touched.length > mostTouched && some.length > 0 ? named(some) : own;
}

/**
 * How long writes may take to become visible, in milliseconds. Short for a server that does not lag, to save waiting.
 */
const settle = { standing: 250, lagging: 2000 } as const;

/**
 * Stops the clock of the process and lets only skipped waits advance it, so that lag costs no time. Returns a function
 * that restarts the clock.
 */
function standStill(): () => void {
  const { now } = performance;
  Object.assign(performance, { now: () => 0 });
  const goOn = skipWaits();
  return () => {
    goOn();
    Object.assign(performance, { now });
  };
}

/** Returns the options of a run against a server that speaks a dialect. */
export function settingOf(dialect: Dialect, seed: number, extent: Extent = 'whole'): Setting {
  const { id, capabilities, naming, apiKey = testKey, behindMs } = dialect;
  // Only a run that sends the field of an update gets the service's message about it.
  const only = concerned(dialect, extent);
  const isOfUpdates = only.every(id => endpoints[id].effect !== 'additive');
  const profile = dialect.mayBeUntested?.because !== undefined && isOfUpdates ? 'standard' : 'quick';
  return {
    server: { dialects: [id], apiKey, ...(naming && { naming }) },
    run:
      behindMs === undefined
        ? { settleMs: settle.standing, seed, profile }
        : { settleMs: settle.lagging, seed, profile, timeoutMs: longest },
    only,
    ...(behindMs !== undefined && { restMs: behindMs }),
    file: file => (capabilities === undefined ? file : { ...file, capabilities: [...capabilities] }),
  };
}

/** Runs work against a server; if it lags, waits are skipped by advancing the clock. */
export function unhurried<T>({ behindMs }: Dialect, work: () => Promise<T>): Promise<T> {
  const goOn = behindMs === undefined ? undefined : standStill();
  return work().finally(goOn);
}

/** Returns the server's violations according to the judge of traffic, except those that its row names. */
export function accusedInTraffic(
  { warns = [], mayWarn = [], mayBeAccusedInTraffic = [], apiKey = testKey, naming, changes = [] }: Dialect,
  exchanges: readonly ObservedExchange[],
): readonly string[] {
  const options = { apiKey, ...(naming && { naming }), soleWriter: changes.length === 0 };
  const { found, report } = judgedTraffic(exchanges, options);
  const drawn: readonly string[] = [...warns, ...mayWarn, ...mayBeAccusedInTraffic];
  return [
    ...found.filter(one => one.startsWith('server ') && !drawn.includes(one.split(' ')[1] ?? '')),
    ...(report.outcome === 'complete' ? [] : [`its judge ended ${report.outcome}`]),
  ].map(line => `in its traffic: ${line}`);
}

/**
 * Returns what is wrong with the judgement of runs against a dialect: checks that ended differently from its row,
 * expectations of the row that no run showed, and accusations by the judge of traffic.
 */
export const accusations = (dialect: Dialect, runs: readonly WatchedRun[]): readonly string[] => [
  ...runs.flatMap(({ record }) => unforeseen(record, dialect)),
  ...notShown(
    runs.map(({ record }) => record),
    dialect,
  ),
  ...runs.flatMap(({ exchanges }) => accusedInTraffic(dialect, exchanges)),
];

/**
 * Returns the problems of runs against a dialect, one line each: accusations, and changes left behind without being
 * reported. If its row declares an accusation or damage, its absence is the problem.
 */
export function problemsOf(dialect: Dialect, runs: readonly WatchedRun[]): readonly string[] {
  const damaged = runs.flatMap(({ record }) => damage(record, dialect.changes ?? []));
  const accused = accusations(dialect, runs);
  return [
    ...unless(dialect.damages, 'damaged no more: mend the row', damaged),
    ...unless(dialect.accused, 'accused no more: mend the row', accused),
  ];
}

/** Returns the lines; for a known problem, `no` if there are none. */
const unless = (known: string | undefined, no: string, lines: readonly string[]): readonly string[] =>
  known === undefined ? lines : lines.length === 0 ? [no] : [];
