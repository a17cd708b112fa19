import { type CellGroup, type CoverageReport, type Reason, reasons } from '../../contracts/report/ledger.ts';

/** What became of the cells of one relation at one operation. */
export interface CellsOfBoth {
  readonly endpoint: string;
  readonly relation: string;
  readonly groups: readonly CellGroup[];
}

/** Every relation at every operation, in the order of the ledger. */
export const pairsOf = ({ ledger }: Pick<CoverageReport, 'ledger'>): readonly CellsOfBoth[] =>
  ledger.flatMap(({ endpoint, relations }) =>
    relations.map(({ relation, groups }) => ({ endpoint, relation, groups })),
  );

/** How many cells of one relation at one operation count, and how many of those are proven. */
export function figuresOf({ groups }: Pick<CellsOfBoth, 'groups'>): { readonly proven: number; readonly all: number } {
  const sum = (own: readonly CellGroup[]): number => own.reduce((count, { cells }) => count + cells.length, 0);
  return {
    proven: sum(groups.filter(({ state }) => state === 'proven')),
    all: sum(groups.filter(({ reason }) => reason !== 'capability')),
  };
}

/** Why a cell counts as it does: `proven by accepts#3`, `not tried (harm)`. */
export function becauseOf({ state, by, reason, line }: CellGroup): string {
  if (by !== undefined) return `${state} by ${by}`;
  return `${state}${reason === undefined ? '' : `: ${reason}`}${line === undefined ? '' : ` → ${line}`}`;
}

/** The reasons that some cells have, each in a sentence. */
export function reasonsIn(pairs: readonly CellsOfBoth[]): readonly string[] {
  const found = new Set(pairs.flatMap(({ groups }) => groups.flatMap(({ reason }) => reason ?? [])));
  return (Object.keys(reasons) as Reason[]).filter(one => found.has(one)).map(one => `${one}: ${reasons[one]}`);
}

/** What says most first: broken, not tried, not shown, then proven. */
const order: readonly CellGroup['state'][] = ['broken', 'not tried', 'not shown', 'proven'];

/** Groups of cells, those first that somebody can do something about. */
export const byState = (groups: readonly CellGroup[]): readonly CellGroup[] =>
  groups.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
