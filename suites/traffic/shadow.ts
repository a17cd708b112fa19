import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Tally } from './bounded.ts';
import type { Breach } from './breach.ts';
import type { KeyUse } from './client-request.ts';
import type { ObservedExchange } from './exchange.ts';
import type { SeenExchange } from './seen.ts';

/** What the shadow of the server's state tells and asks. */
export interface ShadowOptions {
  readonly isSoleWriter: boolean;
  readonly settleMs: number;
  tell(breach: Breach, seen: SeenExchange): void;
  cover(seen: SeenExchange, requirements: Iterable<RequirementId>): void;
  readonly notJudged: Tally;
}

/** The state of a server as its answers showed it, against which later answers are held. */
export interface Shadow {
  /** Takes an exchange of the API; `isBroken` says that its request breaks what is stated. */
  note(seen: SeenExchange, use: KeyUse, isBroken: boolean): void;
  /** Takes one that is none of the API's. */
  skip(exchange: ObservedExchange): void;
  /** Judges what still waits for exchanges that never came. */
  end(): void;
  readonly size: () => number;
}

/** Begins without knowing anything. */
export function createShadow(_options: ShadowOptions): Shadow {
  return { note: () => {}, skip: () => {}, end: () => {}, size: () => 0 };
}
