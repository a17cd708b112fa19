import fc from 'fast-check';
import { type Endpoint, hasDryRun } from '../../contracts/endpoint.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Unit } from '../checks/units.ts';
import { seedOf } from '../generators/index.ts';
import type { ActiveCheck, Amounts, CheckPlan } from '../protocol/check.ts';
import { caseIds, indexOfPath } from './case-ids.ts';
import { type Rank, rankCases, rankDraws } from './case-order.ts';
import type { RunConfig } from './config.ts';
import { byWorth, type Trim, untrimmed, within } from './trim.ts';

const all = Number.POSITIVE_INFINITY;

/** The size of each profile's plans. The quick and the standard profile send the best part of it, see `profileTrim`. */
// biome-ignore format: a table
export const amountsOf: Record<Profile, Amounts> = {
  quick:    { fuzz: 40,  walks: 6,  creations: 1,   races: 1 },
  standard: { fuzz: 40,  walks: 6,  creations: 9,   races: 5 },
  thorough: { fuzz: 600, walks: 12, creations: 45,  races: 12, everyNearMiss: true },
};

/**
 * Returns the amounts of a run's profile. With `--time` everything is enumerated; so too with `--path`, which may name
 * a case that only such a run sends.
 */
export const amountsFor = ({ profile, timeMs, path }: RunConfig): Amounts =>
  timeMs === undefined && path === undefined
    ? amountsOf[profile]
    : { ...amountsOf.thorough, fuzz: amountsOf[profile].fuzz };

/**
 * Returns the maximum number of random cases of one check, however much time there is. Unlimited if they leave nothing
 * behind or can be dry runs. Otherwise as in the thorough profile, because every accepted case creates something that
 * the API cannot remove.
 */
export const mostExtended = (row: Endpoint): number =>
  row.effect === 'additive' && !hasDryRun(row) ? amountsOf.thorough.fuzz : all;

/** Returns the seed of a unit's random cases: filters do not change it. */
export const seedOfUnit = (seed: number, { endpoint, check }: Pick<Unit, 'endpoint' | 'check'>): number =>
  seedOf(seed, endpoint, check.id);

/** A case to send. */
export interface UnitCase {
  readonly value: unknown;
  /** Orders the cases of a unit, whatever the concurrency. */
  readonly index: number;
  /** The `--path` that sends it again. */
  readonly path: string;
}

/** Returns the value of an arbitrary at a path; nothing if the path does not exist. */
export const valuesAt = (arbitrary: fc.Arbitrary<unknown>, seed: number, path: string): readonly unknown[] =>
  fc.sample(arbitrary, { seed, path, numRuns: 1 });

/** Decides which cases a plan has. */
interface Draw {
  readonly seed: number;
  /** The seed of the run: decides which of several similar cases come first. */
  readonly turn?: number;
  readonly token?: string;
}

/** All cases of a plan in order: their ranks, and the cases at given positions. */
interface RankedCases {
  readonly ranks: readonly Rank[];
  /** Draws no more random cases than the positions need. */
  at(positions: readonly number[]): readonly UnitCase[];
}

/** Returns the enumerated cases of a plan with their descriptions and ids. */
function enumerated(plan: CheckPlan<unknown>, token = '') {
  const { cases = [] } = plan;
  const descriptions = cases.map(value => plan.describe(value));
  return { cases, descriptions, ids: caseIds(descriptions, token) };
}

/** Returns the cases of a unit's plan with their ranks. */
export function rankedCases(
  unit: Pick<Unit, 'id' | 'check'>,
  plan: CheckPlan<unknown>,
  amounts: Amounts,
  { seed, turn = seed, token }: Draw,
): RankedCases {
  const { arbitrary, most = all } = plan;
  if (arbitrary !== undefined)
    return {
      ranks: rankDraws(unit, Math.min(amounts.fuzz, most)),
      at(positions) {
        if (positions.length === 0) return [];
        const values = fc.sample(arbitrary, { seed, numRuns: Math.max(...positions) + 1 });
        return positions.map(index => ({ value: values[index], index, path: String(index) }));
      },
    };
  const { cases, descriptions, ids } = enumerated(plan, token);
  const idAt = (index: number): string => ids[index]?.id ?? '';
  return {
    ranks: rankCases(
      unit,
      descriptions.map((description, index) => ({ id: idAt(index), description })),
      turn,
    ),
    at: positions => positions.map(index => ({ value: cases[index], index, path: idAt(index) })),
  };
}

/** Returns the case of a plan that a path names, if any. */
function caseAt(plan: CheckPlan<unknown>, path: string, { seed, token }: Draw): readonly UnitCase[] {
  if (plan.arbitrary !== undefined)
    return valuesAt(plan.arbitrary, seed, path).map(value => ({ value, index: 0, path }));
  const { cases, ids } = enumerated(plan, token);
  const index = indexOfPath(ids, path);
  return index < 0 ? [] : [{ value: cases[index], index, path: ids[index]?.id ?? '' }];
}

/**
 * Returns the cases of a plan that a run sends, or the one that a path names. Also counts the cases left out, and
 * returns the best of those.
 */
export function casesOf(
  unit: Pick<Unit, 'id' | 'check'>,
  plan: CheckPlan<unknown>,
  amounts: Amounts,
  { path, trim = untrimmed, ...draw }: Draw & { readonly path?: string | undefined; readonly trim?: Trim },
): { readonly sent: readonly UnitCase[]; readonly leftOut: number; bestLeftOut(most: number): readonly UnitCase[] } {
  if (path !== undefined) return { sent: caseAt(plan, path, draw), leftOut: 0, bestLeftOut: () => [] };
  const { ranks, at } = rankedCases(unit, plan, amounts, draw);
  const positions = within(ranks, trim);
  const isSent = new Set(positions);
  return {
    sent: at(positions),
    leftOut: ranks.length - positions.length,
    bestLeftOut: most =>
      at(
        byWorth(ranks)
          .filter(index => !isSent.has(index))
          .slice(0, most),
      ),
  };
}

/** True if a path names a random case that the profile sends only with `--time`. */
export const isExtended = (check: ActiveCheck<never>, amounts: Amounts, path: string | undefined): boolean =>
  check.draws !== undefined && path !== undefined && Number(path.split(':')[0]) >= amounts.fuzz;
