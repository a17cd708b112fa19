import type { CoverageReport } from '../../contracts/report/ledger.ts';
import type { Report } from '../../contracts/report/report.ts';
import { becauseOf, byState, figuresOf, pairsOf, reasonsIn } from '../text/cells-text.ts';
import { entry, type Line, pageWidth, styled, wrapped } from '../text/page.ts';
import { cellsText, coverageText, remedyTexts } from '../text/verdict-text.ts';

type Share = Pick<CoverageReport['byOperation'][number], 'percent' | 'proven' | 'notShown' | 'all'>;

const shareLine = (name: string, { percent, proven, notShown, all }: Share): Line => [
  `  ${name.padEnd(26)}${`${percent.toFixed(1)} %`.padStart(8)}${`${proven.toLocaleString('en')} of ${all.toLocaleString('en')}`.padStart(16)}`,
  ...(notShown > 0 ? [styled('faint', `  ${notShown.toLocaleString('en')} not shown`)] : []),
];

/** Everything of a run's coverage in figures: by operation, by relation, and what would have more tried. */
function figures(report: Report, coverage: CoverageReport, columns: number | undefined): Line[] {
  const width = pageWidth(columns) - 15;
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
    ...reasonsIn(pairsOf(coverage)).flatMap(text => wrapped(`  ${text}`, pageWidth(columns))),
    ...entry(
      '→',
      remedyTexts(report, 20).flatMap(text => wrapped(text, width)),
      2,
    ),
  ];
}

/** Every cell of some pairs, with the exchange that shows it, or why none does. */
function cells(pairs: ReturnType<typeof pairsOf>, columns: number | undefined): Line[] {
  return pairs.flatMap(pair => {
    const { proven, all } = figuresOf(pair);
    return [
      [styled('strong', `${pair.endpoint} ${pair.relation}`), `  ${proven} of ${all} proven`],
      ...byState(pair.groups).flatMap((group): Line[] => [
        [styled('faint', `  ${becauseOf(group)}`)],
        ...group.cells.filter(one => one !== '').flatMap(one => wrapped(`    ${one}`, pageWidth(columns))),
      ]),
    ];
  });
}

/**
 * The coverage of a run in lines: as a whole, or every cell of one operation or relation. Undefined where the run counted
 * none; no lines where there is no such operation or relation.
 */
export function coverageLines(report: Report, of: string | undefined, columns: number | undefined): Line[] | undefined {
  const { coverage } = report;
  if (coverage === undefined) return undefined;
  if (of === undefined) return figures(report, coverage, columns);
  return cells(
    pairsOf(coverage).filter(({ endpoint, relation }) => endpoint === of || relation === of),
    columns,
  );
}
