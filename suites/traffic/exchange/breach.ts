import type { RequirementId, Side } from '../../../contracts/requirements/index.ts';
import type { CaseDescription, Violation } from '../../protocol/check.ts';

/** A broken requirement, and the place in the request that it is about. */
export interface Breach extends Violation {
  /** The place in the request and the value sent there; absent: the whole request. */
  readonly about?: Pick<CaseDescription, 'pointer' | 'sent'> | undefined;
}

/** The requirements that an exchange broke, and those that it exercised. */
export interface Judged {
  readonly breaches: readonly Breach[];
  readonly covers: readonly RequirementId[];
}

/** The breaches and covered requirements of one check; `check` is its id. */
export interface Judgement extends Judged {
  readonly check: string;
}

/** No breach, and no requirement exercised. */
export const nothing: Judged = { breaches: [], covers: [] };

/** A note, not a breach, on how a client uses what the specification leaves open. */
export interface Note {
  readonly requirement: RequirementId;
  readonly subject: string;
  readonly value: string;
}

/** The id of the check that judges the requests of clients. */
export const clientCheck = 'client-requests';

/** Returns the side that a check judges: the client for its own check, otherwise the server. */
export const sideOf = (check: string): Side => (check === clientCheck ? 'client' : 'server');

/** A breach, reported at once for live output. */
export interface SeenBreach {
  readonly side: Side;
  readonly requirement: string;
  readonly level: 'MUST' | 'SHOULD';
  /** The number of the exchange. */
  readonly number: number;
  /** One line: place, expected, actual. Secrets are redacted; escape it before display. */
  readonly text: string;
}

/** One side of an exchange that could not be judged, reported at once. */
export interface Unjudged extends Pick<SeenBreach, 'side' | 'number'> {
  readonly because: string;
}
