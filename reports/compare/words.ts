import type { CheckChange, NamedReport, RunComparison } from './compare.ts';

/** Returns the letter of a run: it keeps columns narrow however long the names of files are. */
export function letterOf(index: number): string {
  return index < 26 ? String.fromCodePoint(65 + index) : `R${index + 1}`;
}

/** Returns the target of a run, when it began, and its seed and profile. */
export function runText({ report }: NamedReport): string {
  return `${report.target.baseUrl}, ${report.startedAt}, seed ${report.seed}, ${report.profile}`;
}

/** Returns the sum of a comparison: `3 worse, 1 better …; 2 observations differ.`, or that nothing differs. */
export function sumText({ worse, better, observations }: RunComparison): string {
  if (worse.length + better.length + observations.length === 0) return 'No check and no observation differs.';
  return `${worse.length} worse, ${better.length} better (checks of the last run, against those before it); ${observations.length} observations differ.`;
}

/** Returns the verdicts of a check, run by run: `pass → fail`. */
export function courseText({ verdicts }: CheckChange): string {
  return verdicts.map(verdict => verdict ?? 'not run').join(' → ');
}
