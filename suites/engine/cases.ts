import fc from 'fast-check';
import { type Endpoint, hasDryRun } from '../../contracts/endpoint.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Unit } from '../checks/units.ts';
import { seedOf } from '../generators/index.ts';
import type { ActiveCheck, Amounts, CaseDescription, CheckPlan } from '../protocol/check.ts';
import { caseIds, indexOfPath } from './case-ids.ts';
import { type Rank, rankCases, rankDraws } from './case-order.ts';
import type { RunConfig } from './config.ts';
import { type Trim, untrimmed, within } from './trim.ts';

const all = Number.POSITIVE_INFINITY;

/** How much the plans of each profile hold; the quick and the standard one send the best of it, see `profileTrim`. */
// biome-ignore format: a table
export const amountsOf: Record<Profile, Amounts> = {
  quick:    { fuzz: 40,  walks: 6,  creations: 1,   races: 1 },
  standard: { fuzz: 40,  walks: 6,  creations: 9,   races: 5 },
  thorough: { fuzz: 600, walks: 12, creations: all, races: 12 },
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

/** A case, and what it is worth. */
export interface RankedCase extends UnitCase, Rank {}

const ranked = (value: unknown, index: number, path: string, { worth, cost }: Rank): RankedCase => ({
  value,
  index,
  path,
  worth,
  cost,
});

/** What decides which cases a plan has. */
interface Draw {
  readonly seed: number;
  /** The seed of the run: which cases of a kind come first. */
  readonly turn?: number;
  readonly token?: string;
}

/** All cases of the plan of a unit, in their order, each with what it is worth. */
export function rankedCases(
  unit: Pick<Unit, 'id' | 'check'>,
  plan: CheckPlan<unknown>,
  amounts: Amounts,
  { seed, turn = seed, token = '' }: Draw,
): readonly RankedCase[] {
  if (plan.arbitrary !== undefined) {
    const values = fc.sample(plan.arbitrary, { seed, numRuns: Math.min(amounts.fuzz, plan.most ?? all) });
    const ranks = rankDraws(unit, values.length);
    return values.map((value, index) => ranked(value, index, String(index), ranks[index] as Rank));
  }
  const cases = plan.cases ?? [];
  const descriptions = cases.map(plan.describe as (input: unknown) => CaseDescription);
  const ids = caseIds(descriptions, token).map(({ id }) => id);
  const known = descriptions.map((description, index) => ({ id: ids[index] as string, description }));
  const ranks = rankCases(unit, known, turn);
  return cases.map((value, index) => ranked(value, index, ids[index] as string, ranks[index] as Rank));
}

/** The case of a plan that a path names, or none. */
function caseAt(plan: CheckPlan<unknown>, path: string, { seed, token = '' }: Draw): readonly UnitCase[] {
  if (plan.arbitrary !== undefined)
    return valuesAt(plan.arbitrary, seed, path).map(value => ({ value, index: 0, path }));
  const cases = plan.cases ?? [];
  const ids = caseIds(cases.map(plan.describe as (input: unknown) => CaseDescription), token);
  const index = indexOfPath(ids, path);
  return index < 0 ? [] : [{ value: cases[index], index, path: ids[index]?.id ?? '' }];
}

/** The cases of a plan that a run sends, or the one that a path names; and those that it leaves out, best first. */
export function casesOf(
  unit: Pick<Unit, 'id' | 'check'>,
  plan: CheckPlan<unknown>,
  amounts: Amounts,
  { path, trim = untrimmed, ...draw }: Draw & { readonly path?: string | undefined; readonly trim?: Trim },
): { readonly sent: readonly UnitCase[]; readonly leftOut: readonly UnitCase[] } {
  if (path !== undefined) return { sent: caseAt(plan, path, draw), leftOut: [] };
  const cases = rankedCases(unit, plan, amounts, draw);
  const positions = new Set(within(cases, trim));
  return {
    sent: cases.filter(({ index }) => positions.has(index)),
    leftOut: cases.filter(({ index }) => !positions.has(index)).sort((a, b) => b.worth - a.worth || a.index - b.index),
  };
}

/** True where a path names a random case that no run of the profile sends without time to extend. */
export const isExtended = (check: ActiveCheck<never>, amounts: Amounts, path: string | undefined): boolean =>
  check.draws !== undefined && path !== undefined && Number(path.split(':')[0]) >= amounts.fuzz;
