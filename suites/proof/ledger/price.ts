import { type Cell, relationOf } from '../../ledger/cells.ts';
import { companionsOf } from '../../ledger/node.ts';
import { type Relation, type RelationId, relationIds } from '../../ledger/relations.ts';

/** Groups items by a key, in the order in which the keys first occur. */
export function grouped<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/**
 * Returns the minimum number of requests for cells that share them: that of the place with the most variants. Places
 * that demand different values of one companion field cannot share.
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

/** Returns the minimum price, in requests, of cells of one relation and operation. */
export function priceOf(cells: readonly Cell[]): number {
  const [first] = cells;
  if (first === undefined) return 0;
  const { price }: Relation = relationOf(first);
  if (price === 'free') return 0;
  if (price === 'each') return cells.length;
  if (price === 'parted') return Math.ceil(Math.log2(grouped(cells, ({ node }) => node?.path ?? '').size + 1));
  return shared(cells, price === 'once');
}

/** The cells and the minimum price of a relation at one operation. */
export interface Priced {
  readonly relation: RelationId;
  readonly endpoint: string;
  readonly cells: readonly Cell[];
  readonly requests: number;
}

/** Returns the prices of cells, by relation and operation. */
export const prices = (cells: readonly Cell[]): readonly Priced[] =>
  [...grouped(cells, ({ relation, endpoint }) => `${relation} ${endpoint}`).values()]
    .flatMap(own => {
      const [first] = own;
      return first === undefined
        ? []
        : [{ relation: first.relation, endpoint: first.endpoint, cells: own, requests: priceOf(own) }];
    })
    .toSorted((one, other) => relationIds.indexOf(one.relation) - relationIds.indexOf(other.relation));

/** Returns the total weight of cells. */
export const weightOf = (cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + relationOf(cell).weight, 0);

/** Returns the greatest share of the weight that `budget` requests can fill, if the cheapest weight is bought first. */
export function fillable(priced: readonly Priced[], budget: number): number {
  let left = budget;
  let filled = 0;
  const worth = ({ cells, requests }: Priced): number => weightOf(cells) / Math.max(requests, 0.001);
  for (const one of priced.toSorted((a, b) => worth(b) - worth(a))) {
    // A price of one request for each cell can be bought in part.
    const part = one.requests === 0 ? 1 : Math.min(1, left / one.requests);
    filled += weightOf(one.cells) * part;
    left -= one.requests * part;
  }
  return filled / weightOf(priced.flatMap(({ cells }) => cells));
}
