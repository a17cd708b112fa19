import type { Resource } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Asked } from './exchange.ts';

/**
 * What would explain an answer without a fault: a reading that is `behind` what was written (`lag`), a value that nobody
 * of ours sent (`others`), a field that moves by itself (`moves`), or that what is shown may be anything (`unknown`).
 */
export type Excuse = 'lag' | 'others' | 'moves' | 'unknown';

/**
 * In which way an answer is otherwise than known: a sent value is not shown (`lost`), a field that nobody sent changed
 * (`changed`), what a write without effect carried is shown (`trace`), it is shown as another entity (`swapped`), two
 * readings differ between which nothing was written (`disagree`), an entity is missing from a list (`missing`) or shows
 * up where it must not be (`present`), or one that was made or sent once is shown several times (`repeated`).
 */
export type SuspicionKind = 'lost' | 'changed' | 'trace' | 'swapped' | 'disagree' | 'missing' | 'present' | 'repeated';

/** An answer that shows an entity otherwise than it is known. */
export interface Suspicion {
  readonly kind: SuspicionKind;
  readonly resource: Resource;
  readonly id: string;
  readonly field: string;
  /** The operation whose answer shows it. */
  readonly endpoint: EndpointId;
  /** JSON Pointer into the answer. */
  readonly pointer: string;
  /** The values that might have been shown, the latest at the end; and the one that was. */
  readonly expected: readonly unknown[];
  readonly got: unknown;
  /** What set the expected value where no request carried it: a stated default, or the operation itself. Absent: it was sent. */
  readonly setBy?: 'default' | 'disable';
  /** What any of the culprits would break, the most likely first. Where there are several, investigation parts them. */
  readonly requirements: readonly RequirementId[];
  /** The numbers of the exchanges that may have caused it, of the last that showed what is known, and of this one. */
  readonly culprits: readonly number[];
  /** The numbers of what was under way beside the likeliest culprit, and may have had a part in it. */
  readonly beside: readonly number[];
  /** What each of the culprits would break by itself; absent where all would break the same. */
  readonly breaks?: readonly RequirementId[];
  /** The number of the exchange that last showed it as expected; undefined: none has. */
  readonly known: number | undefined;
  readonly shown: number;
  /** The field stood still before, where nothing was tried: it does not move by itself. */
  readonly hasStood: boolean;
  /** Innocent causes; none is left of a firm one. */
  readonly excuses: Set<Excuse>;
  /** How far the reading would have been behind, in milliseconds, if that is what explains it; else undefined. */
  behindMs: number | undefined;
  /** A later answer explained it. */
  isExplained: boolean;
  /**
   * Where no excuse is left, why nobody else can have done it: what we wrote over came back between showings of what we
   * wrote (`return`); or a name that we made up is listed, or is not, or one entity took on what we made up and wrote to
   * others alone (`mark`).
   */
  certainBy: 'return' | 'mark' | undefined;
}

/** A suspicion of an answer as a whole. */
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

/** True of a suspicion that no innocent cause explains. */
export const isFirm = ({ excuses, isExplained }: Suspicion): boolean => excuses.size === 0 && !isExplained;
