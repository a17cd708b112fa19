import { type CellGroup, type CoverageReport, type Reason, reasons } from '../../contracts/report/ledger.ts';
import type { Report } from '../../contracts/report/report.ts';
import type { Cell, Part, Table } from '../document/document.ts';
import { isCounted } from '../journal/coverage.ts';
import { counted, entry, type Line, styled, wrapped } from '../text/page.ts';
import { cellsText, coverageText, remedyTexts } from '../text/verdict-text.ts';

/** Maximum number of cells listed for one state; the report has all. */
const mostListed = 40;

/** Returns the colour of a share, from nothing to all in six steps. */
const shareOf = (proven: number, all: number): number =>
  proven === 0 ? 0 : proven === all ? 5 : 1 + Math.floor((4 * proven) / all);

const percentText = (percent = 0): string => `${Math.floor(percent)}`;

const anchorOf = (relation: string, endpoint: string): string => `cells-${relation}-${endpoint}`;

/** Returns the matrix of operations and relations, and the cells of each of its squares; nothing without cells. */
export function coverageParts({ coverage }: Report): Part[] {
  if (!coverage) return [];
  const pairs = pairsOf(coverage);
  return [
    {
      id: 'coverage',
      title: 'What was tried, and what was not',
      note: 'Each row is a thing to try, each column an operation. A number is the part, in percent, of its cells that is proven: what was sent was accepted and shown, or refused beside an accepted control. An empty place: there is nothing of the kind to try.',
      formats: ['page'],
      table: pictureOf(coverage, pairs),
      groups: coverage.byRelation.map(({ relation, what }) => ({
        title: what,
        detail: relation,
        lists: pairs.filter(one => one.relation === relation).map(listOf),
      })),
    },
  ];
}

/** Returns the matrix, with a square for each relation of each operation. */
function pictureOf({ ledger, byOperation, byRelation }: CoverageReport, pairs: readonly CellsOfBoth[]): Table {
  const endpoints = ledger.map(({ endpoint }) => endpoint);
  const shareAt = (id: string) => percentText(byOperation.find(({ endpoint }) => endpoint === id)?.percent);
  const squareOf = (relation: string, endpoint: string): Cell => {
    const pair = pairs.find(one => one.endpoint === endpoint && one.relation === relation);
    const { proven, all } = figuresOf(pair?.groups);
    if (all === 0) return { title: 'nothing to try' };
    return {
      href: `#${anchorOf(relation, endpoint)}`,
      share: shareOf(proven, all),
      text: percentText((100 * proven) / all),
      title: `${relation} at ${endpoint}: ${proven} of ${counted(all, 'cell')} proven`,
    };
  };
  return {
    columns: [
      { name: 'Tried' },
      { name: 'all', kind: 'minor' },
      ...endpoints.map(name => ({ name, kind: 'turned' as const })),
    ],
    about: reasonsIn(pairs)
      .map(reason => `Not tried, ${reason}.`)
      .join(' '),
    rows: [
      { cells: [{ text: 'all' }, {}, ...endpoints.map(endpoint => ({ text: shareAt(endpoint) }))] },
      ...byRelation.map(({ relation, what, percent }) => ({
        cells: [
          { text: what },
          { text: percentText(percent) },
          ...endpoints.map(endpoint => squareOf(relation, endpoint)),
        ],
      })),
    ],
  };
}

/** Returns the cells of a square, by state. */
function listOf(pair: CellsOfBoth) {
  const { proven, all } = figuresOf(pair.groups);
  return {
    anchor: anchorOf(pair.relation, pair.endpoint),
    title: pair.endpoint,
    detail: `${proven} of ${all} proven`,
    pairs: byState(pair.groups).map(group => {
      const cells = group.cells.filter(one => one !== '');
      const more = cells.length > mostListed ? ` · ${cells.length - mostListed} more in report.json` : '';
      return { name: becauseOf(group), value: `${cells.slice(0, mostListed).join(' · ')}${more}` };
    }),
  };
}

type Share = Pick<CoverageReport['byOperation'][number], 'percent' | 'proven' | 'notShown' | 'all'>;

const shareLine = (name: string, { percent, proven, notShown, all }: Share): Line => [
  `  ${name.padEnd(26)}${`${percent.toFixed(1)} %`.padStart(8)}${`${proven.toLocaleString('en')} of ${all.toLocaleString('en')}`.padStart(16)}`,
  ...(notShown > 0 ? [styled('faint', `  ${notShown.toLocaleString('en')} not shown`)] : []),
];

/** Returns the figures of a run's coverage: by operation, by relation, and the remedies. */
function figures(report: Report, coverage: CoverageReport, page: number): Line[] {
  const width = page - 15;
  return [
    [styled('strong', coverageText(report) ?? '')],
    ...wrapped(cellsText(report) ?? '', width),
    [],
    [styled('strong', 'by operation')],
    ...coverage.byOperation.map(one => shareLine(one.endpoint, one)),
    [],
    [styled('strong', 'by relation')],
    ...coverage.byRelation.map(one => [...shareLine(one.relation, one), styled('faint', `  ${one.what}`)]),
    [],
    [styled('strong', 'not tried')],
    ...reasonsIn(pairsOf(coverage)).flatMap(text => wrapped(`  ${text}`, page)),
    ...entry(
      '→',
      remedyTexts(report, 20).flatMap(text => wrapped(text, width)),
      2,
    ),
  ];
}

/** Returns every cell of some pairs, with the exchange that shows it, or the reason that none does. */
function cells(pairs: readonly CellsOfBoth[], page: number): Line[] {
  return pairs.flatMap(({ endpoint, relation, groups }) => {
    const { proven, all } = figuresOf(groups);
    return [
      [styled('strong', `${endpoint} ${relation}`), `  ${proven} of ${all} proven`],
      ...byState(groups).flatMap((group): Line[] => [
        [styled('faint', `  ${becauseOf(group)}`)],
        ...group.cells.filter(one => one !== '').flatMap(one => wrapped(`    ${one}`, page)),
      ]),
    ];
  });
}

/**
 * Returns the coverage of a run in lines: as a whole, or every cell of one operation or relation. Undefined if the run
 * counted none; no lines if there is no such operation or relation.
 */
export function coverageLines(report: Report, of: string | undefined, page: number): Line[] | undefined {
  const { coverage } = report;
  if (!coverage) return undefined;
  if (of === undefined) return figures(report, coverage, page);
  return cells(
    pairsOf(coverage).filter(({ endpoint, relation }) => endpoint === of || relation === of),
    page,
  );
}

/** The cells of one relation of one operation. */
type CellsOfBoth = ReturnType<typeof pairsOf>[number];

/** Returns every relation of every operation, in the order of the ledger. */
const pairsOf = ({ ledger }: CoverageReport) =>
  ledger.flatMap(({ endpoint, relations }) =>
    relations.map(({ relation, groups }) => ({ endpoint, relation, groups })),
  );

/** Returns how many cells of one relation of one operation count, and how many of those are proven. */
function figuresOf(groups: readonly CellGroup[] = []) {
  const cells = groups.flatMap(group => group.cells.map(() => group));
  return { proven: cells.filter(({ state }) => state === 'proven').length, all: cells.filter(isCounted).length };
}

/** Returns why a cell has its state: `proven by accepts#3`, `not tried: harm`. */
function becauseOf({ state, by, reason, line }: CellGroup): string {
  if (by !== undefined) return `${state} by ${by}`;
  return `${state}${reason ? `: ${reason}` : ''}${line === undefined ? '' : ` → ${line}`}`;
}

/** Returns the reasons of some cells, a sentence each. */
function reasonsIn(pairs: readonly CellsOfBoth[]): readonly string[] {
  const found = new Set(pairs.flatMap(({ groups }) => groups.flatMap(({ reason }) => reason ?? [])));
  return (Object.keys(reasons) as Reason[]).filter(one => found.has(one)).map(one => `${one}: ${reasons[one]}`);
}

/** The most telling states first: broken, not tried, not shown, then proven. */
const order: readonly CellGroup['state'][] = ['broken', 'not tried', 'not shown', 'proven'];

/** Returns groups of cells, the actionable ones first. */
const byState = (groups: readonly CellGroup[]): readonly CellGroup[] =>
  groups.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
