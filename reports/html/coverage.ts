import type { Report } from '../../contracts/report/report.ts';
import { becauseOf, byState, figuresOf, pairsOf, reasonsIn } from '../text/cells-text.ts';
import { counted } from '../text/page.ts';
import { cellsText, coverageText, remedyTexts } from '../text/verdict-text.ts';

/** So many cells that came to the same are listed; the report has all. */
const mostListed = 40;

/** The colour of a share: from nothing to all, in six steps. */
const stepOf = (proven: number, all: number): number =>
  proven === 0 ? 0 : proven === all ? 5 : 1 + Math.floor((4 * proven) / all);

const anchorOf = (relation: string, endpoint: string): string => `cells-${relation}-${endpoint}`;

/** The picture operations × relations, and the list of cells behind each of its squares. */
export function coverageOf(report: Report) {
  const { coverage } = report;
  if (coverage === undefined) return null;
  const pairs = pairsOf(coverage);
  const endpoints = coverage.ledger.map(({ endpoint }) => endpoint);
  const shareOfEndpoint = new Map(coverage.byOperation.map(one => [one.endpoint, one.percent]));
  return {
    headline: `${coverageText(report)}: ${cellsText(report)}`,
    remedies: remedyTexts(report, 3),
    reasons: reasonsIn(pairs),
    columns: endpoints.map(endpoint => ({ endpoint, percent: `${Math.floor(shareOfEndpoint.get(endpoint) ?? 0)}` })),
    rows: coverage.byRelation.map(({ relation, what, percent }) => ({
      relation,
      what,
      percent: `${Math.floor(percent)}`,
      cells: endpoints.map(endpoint => {
        const pair = pairs.find(one => one.endpoint === endpoint && one.relation === relation);
        if (pair === undefined) return null;
        const { proven, all } = figuresOf(pair);
        if (all === 0) return null;
        return {
          href: `#${anchorOf(relation, endpoint)}`,
          step: stepOf(proven, all),
          text: `${Math.floor((100 * proven) / all)}`,
          title: `${relation} at ${endpoint}: ${proven} of ${counted(all, 'cell')} proven`,
        };
      }),
    })),
    lists: coverage.byRelation.map(({ relation, what }) => ({
      relation,
      what,
      pairs: pairs
        .filter(one => one.relation === relation)
        .map(pair => {
          const { proven, all } = figuresOf(pair);
          return {
            anchor: anchorOf(relation, pair.endpoint),
            endpoint: pair.endpoint,
            figures: `${proven} of ${all} proven`,
            groups: byState(pair.groups).map(group => ({
              because: becauseOf(group),
              cells: group.cells
                .filter(one => one !== '')
                .slice(0, mostListed)
                .join(' · '),
              more: group.cells.length > mostListed ? `${group.cells.length - mostListed} more in report.json` : '',
            })),
          };
        }),
    })),
  };
}
