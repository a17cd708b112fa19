import type { Culprit } from './causes.ts';
import type { Tally } from './knowledge.ts';

/** Nothing is counted yet. */
export const emptyTally = (): Tally => ({ causes: new Map(), still: 0, quiet: 0 });

/** Seen less often than this, a coincidence is no evidence. */
const fewest = 3;
/**
 * Seen less often than in this part of the times that the cause was there, it may be anybody's: readings with a write
 * between them are farther apart than those without, so that what others do falls between them more often.
 */
const least = 0.5;
/** The chance that remains of a coincidence. */
const chance = 0.001;

/** Whether what changed with a cause, and not without it, is more than chance would make of changes at any time. */
export function isBeyondChance({ causes, still }: Tally, cause: string): boolean {
  const own = causes.get(cause);
  if (own === undefined || own.changed < fewest || own.changed < least * own.times) return false;
  const without = still - (own.times - own.changed);
  return (own.times / (own.times + without)) ** own.changed < chance;
}

function count(tally: Tally, causes: readonly Culprit[], isChanged: boolean): void {
  for (const [index, { requirement }] of causes.entries()) {
    if (causes.findIndex(one => one.requirement === requirement) < index) continue;
    const known = tally.causes.get(requirement) ?? { times: 0, changed: 0 };
    known.times += 1;
    if (isChanged) known.changed += 1;
    tally.causes.set(requirement, known);
  }
}

/** A field was as it should be, whatever might have changed it. */
export function stood(tally: Tally, causes: readonly Culprit[]): void {
  tally.still += 1;
  if (causes.length > 0) count(tally, causes, false);
  else tally.quiet += 1;
}

/** A field was otherwise, where these might have changed it. */
export const changed = (tally: Tally, causes: readonly Culprit[]): void => count(tally, causes, true);
