import type { Profile } from '../../../contracts/report/journal.ts';
import type { TargetFile } from '../../../contracts/target.ts';
import { createReferenceServer, referenceTarget } from '../../../reference-server/index.ts';
import { createRecorder, type Recording } from '../../diff/index.ts';
import { run } from '../../engine/run.ts';
import { allCells, relationOf } from '../../ledger/cells.ts';
import type { Side } from '../../ledger/relations.ts';
import type { Target } from '../../protocol/sut.ts';
import { targetOf } from '../../sut/target.ts';
import { startIndependentServer } from '../independent/server.ts';
import type { Measured } from '../prove/catalogues.ts';
import { type NotedRows, type PresentRow, readRows } from '../prove/rows.ts';
import { longest, skipWaits } from '../testing/skip-waits.ts';
import { type CountedCell, countCells, type Finding, type Reason } from './count.ts';
import { grouped, weightOf } from './price.ts';
import { triedBy } from './tried.ts';

/** What became of the cells of one side, in numbers: those of a capability that is not declared are left out. */
export interface SideCount {
  readonly cells: number;
  readonly proven: number;
  readonly broken: number;
  readonly notShown: number;
  readonly notTried: Readonly<Partial<Record<Reason, number>>>;
  /** The part of the weight that is proven, and that is not shown. */
  readonly provenWeight: number;
  readonly notShownWeight: number;
}

/** Cells of one relation and operation of which nothing is proven, for one reason. */
export interface BlindSpot {
  readonly endpoint: string;
  readonly relation: string;
  readonly reason: Reason;
  readonly cells: number;
  readonly weight: number;
  /** Some of the places. */
  readonly places: readonly string[];
}

/** What one run proved of the ledger. */
export interface LedgerCount {
  readonly requests: number;
  readonly sides: Readonly<Record<Side, SideCount>>;
  /** The heaviest, of those that no capability explains. */
  readonly spots: readonly BlindSpot[];
}

/** Where it is noted; `npm run prove -- ledger` writes it. */
export const ledgerFile = new URL('counted.json', import.meta.url);

/** What was counted when it was last proven, by `server/profile`. */
export const ledgerCounts = (): NotedRows<LedgerCount> => readRows<LedgerCount>(ledgerFile);

const profiles: readonly Profile[] = ['quick', 'standard'];

/** A row for each server and profile. No test hangs on what is counted. */
export const ledgerRows = (): readonly PresentRow[] =>
  ['reference', 'independent'].flatMap(server => profiles.map(profile => ({ id: `${server}/${profile}`, hash: '' })));

/** A server that is up, and the target file for it. */
interface Served {
  readonly target: Target;
  readonly file: TargetFile;
  close(): Promise<void>;
}

async function served(server: string): Promise<Served> {
  if (server === 'independent') {
    const { url, apiKey, targetFile, close } = await startIndependentServer();
    return { target: targetOf(targetFile, new URL(url), apiKey), file: targetFile, close };
  }
  const reference = createReferenceServer();
  const { url } = await reference.listen();
  const file = referenceTarget(reference.naming);
  return { target: targetOf(file, new URL(url), reference.apiKey), file, close: () => reference.close() };
}

async function recordingOf({ target }: Served, profile: Profile): Promise<Recording> {
  const recorder = createRecorder(target);
  const goOn = skipWaits();
  await run(
    { target, profile, seed: 1, token: 'ledger', timeoutMs: longest, settleMs: 0, watch: recorder.watch },
    event => recorder.event(event),
  ).finally(goOn);
  return recorder.recording();
}

/** What a run found, by the exchanges that show it. */
export const findingsOf = ({ breaches, pointers }: Pick<Recording, 'breaches' | 'pointers'>): readonly Finding[] =>
  breaches.map(({ id, pointer }) => {
    const field = pointers[id];
    return { id, pointer, ...(field === undefined ? {} : { field }) };
  });

/** Rounded to a tenth of a percent of one. */
const part = (some: readonly CountedCell[], all: readonly CountedCell[]): number =>
  Math.round((1000 * weightOf(some.map(({ cell }) => cell))) / Math.max(weightOf(all.map(({ cell }) => cell)), 1)) /
  1000;

const reasonOf = (one: CountedCell): Reason | '' => (one.state === 'not tried' ? one.reason : '');

function sideCount(all: readonly CountedCell[]): SideCount {
  const due = all.filter(one => reasonOf(one) !== 'capability');
  const of = (state: CountedCell['state']): readonly CountedCell[] => due.filter(one => one.state === state);
  const reasons = [...grouped(of('not tried'), reasonOf)].map(([reason, own]) => [reason, own.length] as const);
  return {
    cells: due.length,
    proven: of('proven').length,
    broken: of('broken').length,
    notShown: of('not shown').length,
    notTried: Object.fromEntries(reasons),
    provenWeight: part(of('proven'), due),
    notShownWeight: part(of('not shown'), due),
  };
}

/** So many blind spots, and places of each, are told. */
const mostSpots = 20;
const mostPlaces = 4;

function spotsOf(counted: readonly CountedCell[]): readonly BlindSpot[] {
  const blind = counted.filter(one => !['', 'capability'].includes(reasonOf(one)));
  const spots = [...grouped(blind, one => `${one.cell.endpoint} ${one.cell.relation} ${reasonOf(one)}`).values()];
  return spots
    .map(own => {
      const [first] = own as [CountedCell];
      const places = own.map(({ cell: { node, variant } }) => node?.path ?? variant);
      return {
        endpoint: first.cell.endpoint,
        relation: first.cell.relation,
        reason: reasonOf(first) as Reason,
        cells: own.length,
        weight: Math.round(10 * weightOf(own.map(({ cell }) => cell))) / 10,
        places: [...new Set(places)].slice(0, mostPlaces),
      };
    })
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, mostSpots);
}

/** Counts the cells that a recording of a run fills. */
export function ledgerCount(recording: Recording, target: Target, { fixtures = {} }: TargetFile): LedgerCount {
  const tried = triedBy(recording.exchanges);
  const counted = countCells(allCells(fixtures), tried, findingsOf(recording), target);
  const side = (name: Side): SideCount => sideCount(counted.filter(({ cell }) => relationOf(cell).side === name));
  return {
    requests: recording.requests,
    sides: { acceptance: side('acceptance'), refusal: side('refusal'), reading: side('reading') },
    spots: spotsOf(counted),
  };
}

/** Runs a profile against a server, `server/profile`, and counts what its ledger then has. */
export async function measureLedger(id: string): Promise<Measured> {
  const [server = '', profile] = id.split('/');
  const up = await served(server);
  try {
    const recording = await recordingOf(up, profile as Profile);
    return recording.outcome === 'complete'
      ? { noted: ledgerCount(recording, up.target, up.file), problems: [] }
      : { problems: [`the run was ${recording.outcome}`] };
  } finally {
    await up.close();
  }
}
