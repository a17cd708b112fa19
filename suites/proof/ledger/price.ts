import { type Cell, relationOf } from '../../ledger/cells.ts';
import { companionsOf } from '../../ledger/node.ts';
import { type Relation, type RelationId, relationIds } from '../../ledger/relations.ts';

/** Groups things by a key, in the order in which the keys come. */
export function grouped<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/**
 * How many requests cells need at least that share them: as many as the place with most variants, but places that demand
 * different values of one field beside them cannot share.
 */
function shared(cells: readonly Cell[], isOnce: boolean): number {
  const most = new Map<string, number>();
  for (const [, own] of grouped(cells, ({ node }) => node?.path ?? '')) {
    const [first] = own;
    const [beside = ''] = first?.node === null || first === undefined ? [] : companionsOf(first.node);
    most.set(beside, Math.max(most.get(beside) ?? 0, isOnce ? 1 : own.length));
  }
  const sums = [...grouped([...most], ([beside]) => beside.split('=')[0] ?? '')].map(([, values]) =>
    values.reduce((sum, [, count]) => sum + count, 0),
  );
  return Math.max(0, ...sums);
}

/** The cheapest price, in requests, of cells of one relation and one operation. */
export function priceOf(cells: readonly Cell[]): number {
  const [first] = cells;
  if (first === undefined) return 0;
  const { price }: Relation = relationOf(first);
  if (price === 'free') return 0;
  if (price === 'each') return cells.length;
  if (price === 'parted') return Math.ceil(Math.log2(grouped(cells, ({ node }) => node?.path ?? '').size + 1));
  return shared(cells, price === 'once');
}

/** The cells and the cheapest price of a relation at one operation. */
export interface Priced {
  readonly relation: RelationId;
  readonly endpoint: string;
  readonly cells: readonly Cell[];
  readonly requests: number;
}

/** The prices of some cells, by relation and operation. */
export const prices = (cells: readonly Cell[]): readonly Priced[] =>
  [...grouped(cells, ({ relation, endpoint }) => `${relation} ${endpoint}`).values()]
    .flatMap(own => {
      const [first] = own;
      return first === undefined
        ? []
        : [{ relation: first.relation, endpoint: first.endpoint, cells: own, requests: priceOf(own) }];
    })
    .toSorted((one, other) => relationIds.indexOf(one.relation) - relationIds.indexOf(other.relation));

/** What a cell is worth. */
export const weightOf = (cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + relationOf(cell).weight, 0);

/** What so many requests can fill at most, in parts of the weight, when the cheapest weight is bought first. */
export function fillable(priced: readonly Priced[], budget: number): number {
  let left = budget;
  let filled = 0;
  const worth = ({ cells, requests }: Priced): number => weightOf(cells) / Math.max(requests, 0.001);
  for (const one of priced.toSorted((a, b) => worth(b) - worth(a))) {
    // What costs a request for each cell can be bought in part.
    const part = one.requests === 0 ? 1 : Math.min(1, left / one.requests);
    filled += weightOf(one.cells) * part;
    left -= one.requests * part;
  }
  return filled / weightOf(priced.flatMap(({ cells }) => cells));
}
