import { type Baseline, baselineSchema } from '../contracts/report/baseline.ts';
import type { Report } from '../contracts/report/report.ts';
import { validatorFor } from '../contracts/validation.ts';
import { type BaselineLines, baselineVerdictText, judgeBaseline } from '../reports/baseline/verdict.ts';
import type { Display } from '../reports/text/page.ts';
import { parseJson, readInput, UsageError } from './input.ts';

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
  const value = parseJson(name, text);
  const [broken] = validatorFor(baselineSchema)(value);
  if (broken !== undefined) {
    const where = broken.pointer || 'the whole file';
    throw new UsageError(
      `${name}: ${where} ${broken.message}; \`console-conformance schema baseline\` prints its schema`,
    );
  }
  const baseline = value as Baseline;
  const problem = problemOf(baseline);
  if (problem !== null) throw new UsageError(`${name}: ${problem}`);
  const lines = text.split('\n');
  return { name, baseline, lineOf: check => lines.findIndex(line => line.includes(JSON.stringify(check))) + 1 };
}

/** A report with the exit code that the baseline leaves; call `show` after the reports are written. */
export interface BaselineResult {
  readonly report: Report;
  show(): void;
}

/**
 * Judges a run by a baseline, if there is one. The verdict is shown on the standard output, or on the standard error if
 * `isPage` is false: if a document is written to the standard output.
 */
export function appliedBaseline(
  file: BaselineFile | null,
  report: Report,
  display: Display & { readonly isPage: boolean },
): BaselineResult {
  if (file === null) return { report, show: () => {} };
  const today = new Date().toISOString().slice(0, 10);
  const verdict = judgeBaseline(report, file.baseline, today);
  const output = display.isPage ? process.stdout : process.stderr;
  return {
    report: { ...report, exitCode: verdict.exitCode },
    show: () => void output.write(baselineVerdictText(verdict, file, display)),
  };
}
