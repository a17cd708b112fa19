import { compact } from '../present.ts';
import type { DifferenceLimit, DifferencePlace, DifferenceReport } from './difference.ts';
import { type ExitCondition, exitCode } from './verdict.ts';

/** Derives the verdict and the exit code of a comparison of two servers from its findings. */

/** The fields of a difference that decide whether a comparison fails. */
export type Labelled = Pick<DifferencePlace, 'label' | 'level'>;

const order: readonly DifferenceLimit[] = ['must', 'open', 'any'];

/** Returns the first limit that includes a difference: a broken MUST; an open point or a SHOULD; anything unsaid. */
function limitOf({ label, level }: Labelled): DifferenceLimit {
  if (label === 'unsaid') return 'any';
  return label !== 'open' && level === 'MUST' ? 'must' : 'open';
}

/** True if an unacknowledged difference fails a comparison with this limit. */
export const failsAt = (difference: Labelled, limit: DifferenceLimit): boolean =>
  order.indexOf(limitOf(difference)) <= order.indexOf(limit);

/** The facts that decide how a comparison ends. */
export interface ComparedBehaviours {
  readonly sides: readonly Pick<DifferenceReport['a'], 'outcome' | 'isRecording'>[];
  /** Number of request pairs that were compared. */
  readonly compared: number;
  /** True if there is an unacknowledged difference that counts. */
  readonly differs: boolean;
  /** True if an acknowledged difference no longer exists. */
  readonly isStale: boolean;
}

/**
 * Returns the verdict and the exit code of a comparison. A side that died is no difference, but what was found before
 * counts. An interrupted recording makes the comparison incomplete, not interrupted.
 */
export function differenceVerdict({
  sides,
  compared,
  differs,
  isStale,
}: ComparedBehaviours): Pick<DifferenceReport, 'verdict' | 'exitCode'> {
  const live = sides.filter(({ isRecording }) => !isRecording);
  const isIncomplete = compared === 0 || sides.some(({ outcome }) => outcome !== 'complete');
  const conditions = compact<ExitCondition>([
    live.some(({ outcome }) => outcome === 'interrupted') && 'interrupted',
    live.some(({ outcome }) => outcome === 'error') && 'suite-fault',
    differs && 'non-conformant',
    isStale && 'stale-baseline',
    isIncomplete && 'incomplete',
  ]);
  return {
    verdict: differs || isStale ? 'different' : isIncomplete ? 'incomplete' : 'alike',
    exitCode: exitCode(conditions),
  };
}
