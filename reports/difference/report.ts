import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import { alike, distinct } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type {
  AcknowledgedDifference,
  Comparison,
  DifferencePlace,
  DifferenceReport,
  DifferenceReportEntry,
  SideReport,
} from '../../contracts/report/difference.ts';
import { differenceVerdict, failsAt } from '../../contracts/report/difference-verdict.ts';
import type { Report } from '../../contracts/report/report.ts';
import { tool } from '../../contracts/report/tool.ts';
import { isJudged } from '../../contracts/report/verdict.ts';
import { causesOf, inOrder } from '../journal/causes.ts';
import { disjoint } from '../journal/disjoint.ts';
import { notRestored } from '../journal/selections.ts';
import { type AcknowledgedFile, type ComparedExtent, differenceKey, judgeAcknowledged } from './acknowledged.ts';
import { differenceTitle } from './title.ts';

/** A completed comparison, and the settings it was made with. */
export interface ComparedServers extends Pick<DifferenceReport, 'a' | 'b' | 'seed' | 'profile' | 'options'> {
  readonly comparison: Comparison;
  /** The folded reports of the last runs; a recording has none. */
  readonly reports: { readonly a?: Report | undefined; readonly b?: Report | undefined };
}

type Acknowledging = { readonly file: AcknowledgedFile; readonly today: string };

/** Returns how much a comparison covers, which decides whether an absent difference is gone. */
export function extentOf({ a, b, seed, profile, options, reports, comparison }: ComparedServers): ComparedExtent {
  const tested = (reports.b ?? reports.a)?.endpoints.filter(({ checks }) =>
    checks.some(({ verdict }) => isJudged(verdict)),
  );
  const endpoints = new Set([...(tested ?? []).map(({ id }) => id), ...comparison.places.map(one => one.endpoint)]);
  return {
    seed,
    profile,
    isFiltered: options.only.length + options.skip.length > 0,
    isComplete: a.outcome === 'complete' && b.outcome === 'complete' && comparison.compared > 0,
    endpoints,
    noise: comparison.noise,
  };
}

/**
 * Returns the report of a comparison, with its verdict. Places with one cause are one difference; differences are in
 * the order in which to look at them.
 */
export function differenceReport(compared: ComparedServers, acknowledging?: Acknowledging): DifferenceReport {
  const { comparison, a, b, seed, profile, options } = compared;
  const { compared: count, alike, places, ...rest } = comparison;
  const judged = acknowledging
    ? judgeAcknowledged(places, acknowledging.file, extentOf(compared), acknowledging.today)
    : undefined;
  const differences = entriesOf(compared, judged?.known ?? new Map());
  const verdict = differenceVerdict({
    sides: [a, b],
    compared: count,
    differs: differences.some(one => !one.acknowledged && failsAt(one, options.failOn)),
    isStale: (judged?.report.stale.length ?? 0) > 0,
  });
  const because = whyIncomplete(a, b, comparison);
  return {
    version: 1,
    tool: { name: tool.name, version: tool.version },
    a: withRest(a, compared.reports.a),
    b: withRest(b, compared.reports.b),
    seed,
    profile,
    options,
    ...verdict,
    ...present({ because }),
    counts: { compared: count, alike },
    differences,
    ...rest,
    ...present({ acknowledged: judged?.report }),
  };
}

/** Adds to a side what its last run could not put back. */
function withRest(side: SideReport, report: Report | undefined): SideReport {
  const notPutBack = notRestored(report?.leftBehind ?? []);
  return notPutBack.length === 0 ? side : { ...side, notPutBack };
}

/** Words for a side that did not complete. */
// biome-ignore format: a table
const endings: Readonly<Record<string, string>> = {
  interrupted: 'was interrupted',
  unreachable: 'stopped answering, or could not be gone on with',
  error:       'was ended by a fault of the suite',
};

/** Returns why a comparison is incomplete; undefined if it is complete. */
function whyIncomplete(a: SideReport, b: SideReport, { compared, notCompared }: Comparison): string | undefined {
  const sides = Object.entries({ A: a, B: b }).flatMap(([letter, { outcome, because }]) => {
    const why = because === undefined || outcome === 'interrupted' ? '' : `: ${because}`;
    return outcome === 'complete' ? [] : [`${letter} ${endings[outcome] ?? `ended (${outcome})`}${why}`];
  });
  if (sides.length > 0) return sides.join('; ');
  if (compared > 0) return undefined;
  const [first] = notCompared.toSorted((one, other) => other.count - one.count);
  return `nothing could be compared${first ? `: ${first.because}` : ''}`;
}

/** Returns the last member of a pointer, or the place outside the body. */
const lastMember = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1);

/** True if an OPEN requirement is about fields in general, so that the title names the field. */
const isAboutFields = (requirement: string): boolean => /field|null|characters/.test(requirement);

/** Returns the pointer to the parent of a member: an entity, a list item, or something inside it. */
const containerOf = (pointer: string): string =>
  pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))).replace(/^\/data\/\*$/, '/data');

/** True if a member that the specification does not name is shown by one side alone. */
const isLone = ({ label, aspect }: DifferencePlace): boolean => label === 'unsaid' && aspect === 'presence';

/**
 * Returns what makes lone members one difference. Members of one object stand together, and so do members of one name,
 * because a server that adds one everywhere adds others beside it.
 */
const togetherBy = ({ lacks, pointer }: DifferencePlace): readonly string[] =>
  [`in ${containerOf(pointer)}`, `called ${lastMember(pointer)}`].map(key => `${lacks === 'a' ? 'b' : 'a'} ${key}`);

/** Returns what places of one difference have in common; `cause` is theirs in the report of the side that breaks it. */
function commonOf({ label, requirement = '', pointer, aspect }: DifferencePlace, cause: string | undefined) {
  if (label === 'unsaid') return [lastMember(pointer), aspect];
  if (label === 'open') return [requirement, isAboutFields(requirement) ? lastMember(pointer) : ''];
  return cause === undefined ? [requirement] : ['cause', cause];
}

/** Returns the first cause of a report for each requirement and endpoint. */
function causesByPlace(report: Report | undefined): ReadonlyMap<string, string> {
  const causes = report && (report.causes ?? causesOf(report));
  const rows = (causes ?? []).flatMap(({ id, requirements, endpoints }) =>
    requirements.flatMap(one => endpoints.map(at => [JSON.stringify([one, at]), id] as const)),
  );
  return new Map(rows.toReversed());
}

function entriesOf(
  { comparison, reports }: ComparedServers,
  known: ReadonlyMap<string, AcknowledgedDifference>,
): DifferenceReportEntry[] {
  const causes: Partial<Record<DifferencePlace['label'], ReadonlyMap<string, string>>> = {
    'a-breaks': causesByPlace(reports.a),
    'b-breaks': causesByPlace(reports.b),
  };
  const { places } = comparison;
  const lone = places.filter(isLone);
  const together = disjoint(lone, togetherBy);
  const placed = places.map(place => {
    const { label, requirement = '', endpoint } = place;
    const cause = causes[label]?.get(JSON.stringify([requirement, endpoint]));
    const common = isLone(place) ? [lone.indexOf(together.rootOf(place))] : commonOf(place, cause);
    return { place, cause, entry: known.get(differenceKey(place)), common };
  });
  // Acknowledged differences stand by themselves, so that they hide no new one of the same cause.
  const groups = alike(placed, ({ place: { label }, common, entry }) => [!entry, label, ...common]);
  const entries = groups.map(own => ({
    ...entryOf(own.map(({ place }) => place)),
    ...present({ cause: own[0].cause, acknowledged: acknowledgementOf(own.flatMap(({ entry }) => entry ?? [])) }),
  }));
  // Acknowledged last; broken MUSTs first; the new server before the old; wider differences first.
  return inOrder<Omit<DifferenceReportEntry, 'id'>>(
    entries,
    ({ acknowledged }) => Number(acknowledged !== undefined),
    ({ level, label }) => Number(level === 'SHOULD' || !label.endsWith('breaks')),
    ({ label }) => ['b-breaks', 'a-breaks', 'open', 'unsaid'].indexOf(label),
    ({ endpoints }) => -endpoints.length,
    ({ places }) => -places.reduce((sum, { occurrences }) => sum + occurrences, 0),
  ).map((entry, index) => ({ id: `D${index + 1}`, ...entry }));
}

function acknowledgementOf(entries: readonly AcknowledgedDifference[]): DifferenceReportEntry['acknowledged'] {
  if (entries.length === 0) return undefined;
  const issue = entries.find(entry => entry.issue !== undefined)?.issue;
  const reason = distinct(entries.map(entry => entry.reason)).join('; ');
  return { reason, ...present({ issue }) };
}

function entryOf(own: readonly DifferencePlace[]) {
  const places = inOrder(
    own,
    ({ level }) => Number(level === 'SHOULD'),
    ({ example }) => example.steps.length,
    ({ occurrences }) => -occurrences,
  );
  const [first] = places as [DifferencePlace];
  const shown = new Set<EndpointId>(places.map(({ endpoint }) => endpoint));
  const endpoints = endpointIds.filter(id => shown.has(id));
  const level = first.label === 'open' || first.label === 'unsaid' ? undefined : first.level;
  return {
    label: first.label,
    ...present({ level }),
    title: differenceTitle(first, endpoints, membersOf(places)),
    requirements: distinct(places.flatMap(({ requirement }) => requirement ?? [])),
    endpoints,
    places,
  };
}

/** Returns how many members besides the first the places concern, if one side lacks them all. */
function membersOf(places: readonly DifferencePlace[]): number {
  const [first] = places;
  if (first?.label !== 'unsaid' || first.aspect !== 'presence') return 0;
  return new Set(places.map(({ pointer }) => lastMember(pointer))).size - 1;
}
