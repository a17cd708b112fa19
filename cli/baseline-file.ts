import { existsSync, readFileSync } from 'node:fs';
import { type Baseline, baselineSchema } from '../contracts/report/baseline.ts';
import type { Report } from '../contracts/report/report.ts';
import { validatorFor } from '../contracts/validation.ts';
import { gateOf } from '../reports/baseline/baseline.ts';
import { gateText } from '../reports/baseline/baseline-text.ts';
import { UsageError } from './usage-error.ts';

/** A baseline that was read, and where in its file each entry stands. */
export interface BaselineFile {
  readonly name: string;
  readonly baseline: Baseline;
  /** The line, counted from 1, on which the check of an entry is named. */
  lineOf(check: string): number;
}

const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** What is wrong with a baseline that its schema cannot say: two entries for one check, a day that is none, a reason of blanks. */
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
  let text: string;
  let value: unknown;
  try {
    text = readFileSync(name, 'utf8');
  } catch (error) {
    throw new UsageError(
      `cannot read the baseline ${name} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    );
  }
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${(error as Error).message}`);
  }
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

/** A baseline, or an empty one where there is no file yet. */
export const readBaselineIfAny = (name: string): Baseline =>
  existsSync(name) ? readBaseline(name).baseline : { version: 1, known: [] };

/** The day it is, in UTC. */
const today = (): string => new Date().toISOString().slice(0, 10);

/** Where the reports of a run are shown, as far as the baseline is told of there. */
interface Place {
  readonly colour: boolean;
  readonly columns?: number;
  /** False where a document is written to the standard output: then the error output is told. */
  readonly isPage: boolean;
}

/** Holds a run against a baseline, if there is one: its report with the exit code that is left, and how to tell of it when the reports are written. */
export function heldAgainst(
  file: BaselineFile | null,
  report: Report,
  { isPage, ...place }: Place,
): { readonly report: Report; tell(): void } {
  if (file === null) return { report, tell: () => {} };
  const gate = gateOf(report, file.baseline, today());
  return {
    report: { ...report, exitCode: gate.exitCode },
    tell: () => void (isPage ? process.stdout : process.stderr).write(gateText(gate, file, place)),
  };
}
