import { compact } from '../present.ts';
import type { DifferenceLimit, DifferencePlace, DifferenceReport } from './difference.ts';
import { type ExitCondition, exitCode } from './verdict.ts';

/** How the verdict and the exit code of a comparison of two servers follow from what it found. */

/** A difference as far as it decides whether a comparison fails. */
export type Labelled = Pick<DifferencePlace, 'label' | 'level'>;

const order: readonly DifferenceLimit[] = ['must', 'open', 'any'];

/** The first limit that names a difference: a broken MUST of either side, what is open or a SHOULD, what nobody says. */
function limitOf({ label, level }: Labelled): DifferenceLimit {
  if (label === 'unsaid') return 'any';
  return label !== 'open' && level === 'MUST' ? 'must' : 'open';
}

/** Returns true where a comparison with this limit fails for a difference that nobody has acknowledged. */
export const failsAt = (difference: Labelled, limit: DifferenceLimit): boolean =>
  order.indexOf(limitOf(difference)) <= order.indexOf(limit);

/** What decides how a comparison ends. */
export interface ComparedBehaviours {
  readonly sides: readonly Pick<DifferenceReport['a'], 'outcome' | 'isRecording'>[];
  /** Requests that were set side by side. */
  readonly compared: number;
  /** A difference counts that was not acknowledged. */
  readonly differs: boolean;
  /** An entry of the acknowledged differences holds no more. */
  readonly isStale: boolean;
}

/**
 * Returns the verdict and the exit code of a comparison. What was found before a side died counts; a side that died is
 * no difference. A recording that was interrupted makes it incomplete: nobody interrupted this comparison.
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
