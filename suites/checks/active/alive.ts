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
 * Judges walks over a list that others may be changing, each between readings of the whole. Where the items changed
 * between those, walks prove nothing. Where they stood still, a walk has to meet each of them once, even where the total
 * moves: three walks in a row that do not are a violation, with a doubt where the list has no order that stays.
 */
export async function judgeSuspected({ walk, whole }: SuspectedWalk): Promise<CheckResult> {
  let found: readonly Violation[] = [];
  let times = 0;
  let isOrdered = true;
  for (let round = 0; round < rounds; round += 1) {
    // Each time another number of readings: what comes and goes at equal distances is not to keep step with the walks.
    const befores: Walk[] = [];
    while (befores.length < round + 2) befores.push(await whole());
    const walked = await walk();
    const after = await whole();
    if ([...befores, walked, after].some(({ keys }) => keys === null))
      return unproved('the list could not be read to its end each time');
    const before = befores[0] as Walk;
    if (befores.every(one => meetSameItems(one, after))) {
      const totalsStand = [...befores, after].every(
        ({ steady, last }) => steady && last?.totalItems === before.last?.totalItems,
      );
      const wrong = walkViolations(walked, after, totalsStand);
      // One walk that met each item once shows that the others were disturbed.
      if (wrong.length === 0 && totalsStand && walked.steady)
        return covering(walked.violations, [...walked.covers, ...ofWalks]);
      if (times === 0) found = wrong;
      if (wrong.length > 0) times += 1;
      isOrdered &&= befores.every(({ keys }) => JSON.stringify(keys) === JSON.stringify(after.keys));
    }
  }
  if (times < rounds) return unproved(alive);
  const doubt = isOrdered ? undefined : 'the list has no order that stays from one reading to the next';
  return covering(
    found.map(one => ({ ...one, seen: { times, of: rounds }, ...(doubt === undefined ? {} : { doubt }) })),
    ofWalks,
  );
}

/** The requirements of which a walk to the end shows something, beside those of its pages. */
export const ofWalks = ['pagination.complete', 'pagination.total'] as const;
