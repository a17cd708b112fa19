import { type Endpoint, hasDryRun } from '../../contracts/endpoint.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Amounts } from '../protocol/check.ts';

const all = Number.POSITIVE_INFINITY;

/** How much each profile sends. */
// biome-ignore format: a table
export const amountsOf: Record<Profile, Amounts> = {
  quick:    { fuzz: 8,   enumerated: 60,  walks: 3 },
  standard: { fuzz: 40,  enumerated: all, walks: 6 },
  thorough: { fuzz: 600, enumerated: all, walks: 12 },
};

/** The random cases of a profile, and all that can be enumerated: what a run with time to spare begins with, and a path may name. */
export const wholeAmountsOf = (profile: Profile): Amounts => ({
  ...amountsOf.thorough,
  fuzz: amountsOf[profile].fuzz,
});

/**
 * How many random cases of one check a run sends at most, however much time there is: no end where they leave nothing behind, or can be sent as a dry run; elsewhere,
 * where every accepted case creates something that the API cannot take away, as many as the thorough profile.
 */
export const mostExtended = (row: Endpoint): number =>
  row.effect === 'additive' && !hasDryRun(row) ? amountsOf.thorough.fuzz : all;
