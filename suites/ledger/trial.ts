import type { Cell } from './cell.ts';
import type { Moment } from './moment.ts';

/**
 * What one exchange says of a cell. `shown`: what the cell asks for was seen. `constant`: it was shown, and never anything
 * else, so that it may stand there by itself. `accepted`: nothing showed it. `refused`: the target, or for want of an
 * accepted control the ledger, does not take it as shown.
 */
export interface Trial {
  readonly result: 'shown' | 'constant' | 'accepted' | 'refused';
  /** Asked when the run is over, of what other exchanges may still show: true where it then counts as shown. */
  readonly until?: () => boolean;
}

/** What an exchange says of a cell; nothing where it is about something else. */
export type Seen = (here: Moment, cell: Cell) => readonly Trial[];

export const shown: Trial = { result: 'shown' };
export const accepted: Trial = { result: 'accepted' };
export const refused: Trial = { result: 'refused' };
export const none: readonly Trial[] = [];
