import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import type { EndpointVerdict, Report } from '../../contracts/report/report.ts';
import { isCredible, type Submission } from './submission.ts';

/** A run of an implementation: its report, and the file that it was read from. */
export interface RecordedRun {
  readonly source: string;
  readonly report: Report;
  /** Where it was handed in with an envelope. */
  readonly submission?: Submission;
}

/** A server under test, with its runs in any order. */
export interface Implementation {
  readonly name: string;
  readonly runs: readonly RecordedRun[];
}

/** What is worse in a run than in the last one before it that tells of the same. */
export interface Drop {
  /** An endpoint, or `run` or `coverage` as a whole. */
  readonly of: EndpointId | 'run' | 'coverage';
  readonly from: string;
  readonly to: string;
}

/** An endpoint in one run; null where the run did not have it. */
export interface Cell {
  readonly endpoint: EndpointId;
  readonly verdict: EndpointVerdict | null;
  readonly drop?: Drop;
}

/** One run in the history of an implementation. */
export interface Point extends RecordedRun {
  readonly cells: readonly Cell[];
  readonly drops: readonly Drop[];
}

/** How good a verdict is. What did not apply is no better and no worse than anything. */
const rank: Readonly<Record<EndpointVerdict, number | null>> = {
  conformant: 2,
  incomplete: 1,
  'non-conformant': 0,
  'not-applicable': null,
};

/**
 * Whether what a run did not find says anything: not where it was filtered, or did not come to its end. What it found
 * does.
 */
function isWhole({ options, outcome, because }: Report): boolean {
  const { only, skip, path } = options;
  return only.length + skip.length === 0 && path === undefined && outcome === 'complete' && because === undefined;
}

const tells = (report: Report, verdict: EndpointVerdict): boolean =>
  rank[verdict] !== null && (verdict === 'non-conformant' || isWhole(report));

const isWorse = (before: EndpointVerdict, now: EndpointVerdict): boolean => {
  const [was, is] = [rank[before], rank[now]];
  return was !== null && is !== null && is < was;
};

const timeOf = ({ report }: RecordedRun): number => Date.parse(report.startedAt) || 0;

/** Runs from the oldest to the newest. */
const inOrder = (runs: readonly RecordedRun[]): readonly RecordedRun[] =>
  runs.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.source < b.source ? -1 : 1));

/** Verdicts are compared among runs that judge alike; coverage among whole runs of one profile, too. */
const kindOf = ({ profile, options }: Report): string => JSON.stringify([profile, options.readOnly, options.strict]);

/** Returns the runs of an implementation from the oldest to the newest, with every drop. */
export function historyOf({ runs }: Implementation): readonly Point[] {
  const endpointsBefore = new Map<EndpointId, EndpointVerdict>();
  const wholeBefore = new Map<string, Report>();
  return inOrder(runs).map(run => {
    const { report } = run;
    if (!isCredible(run))
      return { ...run, cells: endpointIds.map(endpoint => ({ endpoint, verdict: null })), drops: [] };
    const cells = endpointIds.map(endpoint => cellOf(endpoint, report, endpointsBefore));
    for (const { endpoint, verdict } of cells)
      if (verdict !== null && tells(report, verdict)) endpointsBefore.set(endpoint, verdict);
    const whole = wholeBefore.get(kindOf(report));
    const isComparable = report.coverage !== undefined && report.coverage.partial !== true && isWhole(report);
    const drops = [
      ...cells.flatMap(({ drop }) => drop ?? []),
      ...(whole === undefined || !isComparable ? [] : wholeDrops(whole, report)),
    ];
    if (isComparable) wholeBefore.set(kindOf(report), report);
    return { ...run, cells, drops };
  });
}

function cellOf(endpoint: EndpointId, report: Report, before: ReadonlyMap<EndpointId, EndpointVerdict>): Cell {
  const verdict = report.endpoints.find(({ id }) => id === endpoint)?.verdict ?? null;
  const was = before.get(endpoint);
  if (verdict === null || was === undefined || !tells(report, verdict) || !isWorse(was, verdict))
    return { endpoint, verdict };
  return { endpoint, verdict, drop: { of: endpoint, from: was, to: verdict } };
}

/** What is worse of a whole run: its coverage, and its verdict. */
function wholeDrops(before: Report, now: Report): Drop[] {
  if (before.coverage === undefined || now.coverage === undefined) return [];
  const [was, is] = [before.coverage.percent, now.coverage.percent];
  return [
    ...(isWorse(before.verdict, now.verdict) ? [{ of: 'run' as const, from: before.verdict, to: now.verdict }] : []),
    ...(is < was ? [{ of: 'coverage' as const, from: `${was.toFixed(1)} %`, to: `${is.toFixed(1)} %` }] : []),
  ];
}

/**
 * Returns what is known of each endpoint at the end of a history: its verdict in the last run that had it. Where that is
 * worse than in the run before, the cell has its drop.
 */
export function latestCells(points: readonly Point[]): readonly Cell[] {
  return endpointIds.map(endpoint => {
    const cells = points.flatMap(point => point.cells.filter(cell => cell.endpoint === endpoint));
    return cells.findLast(({ verdict }) => verdict !== null) ?? { endpoint, verdict: null };
  });
}
