import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { legend, mark, wholeMark } from '../html/marks.ts';
import { counted } from '../text/page.ts';
import { type Cell, type Drop, historyOf, type Implementation, latestCells, type Point } from './history.ts';
import { isCredible, standingOf, standings } from './submission.ts';

/** The most that a page lists. */
const most = { drops: 60, runs: 200, causes: 20 } as const;

/** An implementation with its history and the file of its page. */
interface Told {
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

const dayOf = (startedAt: string): string => startedAt.slice(0, 16).replace('T', ' ');
const coverageOf = (point: Point): string =>
  point.report.coverage === undefined || !isCredible(point) ? '–' : `${point.report.coverage.percent.toFixed(1)} %`;
const setOf = ({ report: { requirementSet: set } }: Point): string => set?.name ?? '–';
const whatOf = ({ of }: Drop): string => (of === 'run' ? 'the verdict' : of);

/** A drop in words: `patch-gate fell from conformant to non-conformant`. */
const dropText = (drop: Drop): string => `${whatOf(drop)} fell from ${drop.from} to ${drop.to}`;

const cellView = ({ endpoint, verdict, drop }: Cell) => ({
  endpoint,
  mark: verdict === null ? mark('open', 'not run') : wholeMark(verdict),
  ...(drop === undefined ? {} : { drop: dropText(drop) }),
});

const columns = endpointIds.map(id => ({ id, title: endpoints[id].title }));
const signs = [...legend.filter(({ kind }) => ['pass', 'fail', 'untested', 'not-applicable'].includes(kind))].map(
  ({ kind }) =>
    ({
      pass: wholeMark('conformant'),
      fail: wholeMark('non-conformant'),
      untested: wholeMark('incomplete'),
      'not-applicable': wholeMark('not-applicable'),
    })[kind as 'pass'],
);

/** The marks of these runs: where one was handed in, with where it may stand. */
const legendOf = (points: readonly Point[]) => [
  ...signs,
  mark('open', 'not run'),
  ...(points.some(({ submission }) => submission !== undefined) ? standings : []),
];

/** Returns what the first page shows: the last verdicts of all implementations, and every drop, the newest first. */
export function indexView(title: string, told: readonly Told[]) {
  const drops = told
    .flatMap(({ name, file, points }) =>
      points.flatMap((point, index) =>
        point.drops.map(drop => ({
          name,
          href: `${file}#run-${index + 1}`,
          at: point.report.startedAt,
          when: dayOf(point.report.startedAt),
          text: dropText(drop),
        })),
      ),
    )
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || 0);
  const runs = told.reduce((sum, { points }) => sum + points.length, 0);
  return {
    title,
    lead: `${counted(told.length, 'implementation')}, ${counted(runs, 'run')}.`,
    columns,
    legend: legendOf(told.flatMap(({ points }) => points)),
    rows: told.map(({ name, file, points }) => {
      const last = points.at(-1);
      return {
        name,
        href: file,
        verdict: last === undefined ? mark('open', 'not run') : standingOf(last),
        coverage: coverageText(points),
        set: last === undefined ? '–' : setOf(last),
        when: last === undefined ? '–' : dayOf(last.report.startedAt),
        release: last?.submission?.envelope.release ?? '',
        cells: latestCells(points).map(cellView),
      };
    }),
    partial: told.flatMap(({ name, file, points }) => {
      const omissions = points.at(-1)?.submission?.omissions ?? [];
      return omissions.length === 0 ? [] : [{ name, href: file, text: omissions.join('; ') }];
    }),
    drops: drops.slice(0, most.drops),
    moreDrops:
      drops.length > most.drops ? `${counted(drops.length - most.drops, 'older drop')} on the pages of each` : '',
  };
}

/** The coverage of the last whole run. */
const coverageText = (points: readonly Point[]): string => {
  const whole = points.findLast(
    point => isCredible(point) && point.report.coverage !== undefined && point.report.coverage.partial !== true,
  );
  return whole === undefined ? '–' : coverageOf(whole);
};

/** Returns what the page of an implementation shows: its runs, the newest first, and what is wrong in the last one. */
export function historyView(title: string, { name, points }: Told) {
  const rows = points
    .map((point, index) => {
      const { report, source, drops, cells } = point;
      return {
        id: `run-${index + 1}`,
        when: dayOf(report.startedAt),
        source,
        verdict: standingOf(point),
        coverage: coverageOf(point),
        about: `${point.submission === undefined ? '' : `${point.submission.envelope.release}, `}set ${setOf(point)}, ${report.target.baseUrl}, seed ${report.seed}, ${report.profile}, ${report.outcome}`,
        drops: drops.map(dropText),
        cells: cells.map(cellView),
      };
    })
    .toReversed();
  const final = points.at(-1);
  const last = final === undefined || !isCredible(final) ? undefined : final.report;
  const causes = (last?.causes ?? []).filter(({ kind }) => kind === 'fail');
  return {
    title,
    name,
    lead: `${counted(points.length, 'run')}, ${counted(points.flatMap(({ drops }) => drops).length, 'drop')}.`,
    verdict: final === undefined ? mark('open', 'not run') : standingOf(final),
    ...submissionView(final),
    columns,
    legend: legendOf(points),
    rows: rows.slice(0, most.runs),
    moreRuns: rows.length > most.runs ? `${counted(rows.length - most.runs, 'older run')} not shown` : '',
    causes: causes.slice(0, most.causes).map(({ id, title: text, endpoints: at }) => ({ id, text, at: at.join(', ') })),
    moreCauses: causes.length > most.causes ? `${causes.length - most.causes} more in its report` : '',
  };
}

/** What the page of an implementation tells of the result that was handed in last: of what it is, and what it is worth. */
function submissionView(point: Point | undefined) {
  if (point?.submission === undefined) return { facts: [], again: [], contradictions: [], omissions: [], notes: [] };
  const { envelope, contradictions, omissions, notes } = point.submission;
  const { organization, contact, url, release, commit, image, started, again } = envelope;
  const facts = {
    'Made by': organization,
    Contact: contact,
    Described: url,
    Release: release,
    Commit: commit,
    Image: image,
    Started: started,
  };
  return {
    facts: Object.entries(facts).flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }])),
    again,
    contradictions: contradictions.slice(0, most.causes),
    omissions,
    notes,
  };
}
