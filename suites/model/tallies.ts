import { entryOf } from '../protocol/entries.ts';
import type { Culprit } from './causes.ts';
import type { Tally } from './knowledge.ts';

/** Returns a tally without counts. */
export const emptyTally = (): Tally => ({ causes: new Map(), still: 0, quiet: 0 });

/** Minimum number of changes with a cause: fewer are no evidence. */
const fewest = 3;
/**
 * Minimum share of changes among the comparisons with a cause. Readings with a write between them are farther apart, so
 * that changes by others fall between them more often.
 */
const least = 0.5;
/** Maximum probability that a coincidence is chance. */
const chance = 0.001;

/** True if a field changed with a cause, and not without it, more often than chance explains. */
export function isBeyondChance({ causes, still }: Tally, cause: string): boolean {
  const own = causes.get(cause);
  if (own === undefined || own.changed < fewest || own.changed < least * own.times) return false;
  const without = still - (own.times - own.changed);
  return (own.times / (own.times + without)) ** own.changed < chance;
}

function count(tally: Tally, causes: readonly Culprit[], isChanged: boolean): void {
  for (const [index, { requirement }] of causes.entries()) {
    if (causes.findIndex(one => one.requirement === requirement) < index) continue;
    const known = entryOf(tally.causes, requirement, () => ({ times: 0, changed: 0 }));
    known.times += 1;
    if (isChanged) known.changed += 1;
  }
}

/** Counts a comparison that found a field unchanged, with the causes that might have changed it. */
export function stood(tally: Tally, causes: readonly Culprit[]): void {
  tally.still += 1;
  if (causes.length > 0) count(tally, causes, false);
  else tally.quiet += 1;
}

/** Counts a comparison that found a field changed, with the causes that might have changed it. */
export const changed = (tally: Tally, causes: readonly Culprit[]): void => count(tally, causes, true);
