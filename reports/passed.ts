import type { CheckReport } from '../contracts/report/report.ts';

/** How many of some checks passed, and of how many it could have been: a check that does not apply could not. */
export function passedOf(checks: readonly CheckReport[]): { readonly passed: number; readonly applicable: number } {
  return {
    passed: checks.filter(({ verdict }) => verdict === 'pass').length,
    applicable: checks.filter(({ verdict }) => verdict !== 'not-applicable').length,
  };
}
