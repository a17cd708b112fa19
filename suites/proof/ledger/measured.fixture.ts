import { endpoints } from '../../../contracts/endpoints.ts';
import { grouped } from '../../../contracts/grouped.ts';
import type { Profile } from '../../../contracts/report/journal.ts';
import type { Reason } from '../../../contracts/report/ledger.ts';
import type { Report } from '../../../contracts/report/report.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { createReferenceServer, referenceTarget } from '../../../reference-server/index.ts';
import { foldJournal } from '../../../reports/index.ts';
import { cellsOf, isCounted, type LedgerCell } from '../../../reports/journal/coverage.ts';
import { run } from '../../engine/run.ts';
import { type RelationId, relations, type Side } from '../../ledger/relations.ts';
import type { Target } from '../../protocol/sut.ts';
import { targetOf } from '../../sut/target.ts';
import { startIndependentServer } from '../independent/server.ts';
import type { Measured } from '../prove/catalogues.ts';
import { type NotedRows, type PresentRow, readRows } from '../prove/rows.ts';
import { longest, skipWaits } from '../testing/skip-waits.ts';

/** The number of cells of one side by state, without those of undeclared capabilities. */
export interface SideCount {
  readonly cells: number;
  readonly proven: number;
  readonly broken: number;
  readonly notShown: number;
  readonly notTried: Readonly<Partial<Record<Reason, number>>>;
  /** The shares of the weight that are proven and not shown. */
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

/** The cells of the ledger that one run proved. */
export interface LedgerCount {
  readonly requests: number;
  readonly sides: Readonly<Record<Side, SideCount>>;
  /** The heaviest blind spots that no capability explains. */
  readonly spots: readonly BlindSpot[];
}

/** The file of the counts; `npm run prove -- ledger` writes it. */
export const ledgerFile = new URL('counted.json', import.meta.url);

/** Returns the last proven counts, by `server/profile`. */
export const ledgerCounts = (): NotedRows<LedgerCount> => readRows<LedgerCount>(ledgerFile);

const profiles: readonly Profile[] = ['quick', 'standard'];

/** Returns a row for each server and profile. No test depends on the counts. */
export const ledgerRows = (): readonly PresentRow[] =>
  ['reference', 'independent'].flatMap(server => profiles.map(profile => ({ id: `${server}/${profile}`, hash: '' })));

/** A running server. */
interface Served {
  readonly target: Target;
  close(): Promise<void>;
}

async function served(server: string): Promise<Served> {
  if (server === 'independent') {
    const { url, apiKey, targetFile, close } = await startIndependentServer();
    return { target: targetOf(targetFile, new URL(url), apiKey), close };
  }
  const reference = createReferenceServer();
  const { url } = await reference.listen();
  const file = referenceTarget(reference.naming);
  return { target: targetOf(file, new URL(url), reference.apiKey), close: () => reference.close() };
}

/** Runs a profile and returns every cell and the number of requests. */
async function countedOf({ target }: Served, profile: Profile) {
  const fold = foldJournal({ endpoints, requirements });
  const goOn = skipWaits();
  await run({ target, profile, seed: 1, token: 'ledger', timeoutMs: longest, settleMs: 0 }, event =>
    fold.add(event),
  ).finally(goOn);
  return fold.report();
}

const weightOf = (cells: readonly LedgerCell[]): number => cells.reduce((sum, { tenths }) => sum + tenths / 10, 0);

/** Returns the weight of some cells as a fraction of all, rounded to a thousandth. */
const part = (some: readonly LedgerCell[], all: readonly LedgerCell[]): number =>
  Math.round((1000 * weightOf(some)) / Math.max(weightOf(all), 1)) / 1000;

const reasonOf = ({ reason }: LedgerCell): Reason | '' => reason ?? '';

function sideCount(all: readonly LedgerCell[]): SideCount {
  const due = all.filter(isCounted);
  const of = (state: LedgerCell['state']): readonly LedgerCell[] => due.filter(one => one.state === state);
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

/** Maximum number of blind spots reported, and of places of each. */
const mostSpots = 20;
const mostPlaces = 4;

function spotsOf(counted: readonly LedgerCell[]): readonly BlindSpot[] {
  const blind = counted.filter(one => !['', 'capability'].includes(reasonOf(one)));
  const spots = [...grouped(blind, one => `${one.endpoint} ${one.relation} ${reasonOf(one)}`).values()];
  return spots
    .map(own => {
      const [first] = own as [LedgerCell];
      const places = own.map(({ cell }) => cell.split(' ')[0] ?? '');
      return {
        endpoint: first.endpoint,
        relation: first.relation,
        reason: reasonOf(first) as Reason,
        cells: own.length,
        weight: Math.round(10 * weightOf(own)) / 10,
        places: [...new Set(places)].slice(0, mostPlaces),
      };
    })
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, mostSpots);
}

/** Returns the figures of a run. */
function ledgerCount({ coverage, stats }: Report): LedgerCount {
  const counted = cellsOf(coverage?.ledger ?? []);
  const side = (name: Side): SideCount =>
    sideCount(counted.filter(({ relation }) => relations[relation as RelationId].side === name));
  return {
    requests: stats.requests,
    sides: { acceptance: side('acceptance'), refusal: side('refusal'), reading: side('reading') },
    spots: spotsOf(counted),
  };
}

/** Runs a profile against a server, given as `server/profile`, and counts the cells of its ledger. */
export async function measureLedger(id: string): Promise<Measured> {
  const [server = '', profile] = id.split('/');
  const up = await served(server);
  try {
    const report = await countedOf(up, profile as Profile);
    return report.outcome === 'complete'
      ? { noted: ledgerCount(report), problems: [] }
      : { problems: [`the run was ${report.outcome}`] };
  } finally {
    await up.close();
  }
}
