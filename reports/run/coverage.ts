import type { Report } from '../../contracts/report/report.ts';
import type { Group, Part, Table } from '../document/document.ts';
import { becauseOf, byState, figuresOf, pairsOf, reasonsIn } from '../text/cells-text.ts';
import { counted } from '../text/page.ts';

/** So many cells that came to the same are listed; the report has all. */
const mostListed = 40;

/** The colour of a share: from nothing to all, in six steps. */
const shareOf = (proven: number, all: number): number =>
  proven === 0 ? 0 : proven === all ? 5 : 1 + Math.floor((4 * proven) / all);

const percentText = (percent = 0): string => `${Math.floor(percent)}`;

const anchorOf = (relation: string, endpoint: string): string => `cells-${relation}-${endpoint}`;

/** Returns the picture operations × relations, and the list of cells behind each of its squares; nothing without cells. */
export function coverageParts({ coverage }: Report): Part[] {
  if (coverage === undefined) return [];
  const pairs = pairsOf(coverage);
  const endpoints = coverage.ledger.map(({ endpoint }) => endpoint);
  const columns: Table['columns'] = [
    { name: 'Tried' },
    { name: 'all', kind: 'minor' },
    ...endpoints.map(name => ({ name, kind: 'turned' as const })),
  ];
  const shares = new Map(coverage.byOperation.map(({ endpoint, percent }) => [endpoint, percentText(percent)]));
  const rows = coverage.byRelation.map(({ relation, what, percent }) => ({
    cells: [
      { text: what },
      { text: percentText(percent) },
      ...endpoints.map(endpoint => {
        const pair = pairs.find(one => one.endpoint === endpoint && one.relation === relation);
        const { proven, all } = figuresOf(pair ?? { groups: [] });
        if (all === 0) return { title: 'nothing to try' };
        return {
          href: `#${anchorOf(relation, endpoint)}`,
          share: shareOf(proven, all),
          text: percentText((100 * proven) / all),
          title: `${relation} at ${endpoint}: ${proven} of ${counted(all, 'cell')} proven`,
        };
      }),
    ],
  }));
  const groups = coverage.byRelation.map(
    ({ relation, what }): Group => ({
      title: what,
      detail: relation,
      lists: pairs
        .filter(one => one.relation === relation)
        .map(pair => {
          const { proven, all } = figuresOf(pair);
          return {
            anchor: anchorOf(relation, pair.endpoint),
            title: pair.endpoint,
            detail: `${proven} of ${all} proven`,
            pairs: byState(pair.groups).map(group => {
              const cells = group.cells.filter(one => one !== '');
              const more = cells.length > mostListed ? ` · ${cells.length - mostListed} more in report.json` : '';
              return { name: becauseOf(group), value: `${cells.slice(0, mostListed).join(' · ')}${more}` };
            }),
          };
        }),
    }),
  );
  return [
    {
      id: 'coverage',
      title: 'What was tried, and what was not',
      note: 'Each row is a thing to try, each column an operation. A number is the part, in percent, of its cells that is proven: what was sent was accepted and shown, or refused beside an accepted control. An empty place: there is nothing of the kind to try.',
      formats: ['page'],
      table: {
        columns,
        about: reasonsIn(pairs)
          .map(reason => `Not tried, ${reason}.`)
          .join(' '),
        rows: [
          { cells: [{ text: 'all' }, {}, ...endpoints.map(endpoint => ({ text: shares.get(endpoint) ?? '0' }))] },
          ...rows,
        ],
      },
      groups,
    },
  ];
}
