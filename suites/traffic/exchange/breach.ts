import type { RequirementId, Side } from '../../../contracts/requirements/index.ts';
import type { CaseDescription, Violation } from '../../protocol/check.ts';

/** A broken requirement, and the place of the request that it is about. */
export interface Breach extends Violation {
  /** The place in the request, and what was sent there; absent: the whole of it. */
  readonly about?: Pick<CaseDescription, 'pointer' | 'sent'> | undefined;
}

/** What is broken, and which requirements could have been shown to be. */
export interface Shown {
  readonly breaches: readonly Breach[];
  readonly covers: readonly RequirementId[];
}

/** What one check, by its id, showed of an exchange. */
export interface Judgement extends Shown {
  readonly check: string;
}

/** Nothing is broken, and nothing could have been shown to be. */
export const nothing: Shown = { breaches: [], covers: [] };

/** What the specification leaves open, and a client does: a note, and no breach. */
export interface Note {
  readonly requirement: RequirementId;
  readonly subject: string;
  readonly value: string;
}

/** The id of the check that judges the requests of clients. */
export const clientCheck = 'client-requests';

/** Whom a check judges: every one but that of clients the server. */
export const sideOf = (check: string): Side => (check === clientCheck ? 'client' : 'server');

/** A breach at the moment at which it is seen, for who shows traffic as it passes. */
export interface SeenBreach {
  readonly side: Side;
  readonly requirement: string;
  readonly level: 'MUST' | 'SHOULD';
  /** The number of the exchange. */
  readonly number: number;
  /** One line: where, what was expected and what was there. Secrets are redacted; escape it where it is shown. */
  readonly text: string;
}

/** One side of an exchange that could not be judged, at the moment at which that is seen. */
export interface Unjudged extends Pick<SeenBreach, 'side' | 'number'> {
  readonly because: string;
}
