import fc from 'fast-check';
import { type Endpoint, hasDryRun } from '../../contracts/endpoint.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { ActiveCheck, Amounts, CaseDescription, CheckPlan } from '../protocol/check.ts';
import { caseIds, indexOfPath } from './case-ids.ts';
import type { RunConfig } from './config.ts';

const all = Number.POSITIVE_INFINITY;

/** How much each profile sends. */
// biome-ignore format: a table
export const amountsOf: Record<Profile, Amounts> = {
  quick:    { fuzz: 8,   enumerated: 60,  walks: 3,  creations: 1,   races: 1 },
  standard: { fuzz: 40,  enumerated: all, walks: 6,  creations: 9 ,  races: 5 },
  thorough: { fuzz: 600, enumerated: all, walks: 12, creations: all, races: 12 },
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

/** The indexes of the cases to send: all, or the most important, evenly spread over the last rank that fits in part. */
function chosen<T>(items: readonly T[], most: number, priority: (item: T) => number): readonly number[] {
  const indexes = items.map((_, index) => index);
  if (items.length <= most) return indexes;
  const taken: number[] = [];
  for (const rank of [...new Set(items.map(priority))].sort((a, b) => a - b)) {
    const alike = indexes.filter(index => priority(items[index] as T) === rank);
    const room = most - taken.length;
    const step = Math.max(1, alike.length / room);
    for (let at = 0; Math.floor(at) < alike.length && taken.length < most; at += step)
      taken.push(alike[Math.floor(at)] as number);
  }
  return taken.sort((a, b) => a - b);
}

/** The cases of a plan that so much sends, or the one that a path names. */
export function casesOf(
  plan: CheckPlan<unknown>,
  amounts: Amounts,
  { seed, path, token = '' }: { readonly seed: number; readonly path?: string | undefined; readonly token?: string },
): readonly UnitCase[] {
  if (plan.arbitrary !== undefined) {
    if (path !== undefined) return valuesAt(plan.arbitrary, seed, path).map(value => ({ value, index: 0, path }));
    const values = fc.sample(plan.arbitrary, { seed, numRuns: Math.min(amounts.fuzz, plan.most ?? all) });
    return values.map((value, index) => ({ value, index, path: String(index) }));
  }
  const cases = plan.cases ?? [];
  const priority = (one: unknown): number => plan.priority?.(one) ?? 0;
  const describe = plan.describe as (input: unknown) => CaseDescription;
  const ids = caseIds(cases.map(describe), token);
  const indexes = path === undefined ? chosen(cases, amounts.enumerated, priority) : [indexOfPath(ids, path)];
  return indexes
    .filter(index => cases[index] !== undefined)
    .map(index => ({ value: cases[index], index, path: ids[index]?.id ?? '' }));
}

/** True where a path names a random case that no run of the profile sends without time to extend. */
export const isExtended = (check: ActiveCheck<never>, amounts: Amounts, path: string | undefined): boolean =>
  check.draws !== undefined && path !== undefined && Number(path.split(':')[0]) >= amounts.fuzz;
