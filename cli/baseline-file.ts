import { type Baseline, baselineSchema } from '../contracts/report/baseline.ts';
import type { Report } from '../contracts/report/report.ts';
import { type BaselineLines, baselineVerdictText, judgeBaseline } from '../reports/baseline/verdict.ts';
import type { Display } from '../reports/text/page.ts';
import { readInput, UsageError } from './input.ts';
import { parseValid } from './target-file.ts';

/** A baseline that was read, and the line on which each entry stands. */
export interface BaselineFile extends BaselineLines {
  readonly baseline: Baseline;
}

const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** Returns what is wrong with a baseline that its schema cannot express; null if nothing is. */
function problemOf({ known }: Baseline): string | null {
  const seen = new Set<string>();
  for (const { check, expires, reason } of known) {
    if (seen.has(check)) return `has two entries for ${check}`;
    if (expires !== undefined && !isDay(expires))
      return `${check}: ${JSON.stringify(expires)} is no day; write YYYY-MM-DD`;
    if (reason.trim() === '') return `${check} has no reason`;
    seen.add(check);
  }
  return null;
}

/** Reads a baseline. Throws a `UsageError` that names the file and what is wrong with it. */
export function readBaseline(name: string): BaselineFile {
  const text = readInput(name, 'baseline');
  const baseline = parseValid<Baseline>(name, text, baselineSchema, 'baseline');
  const problem = problemOf(baseline);
  if (problem !== null) throw new UsageError(`${name}: ${problem}`);
  const lines = text.split('\n');
  return { name, baseline, lineOf: check => lines.findIndex(line => line.includes(JSON.stringify(check))) + 1 };
}

/**
 * Judges a run by a baseline. Returns the report with the exit code that the baseline leaves, and the verdict as a text
 * for the display.
 */
export function appliedBaseline(file: BaselineFile, report: Report, display: Display): [report: Report, text: string] {
  const today = new Date().toISOString().slice(0, 10);
  const verdict = judgeBaseline(report, file.baseline, today);
  return [{ ...report, exitCode: verdict.exitCode }, baselineVerdictText(verdict, file, display)];
}
