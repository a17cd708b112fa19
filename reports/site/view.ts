import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { EndpointVerdict } from '../../contracts/report/report.ts';
import { pairsIn, type ReportDocument, type Row, type Table, type TableRow } from '../document/document.ts';
import { documentHtml } from '../document/html.ts';
import { type Mark, mark, wholeMark } from '../document/marks.ts';
import { style } from '../document/style.ts';
import { counted } from '../text/page.ts';
import { coverageShareText } from '../text/verdict-text.ts';
import {
  type Cell,
  type Drop,
  hostRedactor,
  type Implementation,
  isCredible,
  latestCells,
  type Point,
  redactedView,
  standingOf,
  standings,
  type Told,
  toldOf,
} from './history.ts';

/** Maximum numbers on a page. */
const most = { drops: 60, runs: 200, causes: 20 } as const;

const dayOf = (startedAt: string): string => startedAt.slice(0, 16).replace('T', ' ');
const coverageOf = (point: Point): string => (isCredible(point) && coverageShareText(point.report)) || '–';
const setOf = ({ report: { requirementSet: set } }: Point): string => set?.name ?? '–';

/** Returns a drop in words: `patch-gate fell from conformant to non-conformant`. */
const dropText = ({ of, from, to }: Drop): string => `${of === 'run' ? 'the verdict' : of} fell from ${from} to ${to}`;

const cellView = ({ verdict, drop }: Cell) => ({
  mark: verdict ? wholeMark(verdict) : notRun,
  drop: drop && dropText(drop),
});

const notRun = mark('open', 'not run');
const verdicts: readonly EndpointVerdict[] = ['conformant', 'non-conformant', 'incomplete', 'not-applicable'];

/** Returns the columns of a table: the first, some of text, and one for each endpoint. */
const columnsOf = (first: string, texts: readonly string[]): Table['columns'] => [
  { name: first },
  ...texts.map(name => ({ name, kind: 'text' as const })),
  ...endpointIds.map(id => ({ name: id, title: endpoints[id].title, kind: 'turned' as const })),
];

/** Returns a table of endpoints with its legend, which has the standings if some result was submitted. */
const tableOf = (points: readonly Point[], table: Table): Table => ({
  legend: [...verdicts.map(wholeMark), notRun, ...(points.some(({ submission }) => submission) ? standings : [])],
  cue: 'Scroll sideways for all endpoints.',
  about: '▼ worse than in the run before it that tells of the same',
  ...table,
});

/** Returns the common members of the pages; `word` is the heading. */
const pageOf = (title: string, { kind, sign }: Mark, word: string, sentence: string) => ({
  title,
  kicker: 'Console Management API',
  source: 'the reports of the runs',
  verdict: { kind, sign, word },
  headline: '',
  sentences: [sentence],
  figures: [],
  facts: [],
  rest: 'the reports of the runs',
  whole: 0,
});

/** Returns the first page: the last verdicts of all implementations, and every drop, the newest first. */
function indexPage(title: string, told: readonly Told[]): ReportDocument {
  const drops = dropRows(told);
  const runs = told.reduce((sum, { points }) => sum + points.length, 0);
  const sentence = `${counted(told.length, 'implementation')}, ${counted(runs, 'run')}.`;
  return {
    ...pageOf(title, { kind: 'open', sign: '', word: '' }, title, sentence),
    parts: [
      {
        id: 'matrix',
        title: 'Implementations × endpoints',
        isHead: true,
        table: tableOf(
          told.flatMap(({ points }) => points),
          {
            columns: columnsOf('Implementation', ['Verdict', 'Coverage', 'Judged by', 'Last run']),
            rows: told.map(latestRow),
          },
        ),
      },
      {
        id: 'partial',
        title: 'What was not run',
        rows: told.flatMap(({ name, file, points }) => {
          const omissions = points.at(-1)?.submission?.omissions ?? [];
          const row = { mark: mark('warn', 'partial'), name, href: file, text: omissions.join('; ') };
          return omissions.length === 0 ? [] : [row];
        }),
      },
      {
        id: 'drops',
        title: 'Drops',
        empty: 'Nothing got worse from one run to the next.',
        rows: drops.slice(0, most.drops),
        note: noteOf(drops.length - most.drops, older => `${counted(older, 'older drop')} on the pages of each`),
      },
    ],
  };
}

/** Returns a note on unlisted items, if any. */
const noteOf = (more: number, text: (more: number) => string) => (more > 0 ? text(more) : undefined);

/** Returns every drop of all implementations, the newest first. */
function dropRows(told: readonly Told[]): Row[] {
  const drops = told.flatMap(({ name, file, points }) =>
    points.flatMap(({ drops: own, report: { startedAt } }, index) =>
      own.map(drop => ({
        at: Date.parse(startedAt) || 0,
        row: {
          mark: mark('fail', 'worse'),
          name,
          href: `${file}#run-${index + 1}`,
          text: `${dayOf(startedAt)}: ${dropText(drop)}`,
        },
      })),
    ),
  );
  return drops.sort((a, b) => b.at - a.at).map(({ row }) => row);
}

/**
 * Returns the row of an implementation: its standing by the last run, and each endpoint by the last run that had it.
 */
function latestRow({ name, file, points }: Told): TableRow {
  const last = points.at(-1);
  const release = last?.submission?.envelope.release;
  return {
    cells: [
      { text: name, href: file, about: release === undefined ? undefined : [release] },
      { mark: last ? standingOf(last) : notRun },
      { text: coverageText(points) },
      { text: last ? setOf(last) : '–' },
      { text: last ? dayOf(last.report.startedAt) : '–' },
      ...latestCells(points).map(cellView),
    ],
  };
}

/** Returns the coverage of the last whole run. */
const coverageText = (points: readonly Point[]): string => {
  const whole = points.findLast(point => isCredible(point) && point.report.coverage && !point.report.coverage.partial);
  return whole ? coverageOf(whole) : '–';
};

/** Returns the page of an implementation: its runs, the newest first, and the failures of the last one. */
function historyPage(title: string, { name, points }: Told): ReportDocument {
  const rows = points.map(runRow).toReversed();
  const last = points.at(-1);
  const standing = last ? standingOf(last) : notRun;
  const causes = !last || !isCredible(last) ? [] : (last.report.causes ?? []);
  const failures = causes.filter(({ kind }) => kind === 'fail');
  const drops = points.flatMap(point => point.drops);
  const sentence = `Last run: ${standing.word}. ${counted(points.length, 'run')}, ${counted(drops.length, 'drop')}.`;
  return {
    ...pageOf(`${name}: ${title}`, standing, name, sentence),
    kicker: title,
    home: 'index.html',
    parts: [
      {
        id: 'runs',
        title: 'Runs, the newest first',
        isHead: true,
        table: tableOf(points, {
          columns: columnsOf('Run', ['Verdict', 'Coverage', 'What it is']),
          rows: rows.slice(0, most.runs),
        }),
        note: noteOf(rows.length - most.runs, older => `${counted(older, 'older run')} not shown`),
      },
      { id: 'result', title: 'The last result', rows: resultRows(last) },
      {
        id: 'causes',
        title: 'What is wrong in the last run',
        empty: 'No failure.',
        rows: failures.slice(0, most.causes).map(({ id, title: text, endpoints: at }) => ({
          mark: mark('fail'),
          name: id,
          text,
          about: [at.join(', ')],
        })),
        note: noteOf(failures.length - most.causes, more => `${more} more in its report`),
      },
    ],
  };
}

/** Returns the row of a run in the history of its implementation. */
function runRow(point: Point, index: number): TableRow {
  const { report, source, drops, cells, submission } = point;
  const release = submission ? `${submission.envelope.release}, ` : '';
  return {
    anchor: `run-${index + 1}`,
    cells: [
      { text: dayOf(report.startedAt) },
      { mark: standingOf(point) },
      { text: coverageOf(point) },
      {
        text: `${release}set ${setOf(point)}, ${report.target.baseUrl}, seed ${report.seed}, ${report.profile}, ${report.outcome}`,
        about: [source, ...drops.map(drop => `▼ ${dropText(drop)}`)],
      },
      ...cells.map(cellView),
    ],
  };
}

/** Returns the rows about the last submitted result: what it is, and what it is worth. */
function resultRows(point: Point | undefined): Row[] {
  if (!point?.submission) return [];
  const { envelope, contradictions, omissions, notes } = point.submission;
  const { organization, contact, url, release, commit, image, started, again } = envelope;
  // biome-ignore format: a table
  const facts = pairsIn({
    'Made by': organization, Contact: contact, Described: url, Release: release, Commit: commit,
    Image: image, Started: started,
  });
  const fact = mark('open', '');
  return [
    ...facts.map(({ name, value }) => ({ mark: fact, name, text: value })),
    ...contradictions.slice(0, most.causes).map(text => ({ mark: mark('error', 'contradicts itself'), text })),
    ...omissions.map(text => ({ mark: mark('warn', 'partial'), text: `Not the whole: ${text}` })),
    ...notes.map(text => ({ mark: fact, text })),
    { mark: fact, text: 'Do it again', command: again.join('\n') },
  ];
}

/**
 * Returns the files of a site over many runs, by name: `index.html` with the matrix of implementations and endpoints
 * and all drops, `style.css`, and a history page for each implementation. All text from runs is escaped; no page needs
 * a script or another site. Redacted pages name no host.
 */
export function sitePages(
  title: string,
  implementations: readonly Implementation[],
  isRedacted = false,
): ReadonlyMap<string, string> {
  const redact = isRedacted ? hostRedactor(implementations) : (text: string) => text;
  const told = toldOf(implementations.map(one => ({ ...one, name: redact(one.name) })));
  const pages = [
    ['index.html', indexPage(title, told)] as const,
    ...told.map(one => [one.file, historyPage(title, one)] as const),
  ];
  const htmlOf = (page: ReportDocument) => documentHtml(redactedView(page, redact), { style: 'style.css' });
  return new Map([['style.css', style], ...pages.map(([file, page]) => [file, htmlOf(page)] as const)]);
}
