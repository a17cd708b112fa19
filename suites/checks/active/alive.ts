import { type CheckResult, covering, unproved, type Violation } from '../../protocol/check.ts';
import { meetSameItems, type Walk, walkViolations } from './walk.ts';

/** So often a walk is made again that seemed to be wrong. */
const rounds = 3;

/** What a walk is judged with that seemed to be wrong. */
export interface SuspectedWalk {
  readonly walk: () => Promise<Walk>;
  /** Reads the whole list in another way: on one page where that works. */
  readonly whole: () => Promise<Walk>;
}

/** Why nothing is said of walks: no two readings of the list are of one moment. */
export const alive = 'the list is alive: its items, or their total, changed between readings of the whole of it';

/**
 * Judges walks over a list that others may be changing, each between two readings of the whole. Where the items changed
 * between those, the walk proves nothing. Where they stood still, it has to meet each of them once, even where the
 * total moves: three walks that do not are a violation, fewer a violation with a doubt, and so are they where the list
 * has no order from one reading to the next.
 */
export async function judgeSuspected({ walk, whole }: SuspectedWalk): Promise<CheckResult> {
  let found: readonly Violation[] = [];
  let times = 0;
  let isOrdered = true;
  let before = await whole();
  for (let round = 0; round < rounds; round += 1) {
    const walked = await walk();
    const after = await whole();
    if (walked.keys === null || after.keys === null || before.keys === null)
      return unproved('the list could not be read to its end each time');
    if (meetSameItems(before, after)) {
      const totalsStand = before.steady && after.steady && before.last?.totalItems === after.last?.totalItems;
      const wrong = walkViolations(walked, after, totalsStand);
      // One walk that met each item once shows that the others were disturbed.
      if (wrong.length === 0 && totalsStand && walked.steady)
        return covering(walked.violations, [...walked.covers, ...ofWalks]);
      if (times === 0) found = wrong;
      if (wrong.length > 0) times += 1;
      isOrdered &&= JSON.stringify(before.keys) === JSON.stringify(after.keys);
    }
    before = after;
  }
  if (times === 0) return unproved(alive);
  const doubt = !isOrdered
    ? 'the list has no order that stays from one reading to the next'
    : times < rounds
      ? 'the list changed during the other walks'
      : undefined;
  return covering(
    found.map(one => ({ ...one, seen: { times, of: rounds }, ...(doubt === undefined ? {} : { doubt }) })),
    ofWalks,
  );
}

/** The requirements of which a walk to the end shows something, beside those of its pages. */
export const ofWalks = ['pagination.complete', 'pagination.total'] as const;
