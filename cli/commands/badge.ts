import { badgeSvg } from '../../reports/badge/badge.ts';
import type { badge } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuseTwice } from '../own-file.ts';
import { readReport } from '../report-file.ts';
import { output, shown, writeText } from '../writer.ts';

/** Writes the badge of a run to the standard output or a file. Throws a `UsageError` if the input is no report. */
export const command: Work<typeof badge> = ({ label, out }, [file]) => {
  if (out !== undefined) refuseTwice([out], [file]);
  const svg = shown(badgeSvg(readReport(file), label));
  if (out === undefined) output.write(svg);
  else writeText(out, svg);
  return 0;
};
