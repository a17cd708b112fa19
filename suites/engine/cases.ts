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

/** How much the plans of each profile hold; the quick and the standard one send the best of it, see `profileTrim`. */
// biome-ignore format: a table
export const amountsOf: Record<Profile, Amounts> = {
  quick:    { fuzz: 40,  walks: 6,  creations: 1,   races: 1 },
  standard: { fuzz: 40,  walks: 6,  creations: 9,   races: 5 },
  thorough: { fuzz: 600, walks: 12, creations: 45,  races: 12, everyNearMiss: true },
};

/**
 * How much a run sends: the amounts of its profile. A run with time to spare begins with all that can be enumerated; so
 * does a path, which may name a case that only such a run has sent.
 */
export const amountsFor = ({ profile, timeMs, path }: RunConfig): Amounts =>
  timeMs === undefined && path === undefined
    ? amountsOf[profile]
    : { ...amountsOf.thorough, fuzz: amountsOf[profile].fuzz };

/**
 * How many random cases of one check a run sends at most, however much time there is: any number where they leave
 * nothing behind, or can be sent as a dry run; elsewhere, where every accepted case creates something that the API
 * cannot take away, as many as the thorough profile.
 */
export const mostExtended = (row: Endpoint): number =>
  row.effect === 'additive' && !hasDryRun(row) ? amountsOf.thorough.fuzz : all;

/** The seed of what a unit draws: no filter changes it. */
export const seedOfUnit = (seed: number, { endpoint, check }: Pick<Unit, 'endpoint' | 'check'>): number =>
  seedOf(seed, endpoint, check.id);

/** A case that is to be sent. */
export interface UnitCase {
  readonly value: unknown;
  /** Orders the cases of a unit, whatever the concurrency. */
  readonly index: number;
  /** What `--path` takes to send it again. */
  readonly path: string;
}

/** The value of an arbitrary at a path; none where the path leads nowhere. */
export const valuesAt = (arbitrary: fc.Arbitrary<unknown>, seed: number, path: string): readonly unknown[] =>
  fc.sample(arbitrary, { seed, path, numRuns: 1 });

/** What decides which cases a plan has. */
interface Draw {
  readonly seed: number;
  /** The seed of the run: which cases of a kind come first. */
  readonly turn?: number;
  readonly token?: string;
}

/** All cases of a plan in their order: what each is worth; and those at some of their positions. */
interface RankedCases {
  readonly ranks: readonly Rank[];
  /** Random cases are drawn here, and no more of them than are asked for. */
  at(positions: readonly number[]): readonly UnitCase[];
}

/** The enumerated cases of a plan, what each is, and their ids. */
function enumerated(plan: CheckPlan<unknown>, token = '') {
  const { cases = [] } = plan;
  const descriptions = cases.map(value => plan.describe(value));
  return { cases, descriptions, ids: caseIds(descriptions, token) };
}

/** The cases of the plan of a unit, and what each is worth. */
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

/** The case of a plan that a path names, or none. */
function caseAt(plan: CheckPlan<unknown>, path: string, { seed, token }: Draw): readonly UnitCase[] {
  if (plan.arbitrary !== undefined)
    return valuesAt(plan.arbitrary, seed, path).map(value => ({ value, index: 0, path }));
  const { cases, ids } = enumerated(plan, token);
  const index = indexOfPath(ids, path);
  return index < 0 ? [] : [{ value: cases[index], index, path: ids[index]?.id ?? '' }];
}

/**
 * The cases of a plan that a run sends, or the one that a path names; how many it leaves out, and the best of those, so
 * many at most.
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

/** True where a path names a random case that no run of the profile sends without time to extend. */
export const isExtended = (check: ActiveCheck<never>, amounts: Amounts, path: string | undefined): boolean =>
  check.draws !== undefined && path !== undefined && Number(path.split(':')[0]) >= amounts.fuzz;
