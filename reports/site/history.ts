import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import { compact } from '../../contracts/present.ts';
import type { ImplementationFile } from '../../contracts/report/implementation.ts';
import type { EndpointVerdict, Report } from '../../contracts/report/report.ts';
import { type Mark, mark, wholeMark } from '../document/marks.ts';
import { isWhole } from '../journal/coverage.ts';
import { unfinishedBecause } from '../journal/selections.ts';

/** A run of an implementation: its report, and the file that it was read from. */
export interface RecordedRun {
  readonly source: string;
  readonly report: Report;
  /** Present if the run was submitted with an envelope. */
  readonly submission?: Submission;
}

/** A server under test, with its runs in any order. */
export interface Implementation {
  readonly name: string;
  readonly runs: readonly RecordedRun[];
}

/** A fall since the last run with comparable results. */
export interface Drop {
  /** An endpoint, or the verdict or coverage of the whole run. */
  readonly of: EndpointId | 'run' | 'coverage';
  readonly from: string;
  readonly to: string;
}

/** An endpoint in one run; null if the run did not have it. */
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

/** Rank of each verdict. `not-applicable` has none: it is neither better nor worse than others. */
const rank: Readonly<Record<EndpointVerdict, number | null>> = {
  conformant: 2,
  incomplete: 1,
  'non-conformant': 0,
  'not-applicable': null,
};

/**
 * True if the absence of a finding means anything: the run was neither filtered nor a shard, and completed. A finding
 * always counts.
 */
const isConclusive = (report: Report): boolean => isWhole(report.options) && unfinishedBecause(report) === undefined;

const tells = (report: Report, verdict: EndpointVerdict): boolean =>
  rank[verdict] !== null && (verdict === 'non-conformant' || isConclusive(report));

const isWorse = (before: EndpointVerdict, now: EndpointVerdict): boolean => {
  const [was, is] = [rank[before], rank[now]];
  return was !== null && is !== null && is < was;
};

const timeOf = ({ report }: RecordedRun): number => Date.parse(report.startedAt) || 0;

/**
 * Key of comparable runs. Run verdicts and coverage are compared among complete runs of one key, endpoints among all
 * runs.
 */
const kindOf = ({ profile, options }: Report): string => JSON.stringify([profile, options.readOnly, options.strict]);

/** Returns the runs of an implementation from the oldest to the newest, with every drop. */
export function historyOf({ runs }: Implementation): readonly Point[] {
  const endpointsBefore = new Map<EndpointId, EndpointVerdict>();
  const wholeBefore = new Map<string, Report>();
  const inOrder = runs.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.source < b.source ? -1 : 1));
  return inOrder.map(run => {
    const { report } = run;
    if (!isCredible(run))
      return { ...run, cells: endpointIds.map(endpoint => ({ endpoint, verdict: null })), drops: [] };
    const cells = endpointIds.map(endpoint => cellOf(endpoint, report, endpointsBefore));
    for (const { endpoint, verdict } of cells)
      if (verdict && tells(report, verdict)) endpointsBefore.set(endpoint, verdict);
    const whole = wholeBefore.get(kindOf(report));
    const isComparable = report.coverage && !report.coverage.partial && isConclusive(report);
    const drops = [
      ...cells.flatMap(({ drop }) => drop ?? []),
      ...(!whole || !isComparable ? [] : wholeDrops(whole, report)),
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

/** Returns implementations with their histories. Each has a unique file name of letters, digits and dashes. */
export function toldOf(implementations: readonly Implementation[]): readonly Told[] {
  // The names of the other files of a site.
  const used = new Set(['index', 'style']);
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
  if (!verdict || !was || !tells(report, verdict) || !isWorse(was, verdict)) return { endpoint, verdict };
  return { endpoint, verdict, drop: { of: endpoint, from: was, to: verdict } };
}

/** Returns the drops of a whole run: in coverage, and in verdict. */
function wholeDrops(before: Report, now: Report): Drop[] {
  if (!before.coverage || !now.coverage) return [];
  const [was, is] = [before.coverage.percent, now.coverage.percent];
  return compact([
    isWorse(before.verdict, now.verdict) && { of: 'run' as const, from: before.verdict, to: now.verdict },
    is < was && { of: 'coverage' as const, from: `${was.toFixed(1)} %`, to: `${is.toFixed(1)} %` },
  ]);
}

/**
 * Returns the latest state of each endpoint: its verdict in the last run that had it, with the drop of that run, if
 * any.
 */
export function latestCells(points: readonly Point[]): readonly Cell[] {
  const cells = points.flatMap(point => point.cells);
  return endpointIds.map(
    endpoint =>
      cells.findLast(cell => cell.endpoint === endpoint && cell.verdict !== null) ?? { endpoint, verdict: null },
  );
}

/** A submitted result: its envelope, and the outcome of verifying it. */
export interface Submission {
  readonly envelope: ImplementationFile;
  /** Contradictions within the result, which make it worthless. */
  readonly contradictions: readonly string[];
  /** The parts of a whole run that were not run. */
  readonly omissions: readonly string[];
  /** The conditions under which it was made, and the parts that could not be verified. */
  readonly notes: readonly string[];
  /** True if it is older than results may be. */
  readonly isExpired: boolean;
}

const partial = mark('warn', 'partial');
const expired = mark('open', 'expired');
const contradicted = mark('error', 'contradicts itself');

/** Standings of a submitted result other than the verdict of its run. */
export const standings: readonly Mark[] = [partial, expired, contradicted];

/**
 * Returns the standing of a run. An incomplete result is never a pass: failures count first, then age, then omissions.
 */
export function standingOf({ report, submission }: RecordedRun): Mark {
  if (!submission) return wholeMark(report.verdict);
  const { contradictions, omissions, isExpired } = submission;
  if (contradictions.length > 0) return contradicted;
  if (report.verdict === 'non-conformant') return wholeMark(report.verdict);
  if (isExpired) return expired;
  return omissions.length > 0 || report.verdict !== 'conformant' ? partial : wholeMark('conformant');
}

/** True unless a submitted result contradicts itself. */
export const isCredible = ({ submission }: RecordedRun): boolean => (submission?.contradictions ?? []).length === 0;

const hidden = 'host-redacted';
const inUrl = /(\b[a-z][a-z\d+.-]*:\/\/)([^\s/?#,;)"'<>`]+)/gi;
/** Returns a text as it is to be shown. */
type Redactor = (text: string) => string;

/** Returns the names of the host of a target. A text that is no URL with a host may be one, so it counts whole. */
function hostNames(baseUrl: string): string[] {
  const { host, hostname } = URL.canParse(baseUrl) ? new URL(baseUrl) : { host: '', hostname: '' };
  return host === '' ? [baseUrl.trim()] : [host, hostname];
}

/** Returns a redactor of host names: those of all targets anywhere, and those of all URLs. */
export function hostRedactor(implementations: readonly Implementation[]): Redactor {
  const targets = implementations.flatMap(({ runs }) => runs.map(({ report }) => report.target.baseUrl));
  const names = [...new Set(targets.flatMap(hostNames))].filter(name => name !== '');
  const longestFirst = names
    .toSorted((a, b) => b.length - a.length)
    .map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const alone = new RegExp(`(?<![\\w-])(?:${longestFirst.join('|')})(?![\\w-])`, 'gi');
  return text => {
    const urls = text.replace(inUrl, `$1${hidden}`);
    return names.length === 0 ? urls : urls.replace(alone, hidden);
  };
}

/** Members of a view that are not text for a reader: link targets, and kinds of marks. */
const structural = new Set(['home', 'href', 'anchor', 'id', 'kind', 'sign', 'columns']);

/** Returns a view with every text for a reader redacted. */
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
