import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import { compact } from '../../contracts/present.ts';
import type { ImplementationFile } from '../../contracts/report/implementation.ts';
import type { EndpointVerdict, Report } from '../../contracts/report/report.ts';
import { type Mark, mark, wholeMark } from '../document/marks.ts';

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

/** An implementation with its history and the file of its page. */
export interface Told {
  readonly name: string;
  readonly file: string;
  readonly points: readonly Point[];
}

/** File names that no page of an implementation may have. */
const taken = ['index', 'style'];

/** Returns implementations with their histories, each with a file name of its own made of letters, digits and dashes. */
export function toldOf(implementations: readonly Implementation[]): readonly Told[] {
  const used = new Set<string>(taken);
  return implementations.map(implementation => {
    const words = implementation.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60);
    const base = words === '' ? 'implementation' : words;
    let slug = base;
    for (let number = 2; used.has(slug); number += 1) slug = `${base}-${number}`;
    used.add(slug);
    return { name: implementation.name, file: `${slug}.html`, points: historyOf(implementation) };
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
  return compact([
    isWorse(before.verdict, now.verdict) && { of: 'run' as const, from: before.verdict, to: now.verdict },
    is < was && { of: 'coverage' as const, from: `${was.toFixed(1)} %`, to: `${is.toFixed(1)} %` },
  ]);
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

/** A result that somebody handed in: its envelope, and what came of verifying it. */
export interface Submission {
  readonly envelope: ImplementationFile;
  /** What contradicts the rest of the result; such a result says nothing. */
  readonly contradictions: readonly string[];
  /** What of the whole was not run. */
  readonly omissions: readonly string[];
  /** Under which conditions it was made, and what of it could not be verified. */
  readonly notes: readonly string[];
  /** Whether it is older than results may be. */
  readonly isExpired: boolean;
}

const partial = mark('warn', 'partial');
const expired = mark('open', 'expired');
const contradicted = mark('error', 'contradicts itself');

/** Where a result that was handed in may stand, besides the verdict of its run. */
export const standings: readonly Mark[] = [partial, expired, contradicted];

/** Where a run stands. A part of the truth is never a pass: what was broken counts first, then age, then what is missing. */
export function standingOf({ report, submission }: RecordedRun): Mark {
  if (submission === undefined) return wholeMark(report.verdict);
  const { contradictions, omissions, isExpired } = submission;
  if (contradictions.length > 0) return contradicted;
  if (report.verdict === 'non-conformant') return wholeMark(report.verdict);
  if (isExpired) return expired;
  return omissions.length > 0 || report.verdict !== 'conformant' ? partial : wholeMark('conformant');
}

/** Whether a run says anything: not where what somebody handed in contradicts itself. */
export const isCredible = ({ submission }: RecordedRun): boolean => (submission?.contradictions ?? []).length === 0;

const hidden = 'host-redacted';
const inUrl = /(\b[a-z][a-z\d+.-]*:\/\/)([^\s/?#,;)"'<>`]+)/gi;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Makes a text of what it is to be shown as. */
type Redactor = (text: string) => string;

/** Takes the names of hosts out of texts: that of each target wherever it stands, and of whatever is written as a URL. */
export function hostRedactor(implementations: readonly Implementation[]): Redactor {
  const targets = implementations.flatMap(({ runs }) => runs.map(({ report }) => new URL(report.target.baseUrl)));
  const names = [...new Set(targets.flatMap(({ host, hostname }) => [host, hostname]))].filter(name => name !== '');
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(escaped);
  const alone = new RegExp(`(?<![\\w-])(?:${longestFirst.join('|')})(?![\\w-])`, 'gi');
  return text => {
    const urls = text.replace(inUrl, `$1${hidden}`);
    return names.length === 0 ? urls : urls.replace(alone, hidden);
  };
}

/** What of a view is no text for a reader: places in the pages, and kinds of marks. */
const structural = new Set(['home', 'href', 'anchor', 'id', 'kind', 'sign', 'columns']);

/** A view with every text for a reader redacted. */
export function redactedView<T>(view: T, redact: Redactor): T {
  const mapped = (value: unknown, name = ''): unknown => {
    if (structural.has(name)) return value;
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(item => mapped(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapped(member, key)]));
  };
  return mapped(view) as T;
}
