import { present } from '../../../contracts/present.ts';
import type { RequirementId, Side } from '../../../contracts/requirements/index.ts';
import { type CaseDescription, type Violation, violation } from '../../protocol/check.ts';
import type { SeenExchange } from './seen.ts';

/** A broken requirement, whose it is, and the place of the request that it is about. */
export interface Breach {
  readonly side: Side;
  /** The id of the check that found it. */
  readonly check: string;
  readonly violation: Violation;
  /** The place in the request, and what was sent there; absent: the whole of it. */
  readonly about?: Pick<CaseDescription, 'pointer' | 'sent'>;
}

/** What the specification leaves open, and a client does: a note, and no breach. */
export interface Note {
  readonly requirement: RequirementId;
  readonly subject: string;
  readonly value: string;
}

/** The id of the check that judges the requests of clients. */
export const clientCheck = 'client-requests';

/** Makes a breach of the client, at a place of its request. */
export const clientBreach = (
  { answer }: SeenExchange,
  requirement: RequirementId,
  pointer: string,
  expected: string,
  actual: string,
  about?: Breach['about'],
): Breach =>
  present({
    side: 'client' as const,
    check: clientCheck,
    violation: violation(answer, requirement, pointer, expected, actual),
    about,
  });

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
export interface Unjudged {
  readonly side: Side;
  /** The number of the exchange. */
  readonly number: number;
  readonly because: string;
}
