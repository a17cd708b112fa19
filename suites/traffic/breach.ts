import type { RequirementId, Side } from '../../contracts/requirements/index.ts';
import type { CaseDescription, Violation } from '../protocol/check.ts';
import { violation } from '../protocol/check.ts';
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
): Breach => ({
  side: 'client',
  check: clientCheck,
  violation: violation(answer, requirement, pointer, expected, actual),
  ...(about === undefined ? {} : { about }),
});
