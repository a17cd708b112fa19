import type { Resource } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Asked } from './exchange.ts';

/**
 * An innocent cause of an answer: a stale reading (`lag`), a value that others wrote (`others`), a field that moves by
 * itself (`moves`), or a value that may be anything (`unknown`).
 */
export type Excuse = 'lag' | 'others' | 'moves' | 'unknown';

/**
 * How an answer differs from what is known.
 * - `lost`: a sent value is not shown.
 * - `changed`: a field that nobody sent has changed.
 * - `trace`: a value is shown that a write without effect carried.
 * - `swapped`: another entity is shown.
 * - `disagree`: two readings differ although nothing was written between them.
 * - `missing`: an entity is missing from a list.
 * - `present`: an entity shows up where it must not.
 * - `repeated`: something made or sent once is shown several times.
 */
export type SuspicionKind = 'lost' | 'changed' | 'trace' | 'swapped' | 'disagree' | 'missing' | 'present' | 'repeated';

/** An answer that differs from what is known of an entity. */
export interface Suspicion {
  readonly kind: SuspicionKind;
  readonly resource: Resource;
  readonly id: string;
  readonly field: string;
  /** The operation whose answer shows it. */
  readonly endpoint: EndpointId;
  /** JSON Pointer into the answer. */
  readonly pointer: string;
  /** The values that would have been right, the latest last; `got` was shown. */
  readonly expected: readonly unknown[];
  readonly got: unknown;
  /**
   * Source of an expected value that no request carried: a stated default, the operation itself, or the answer to it.
   * Absent: it was sent.
   */
  readonly setBy?: 'default' | 'disable' | 'answer';
  /** The item that a list has lost, if several requests together show that. */
  readonly lacks?: string;
  /** The requirements that the culprits would break, the likeliest first. Investigation decides between several. */
  readonly requirements: readonly RequirementId[];
  /** The numbers of the exchanges that may have caused it. */
  readonly culprits: readonly number[];
  /** The numbers of the requests in flight beside the likeliest culprit, which may have had a part in it. */
  readonly beside: readonly number[];
  /** The requirement that each culprit would break by itself; absent if all would break the same. */
  readonly breaks?: readonly RequirementId[];
  /** The number of the exchange that last showed the expected value; undefined: none has. `shown` is this one. */
  readonly known: number | undefined;
  readonly shown: number;
  /** The field stood still before while nothing was tried, so it does not move by itself. */
  readonly hasStood: boolean;
  /** The innocent causes that are left; a firm suspicion has none. */
  readonly excuses: Set<Excuse>;
  /** How stale the reading would be if lag explains it, in milliseconds; else undefined. */
  behindMs: number | undefined;
  /** A later answer explained it. */
  isExplained: boolean;
  /**
   * Why nobody else can have caused a suspicion without excuses.
   * - `return`: a value that we had overwritten came back between two showings of what we wrote.
   * - `mark`: a name that we made up is wrongly listed or missing, or an entity shows a text that we wrote to others
   *   alone.
   */
  certainBy: 'return' | 'mark' | undefined;
}

/** Creates a suspicion of an answer as a whole. */
export const suspect = (kind: SuspicionKind, asked: Asked, id: string, more: Partial<Suspicion>): Suspicion => ({
  kind,
  resource: asked.row.resource,
  id,
  field: '',
  endpoint: asked.endpoint,
  pointer: '/data',
  expected: [],
  got: undefined,
  requirements: [],
  culprits: [],
  beside: [],
  known: undefined,
  hasStood: false,
  shown: asked.number,
  excuses: new Set<Excuse>(),
  isExplained: false,
  certainBy: undefined,
  behindMs: undefined,
  ...more,
});

/** True if no innocent cause explains the suspicion. */
export const isFirm = ({ excuses, isExplained }: Suspicion): boolean => excuses.size === 0 && !isExplained;
