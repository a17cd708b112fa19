import { isDeepStrictEqual } from 'node:util';
import { present } from '../../../contracts/present.ts';
import { type CheckResult, covering, unproved, type Violation, violation } from '../../protocol/check.ts';
import { meetSameItems, type Walk, walkViolations } from './walk.ts';

/** Number of walks that are judged where each goes wrong alike, or where the list changed between whole readings. */
const usual = 3;
/** Number of walks where each goes wrong otherwise, as by chance, or as others change the list for a moment. */
const most = 9;

/** The readings with which a suspicious walk is judged. */
export interface SuspectedWalk {
  readonly walk: () => Promise<Walk>;
  /** Reads the whole list in another way: on one page if possible. */
  readonly whole: () => Promise<Walk>;
}

/** The reason why walks prove nothing: no two readings show the list at one moment. */
export const alive = 'the list is alive: its items, or their total, changed between readings of the whole of it';

/**
 * Judges the totals of a walk whose pages do not agree, against the total that every whole reading around it stated. A
 * total that moved meanwhile would move otherwise in each walk.
 */
function totalsApart({ totals, steady, last }: Walk, total: number | undefined): readonly Violation[] {
  if (steady || last === null || total === undefined) return [];
  const expected = `${total} on each page, as when the whole list is read`;
  return [
    violation(last.answer, 'pagination.total', '/pagination/totalItems', expected, `${totals.join(', ')} on its pages`),
  ];
}

const told = ({ requirement, actual }: Violation) => [requirement, actual];

/**
 * Judges walks over a list that others may be changing, each between readings of the whole list. If the items changed
 * between those readings, the walk proves nothing. Otherwise it must meet each item once, even if the total moves.
 * Three bad walks are a violation, with a doubt if the list has no stable order. What others add and remove between two
 * pages stands in no reading of the whole, but its walks go wrong otherwise each time: then walks are repeated until one
 * is good, or the list is seen to change, or there have been too many of them for that.
 */
export async function judgeSuspected({ walk, whole }: SuspectedWalk): Promise<CheckResult> {
  let found: readonly Violation[] = [];
  let times = 0;
  let isOrdered = true;
  let isAlike = true;
  let round = 0;
  while (round < usual || (round < most && times === round && !isAlike)) {
    round += 1;
    // Vary the number of readings, so that periodic changes do not keep step with the walks.
    const befores: Walk[] = [];
    while (befores.length <= round) befores.push(await whole());
    const walked = await walk();
    const after = await whole();
    if ([...befores, walked, after].some(({ keys }) => keys === null))
      return unproved('the list could not be read to its end each time');
    const before = befores[0] as Walk;
    if (befores.every(one => meetSameItems(one, after))) {
      const totalsStand = [...befores, after].every(
        ({ steady, last }) => steady && last?.totalItems === before.last?.totalItems,
      );
      const apart = totalsStand ? totalsApart(walked, before.last?.totalItems) : [];
      const wrong = [...walkViolations(walked, after, totalsStand), ...apart];
      // One walk that met each item once shows that the others were disturbed.
      if (wrong.length === 0 && totalsStand && walked.steady)
        return covering(walked.violations, [...walked.covers, ...ofWalks]);
      if (times === 0) found = wrong;
      if (wrong.length > 0) times += 1;
      isAlike &&= isDeepStrictEqual(wrong.map(told), found.map(told));
      isOrdered &&= befores.every(({ keys }) => JSON.stringify(keys) === JSON.stringify(after.keys));
    }
  }
  if (times < round) return unproved(alive);
  const doubt = isOrdered ? undefined : 'the list has no order that stays from one reading to the next';
  return covering(
    found.map(one => ({ ...one, seen: { times, of: round }, ...present({ doubt }) })),
    ofWalks,
  );
}

/** The requirements that only a walk to the end can show, beyond those of its pages. */
export const ofWalks = ['pagination.complete', 'pagination.total'] as const;
