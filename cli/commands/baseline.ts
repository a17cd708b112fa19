import { existsSync } from 'node:fs';
import { baselineText, partialBecause, updatedBaseline } from '../../reports/baseline/update.ts';
import { readBaseline } from '../baseline-file.ts';
import { UsageError } from '../input.ts';
import { writeText } from '../outputs.ts';
import { readReport } from '../report-file.ts';

/** The flags of `baseline update`. */
export interface BaselineFlags {
  readonly baseline: string;
  readonly reason?: string;
}

/**
 * Writes a baseline from a complete run: an entry for each check that fails. Refuses a run that left something out, and
 * new entries without a reason. Returns the exit code, 0.
 */
export function baselineUpdateCommand(journal: string, flags: BaselineFlags): number {
  const report = readReport(journal);
  const partial = partialBecause(report);
  if (partial !== null) throw new UsageError(`${journal} is no complete run: ${partial}; a baseline needs one`);
  const reason = flags.reason?.trim() ?? '';
  const before = existsSync(flags.baseline)
    ? readBaseline(flags.baseline).baseline
    : { version: 1 as const, known: [] };
  const { baseline, added, kept, removed } = updatedBaseline(before, report, reason);
  if (added.length > 0 && reason === '') {
    throw new UsageError(`new entries need a reason: give --reason for ${added.join(', ')}`);
  }
  writeText(flags.baseline, baselineText(baseline));
  const lines = [
    ...added.map(id => `+ ${id}`),
    ...removed.map(id => `- ${id}`),
    `${flags.baseline}: ${added.length} added, ${kept.length} kept, ${removed.length} removed`,
  ];
  process.stdout.write(lines.map(line => `${line}\n`).join(''));
  return 0;
}
