import fc from 'fast-check';
import type { CheckPlan } from '../protocol/check.ts';
import type { UnitInput } from './unit-input.ts';

/** A case that is to be sent. */
export interface UnitCase {
  readonly value: unknown;
  /** Orders the cases of a unit, whatever the concurrency. */
  readonly index: number;
  /** What `--path` takes to send it again. */
  readonly path: string;
}

/** Values of an arbitrary from a path on. */
export const sampled = (arbitrary: fc.Arbitrary<unknown>, seed: number, path: string, numRuns: number): unknown[] =>
  fc.sample(arbitrary, { seed, path, numRuns });

/** The indexes of the cases to send: all, or the most important ones and of the least important of those an even spread. */
function chosen<T>(items: readonly T[], most: number, priority: (item: T) => number): readonly number[] {
  const all = items.map((_, index) => index);
  if (items.length <= most) return all;
  const taken: number[] = [];
  for (const rank of [...new Set(items.map(priority))].sort((a, b) => a - b)) {
    const alike = all.filter(index => priority(items[index] as T) === rank);
    const room = most - taken.length;
    const step = Math.max(1, alike.length / room);
    for (let at = 0; Math.floor(at) < alike.length && taken.length < most; at += step)
      taken.push(alike[Math.floor(at)] as number);
  }
  return taken.sort((a, b) => a - b);
}

/** The cases of a plan that the profile sends, or the one that a path names. */
export function casesOf(
  plan: CheckPlan<unknown>,
  { path, seed, context: { amounts } }: UnitInput,
): readonly UnitCase[] {
  if (plan.arbitrary !== undefined) {
    if (path !== undefined) {
      return sampled(plan.arbitrary, seed, path, 1).map(value => ({ value, index: 0, path }));
    }
    const values = fc.sample(plan.arbitrary, { seed, numRuns: amounts.fuzz });
    return values.map((value, index) => ({ value, index, path: String(index) }));
  }
  const cases = plan.cases ?? [];
  const priority = (one: unknown): number => plan.priority?.(one) ?? 0;
  const indexes = path === undefined ? chosen(cases, amounts.enumerated, priority) : [Number(path)];
  return indexes
    .filter(index => cases[index] !== undefined)
    .map(index => ({ value: cases[index], index, path: String(index) }));
}

/** True where a path names a random case that no run of the profile sends without time to extend. */
export const isExtended = ({ check, path, context: { amounts } }: UnitInput): boolean =>
  check.draws !== undefined && path !== undefined && Number(path.split(':')[0]) >= amounts.fuzz;
