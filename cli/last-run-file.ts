import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../contracts/report/report.ts';
import { UsageError } from './input.ts';
import { refuseNoFile } from './own-file.ts';
import { readReport } from './report-file.ts';

/** The files of a run under its folder that tell how it ended: the journal is written by every run. */
const names = ['journal.ndjson', 'report.json'] as const;

/** Returns the report of the last run under a folder. Throws a `UsageError` if there is none, or none to be read. */
export function lastRunUnder(out: string): Report {
  const file = names.map(name => join(out, name)).find(existsSync);
  if (file === undefined)
    throw new UsageError(`--failed runs what failed last, and ${out} holds no run; run once without it`);
  try {
    refuseNoFile(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${(error as Error).message})`);
  }
  return readReport(file);
}

/** Returns the report of the last run under a folder, or undefined where there is none to be read. */
export function anyRunUnder(out: string): Report | undefined {
  try {
    return lastRunUnder(out);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
