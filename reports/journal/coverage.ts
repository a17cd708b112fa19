import { endpointIds } from '../../contracts/endpoints.ts';
import { alike, grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type { RunStart } from '../../contracts/report/journal.ts';
import {
  type CellGroup,
  type CellsEvent,
  type CoverageReport,
  cellStates,
  type OperationCells,
  type Reason,
  reasonNames,
} from '../../contracts/report/ledger.ts';
import { isRemedy, largerProfile } from '../../contracts/report/remedies.ts';
import { coveragePercent } from '../../contracts/report/verdict.ts';

/** Returns true for a whole run: no filter and no shard. A minimum coverage applies only to such a run. */
export const isWhole = ({ only, skip, path, shard }: RunStart['options']): boolean =>
  only.length === 0 && skip.length === 0 && path === undefined && !shard;

/** The state of a cell, without its name. */
type CellState = Omit<CellGroup, 'cells'>;

/** Every cell of a ledger with its weight; `cell` names it within the relation: the place, and which one of several. */
export const cellsOf = (ledger: readonly OperationCells[]) =>
  ledger.flatMap(({ endpoint, relations }) =>
    relations.flatMap(({ relation, what, tenths, groups }) =>
      groups.flatMap(({ cells, ...state }) =>
        cells.map(cell => ({ endpoint, relation, what, tenths, cell, ...state })),
      ),
    ),
  );

/** A cell of a ledger, with its weight. */
export type LedgerCell = ReturnType<typeof cellsOf>[number];

/** Ranks a state, the most telling first. If shards disagree on a cell, the lowest rank counts. */
const rankOf = ({ state, reason = 'capability' }: CellState): number =>
  10 * cellStates.indexOf(state) + reasonNames.indexOf(reason);

/**
 * Returns the cells of a run's journals. A single event of an operation is kept as it is; those of several shards are
 * merged.
 */
function joined(events: readonly CellsEvent[]): readonly OperationCells[] {
  return endpointIds.flatMap(id => {
    const [first, ...others] = events.filter(({ endpoint }) => endpoint === id);
    if (!first) return [];
    if (others.length === 0) return [{ endpoint: id, relations: first.relations }];
    const told = alike(cellsOf([first, ...others]), ({ relation, cell }) => [relation, cell]);
    const best = told.flatMap(own => own.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 1));
    const relations = [...grouped(best, ({ relation }) => relation)].map(([relation, own]) => ({
      relation,
      what: own[0]?.what ?? '',
      tenths: own[0]?.tenths ?? 0,
      groups: alike(own, ({ state, by, reason, line }) => [state, by, reason, line]).map(same => {
        const [{ state, by, reason, line }] = same;
        return { state, ...present({ by, reason, line }), cells: same.map(({ cell }) => cell) };
      }),
    }));
    return [{ endpoint: id, relations }];
  });
}

const weightOf = (cells: readonly LedgerCell[]): number => cells.reduce((sum, { tenths }) => sum + tenths, 0);

/** True unless the cell belongs to a capability that the target does not declare. */
export const isCounted = ({ reason }: CellState): boolean => reason !== 'capability';

/** Returns the figures of a part of a ledger. */
function shareOf(cells: readonly LedgerCell[]) {
  const proven = cells.filter(({ state }) => state === 'proven');
  return {
    percent: coveragePercent(weightOf(proven), weightOf(cells)),
    proven: proven.length,
    notShown: cells.filter(({ state }) => state === 'not shown').length,
    all: cells.length,
  };
}

/** Returns the lines of the target file that would have more tried, the greatest weight first. */
function remediesOf(cells: readonly LedgerCell[], profile: RunStart['profile']): CoverageReport['remedies'] {
  const lineOf = ({ line, reason }: LedgerCell) => (reason === 'budget' && profile === 'quick' ? largerProfile : line);
  return [...grouped(cells, lineOf)]
    .flatMap(([remedy, own]) => (isRemedy(remedy) ? [{ remedy, cells: own.length, weight: weightOf(own) }] : []))
    .sort((a, b) => b.weight - a.weight || (a.remedy < b.remedy ? -1 : 1))
    .map(({ weight: _, ...line }) => line);
}

/** Returns the coverage of a run by its cells; undefined if none counts. */
export function coverageOf(
  events: readonly CellsEvent[],
  { options, profile }: Pick<RunStart, 'options' | 'profile'>,
): CoverageReport | undefined {
  const ledger = joined(events);
  const every = cellsOf(ledger);
  const cells = every.filter(isCounted);
  if (cells.length === 0) return undefined;
  const isPart = !isWhole(options);
  const of = (state: LedgerCell['state']) => cells.filter(one => one.state === state);
  const countOf = (reason: Reason): number => every.filter(one => one.reason === reason).length;
  return {
    ...shareOf(cells),
    broken: of('broken').length,
    notTried: Object.fromEntries(reasonNames.map(one => [one, countOf(one)])) as CoverageReport['notTried'],
    tenths: { proven: weightOf(of('proven')), all: weightOf(cells) },
    ...(options.minCoverage === undefined || isPart ? {} : { min: options.minCoverage }),
    ...(isPart ? { partial: true as const } : {}),
    remedies: remediesOf(cells, profile),
    byOperation: [...grouped(cells, ({ endpoint }) => endpoint)].map(([endpoint, own]) => ({
      endpoint,
      ...shareOf(own),
    })),
    byRelation: [...grouped(cells, ({ relation }) => relation)].map(([relation, own]) => ({
      relation,
      what: own[0]?.what ?? '',
      ...shareOf(own),
    })),
    ledger: [...ledger],
  };
}
