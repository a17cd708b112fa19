import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
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
import { largerProfile, noRemedy } from '../../contracts/report/remedies.ts';
import { coveragePercent } from '../../contracts/report/verdict.ts';

/** Returns true for a run without a filter that is no shard: a least coverage is about such a run. */
export const isWhole = ({ only, skip, path, shard }: RunStart['options']): boolean =>
  only.length === 0 && skip.length === 0 && path === undefined && shard === undefined;

/** What became of a cell, without which it is. */
type CellState = Omit<CellGroup, 'cells'>;

/** A cell of a ledger, with what it counts. */
export interface LedgerCell extends CellState {
  readonly endpoint: EndpointId;
  readonly relation: string;
  readonly what: string;
  readonly tenths: number;
  /** What tells it from the others of its relation: the place, and which of several. */
  readonly cell: string;
}

/** Every cell of a ledger. */
export const cellsOf = (ledger: readonly OperationCells[]): readonly LedgerCell[] =>
  ledger.flatMap(({ endpoint, relations }) =>
    relations.flatMap(({ relation, what, tenths, groups }) =>
      groups.flatMap(({ cells, ...state }) =>
        cells.map(cell => ({ endpoint, relation, what, tenths, cell, ...state })),
      ),
    ),
  );

/** How much a state says: of what several shards say of one cell, the least counts. */
const rankOf = ({ state, reason = 'capability' }: CellState): number =>
  10 * cellStates.indexOf(state) + reasonNames.indexOf(reason);

/** The cells of the journals of a run: one event of an operation as it is, those of several shards joined. */
function joined(events: readonly CellsEvent[]): readonly OperationCells[] {
  return endpointIds.flatMap(id => {
    const [first, ...others] = events.filter(({ endpoint }) => endpoint === id);
    if (first === undefined) return [];
    if (others.length === 0) return [{ endpoint: id, relations: first.relations }];
    const best = new Map<string, LedgerCell>();
    for (const one of cellsOf([first, ...others])) {
      const key = `${one.relation}\n${one.cell}`;
      const known = best.get(key);
      if (known === undefined || rankOf(one) < rankOf(known)) best.set(key, one);
    }
    const relations = [...grouped(best.values(), ({ relation }) => relation)].map(([relation, own]) => ({
      relation,
      what: own[0]?.what ?? '',
      tenths: own[0]?.tenths ?? 0,
      groups: [
        ...grouped(own, ({ state, by, reason, line }) => JSON.stringify([state, by, reason, line])).values(),
      ].map(same => {
        const { state, by, reason, line } = same[0] as LedgerCell;
        return { state, ...present({ by, reason, line }), cells: same.map(({ cell }) => cell) };
      }),
    }));
    return [{ endpoint: id, relations }];
  });
}

const weightOf = (cells: readonly LedgerCell[]): number => cells.reduce((sum, { tenths }) => sum + tenths, 0);

/** Cells that count: all but those of a capability that the target does not declare. */
export const isCounted = ({ reason }: CellState): boolean => reason !== 'capability';

/** A part of a ledger in figures; a part of which no cell counts is none. */
function shareOf(cells: readonly LedgerCell[]) {
  const proven = cells.filter(({ state }) => state === 'proven');
  return {
    percent: coveragePercent(weightOf(proven), weightOf(cells)),
    proven: proven.length,
    notShown: cells.filter(({ state }) => state === 'not shown').length,
    all: cells.length,
  };
}

/** The lines of the target file that would have more tried: the most weight first. */
function remediesOf(cells: readonly LedgerCell[], profile: RunStart['profile']): CoverageReport['remedies'] {
  const lineOf = ({ line, reason }: LedgerCell): string | undefined =>
    reason === 'budget' && profile === 'quick' ? largerProfile : line?.startsWith(noRemedy) ? undefined : line;
  return [...grouped(cells, lineOf)]
    .flatMap(([remedy, own]) => (remedy === undefined ? [] : [{ remedy, cells: own.length, weight: weightOf(own) }]))
    .sort((a, b) => b.weight - a.weight || (a.remedy < b.remedy ? -1 : 1))
    .map(({ weight: _, ...line }) => line);
}

/** Returns the coverage of a run by its cells; undefined where it counted none. */
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
