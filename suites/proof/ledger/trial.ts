import type { Cell } from '../../ledger/cell.ts';
import type { Tried } from './tried.ts';

/**
 * A request that may count for a cell. `shown`: what the cell asks for was seen. `constant`: it was shown, and never
 * anything else, so that it may stand there by itself. `accepted`: nothing showed it. `refused`: the target, or for want
 * of an accepted control the ledger, does not take it as shown.
 */
export interface Trial {
  readonly by: string;
  readonly result: 'shown' | 'constant' | 'accepted' | 'refused';
}

/** Finds, in what a run tried, what counts for a cell. */
export type Seen = (tried: Tried, cell: Cell) => Iterable<Trial>;
