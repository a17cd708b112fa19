import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import type { Dialect } from '../../../reference-server/index.ts';
import type { ObservedExchange } from '../../traffic/index.ts';
import { inWords } from '../independent/conformance.ts';
import { judgedTraffic } from '../testing/exchanges.ts';
import { type RunRecord, type Setting, testKey } from '../testing/reference-run.ts';
import { longest, skipWaits } from '../testing/skip-waits.ts';
import type { WatchedRun } from '../testing/watched-run.ts';
import { damage } from './state.fixture.ts';

/** Whether a check is one of those that globs name: `*` is anything. */
const isOneOf = (globs: readonly string[], id: string): boolean =>
  globs.some(glob => new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(id));

/** The checks that ended otherwise than the row of the dialect says, in words. */
function unforeseen({ checks, end }: RunRecord, dialect: Dialect): string[] {
  const { warns = [], mayWarn = [], untested = [], mayBeUntested } = dialect;
  const drawn: readonly string[] = [...warns, ...mayWarn];
  const ended = end.outcome === 'complete' ? [] : [`the run ended ${end.outcome}: ${end.because}`];
  const otherwise = [...checks.values()].filter(({ verdict, findings, level, id }) => {
    if (verdict === 'fail' || verdict === 'error') return true;
    if (verdict === 'warn') return findings.some(({ requirement }) => !drawn.includes(requirement));
    return (
      verdict === 'untested' && level === 'MUST' && !untested.includes(id) && !isOneOf(mayBeUntested?.checks ?? [], id)
    );
  });
  return [...ended, ...otherwise.map(inWords)];
}

/** What the row of a dialect names and no run showed: warnings, checks that are untested, the service's own words. */
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

/** How much of a dialect is run: the least that shows it, for `npm test`, or all that it could bear upon. */
export type Extent = 'least' | 'whole';

/** Endpoints of different kinds: what a change of the whole server does to one it does to its like. */
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

/** A dialect that touches more operations does the same to each. */
const mostTouched = 4;

/** Whether a dialect may change more of a server than the operations that it names. */
function isOfWholeServer({ endpoints: touched, decorator }: Dialect): boolean {
  const hooks = decorator({ apiKey: '', naming: specificationNaming, endpoints: touched });
  return (hooks.decorateStore ?? hooks.decorateListener ?? hooks.decorateAuthorise) !== undefined;
}

/**
 * The endpoints that a dialect could bear upon: those of the collections that it touches; where it changes the whole
 * server, some of each kind; and those whose checks its row names. Of one that touches many the least are some of each kind.
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

/** How long writes may take to become visible, in milliseconds: short where nothing lags, so that nobody waits long. */
const settle = { standing: 250, lagging: 2000 } as const;

/**
 * Stops the clock of the process, which only waits put forward: what lags depends on them alone, and is waited for
 * without waiting. The function that comes back lets it go on.
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

/** How the suite is run against a server that speaks a dialect. */
export function settingOf(dialect: Dialect, seed: number, extent: Extent = 'whole'): Setting {
  const { id, capabilities, naming, apiKey = testKey, behindMs } = dialect;
  // What a service says of a field of an update is only told by a run that sends it.
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

/** Does work against servers that are behind, if they are: their waiting is put forward. */
export function unhurried<T>({ behindMs }: Dialect, work: () => Promise<T>): Promise<T> {
  const goOn = behindMs === undefined ? undefined : standStill();
  return work().finally(goOn);
}

/** What the judge of traffic says of the server in exchanges, beyond the warnings that its row names. */
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
 * What is wrong with how runs against a server that speaks a dialect judge it: checks that ended otherwise than its row
 * says, what the row names and no run showed, and what the judge of traffic says of the exchanges.
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
 * What is wrong with runs against a server that speaks a dialect, a line each: what it is accused of, and what is left
 * changed and is not told. Where its row says that it is wrongly accused, or damaged, it is wrong that it is not.
 */
export function problemsOf(dialect: Dialect, runs: readonly WatchedRun[]): readonly string[] {
  const damaged = runs.flatMap(({ record }) => damage(record, dialect.changes ?? []));
  const accused = accusations(dialect, runs);
  return [
    ...unless(dialect.damages, 'damaged no more: mend the row', damaged),
    ...unless(dialect.accused, 'accused no more: mend the row', accused),
  ];
}

/** Lines that tell of something wrong; where it is known and why, that there are none. */
const unless = (known: string | undefined, no: string, lines: readonly string[]): readonly string[] =>
  known === undefined ? lines : lines.length === 0 ? [no] : [];
