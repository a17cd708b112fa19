import { largerProfile } from '../../contracts/report/remedies.ts';
import { leastWorth, type Rank } from './case-order.ts';
import type { RunConfig } from './config.ts';

/** Selects which cases of its plan a run sends. */
export interface Trim {
  /** Minimum worth of a case that is sent. */
  readonly least: number;
  /** True if the best case of each unit is sent, whatever its worth, so that no unit is left untested. */
  readonly keepsOne: boolean;
  /** Why a case is not sent, in words. */
  readonly because: string;
  /** The option that would send it. */
  readonly remedy: string;
}

/** Sends every case. */
export const untrimmed: Trim = { least: 0, keepsOne: true, because: '', remedy: '' };

/** Returns the trim of a run's profile; nothing is left out with `--path` or `--time`. */
export function profileTrim({ profile, path, timeMs }: Pick<RunConfig, 'profile' | 'path' | 'timeMs'>): Trim {
  const least = leastWorth[profile];
  if (least === undefined || path !== undefined || timeMs !== undefined) return untrimmed;
  return { least, keepsOne: true, because: `beyond the ${profile} profile`, remedy: largerProfile };
}

/** Returns the positions of the cases of a unit that are sent, in order. */
export function within(ranks: readonly Rank[], { least, keepsOne }: Trim): number[] {
  const sent = ranks.flatMap(({ worth }, index) => (worth >= least ? [index] : []));
  return sent.length > 0 || !keepsOne ? sent : byWorth(ranks).slice(0, 1);
}

/** Returns the positions of cases, by descending worth. */
export function byWorth(ranks: readonly Rank[]): number[] {
  const worth = (index: number): number => ranks[index]?.worth ?? 0;
  return [...ranks.keys()].sort((a, b) => worth(b) - worth(a) || a - b);
}

/** The ranked cases of several units. */
type RankedUnits = readonly { readonly ranks: readonly Rank[] }[];

const costOf = (units: RankedUnits, trim: Trim): number =>
  units.reduce((sum, { ranks }) => within(ranks, trim).reduce((own, index) => own + (ranks[index]?.cost ?? 1), sum), 0);

/** Upper bound on the share of a small budget spent on sampling every unit once. */
const shareOfOnes = 0.5;

/**
 * Trims further until the cases cost at most `budget` requests: keeps the best, and one of each unit if that leaves
 * enough for others.
 */
export function trimToFit(
  units: RankedUnits,
  trim: Trim,
  budget: number,
  words: Pick<Trim, 'because' | 'remedy'>,
): Trim {
  if (costOf(units, trim) <= budget) return trim;
  const none = { ...words, least: Number.POSITIVE_INFINITY };
  const keepsOne = trim.keepsOne && costOf(units, { ...none, keepsOne: true }) <= shareOfOnes * budget;
  const worths = units.flatMap(({ ranks }) => ranks.map(({ worth }) => worth)).filter(worth => worth >= trim.least);
  const steps = [...new Set(worths)].sort((a, b) => b - a);
  // Each step down sends more, so binary search finds the last one that fits.
  let fits = -1;
  for (let low = 0, high = steps.length - 1; low <= high; ) {
    const middle = Math.floor((low + high) / 2);
    if (costOf(units, { ...none, keepsOne, least: steps[middle] as number }) <= budget) {
      fits = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return { ...none, keepsOne, least: steps[fits] ?? Number.POSITIVE_INFINITY };
}
