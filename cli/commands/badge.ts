import { badgeSvg } from '../../reports/badge/badge.ts';
import { shown } from '../known-secrets.ts';
import { readReport } from '../report-file.ts';
import { output, writeText } from '../writer.ts';

/** The flags of `badge`. */
export interface BadgeFlags {
  readonly label: string;
  readonly out?: string;
}

/** Writes the badge of a run, to the standard output or a file. Throws a `UsageError` for a file that is no report. */
export function badgeCommand(file: string, { label, out }: BadgeFlags): void {
  const svg = shown(badgeSvg(readReport(file), label));
  if (out === undefined) output.write(svg);
  else writeText(out, svg);
}
