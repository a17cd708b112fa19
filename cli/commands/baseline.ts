import { existsSync } from 'node:fs';
import { baselineText, partialBecause, updatedBaseline } from '../../reports/baseline/update.ts';
import { overfullChecks } from '../../reports/journal/selections.ts';
import { firstOf } from '../../reports/text/page.ts';
import { readBaselineToUpdate, updateText } from '../baseline-file.ts';
import type { baselineUpdate } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse } from '../input.ts';
import { readReport } from '../report-file.ts';
import { print, replaceText, shown } from '../writer.ts';

/**
 * Writes a baseline from a complete run: one entry for each defect that fails it. Refuses an incomplete run, and new
 * entries without a reason. Returns the exit code, 0.
 */
export const command: Work<typeof baselineUpdate> = (flags, [journal]) => {
  const report = readReport(journal);
  const partial = partialBecause(report);
  if (partial !== null) refuse(`${journal} is no complete run: ${partial}; a baseline needs one`);
  const reason = flags.reason?.trim() ?? '';
  const before = existsSync(flags.baseline)
    ? readBaselineToUpdate(flags.baseline)
    : { baseline: { version: 2 as const, known: [] } };
  const { older } = before;
  const update = updatedBaseline(before.baseline, report, reason, older);
  const { added } = update;
  if (added.length > 0 && reason === '') {
    refuse(`new entries need a reason: give --reason for ${firstOf(added, 3)}`);
  }
  replaceText(flags.baseline, shown(baselineText(update.baseline)), '--baseline');
  const renewed = !older
    ? ''
    : `${flags.baseline}: was of version 1, a check an entry; is of version 2, a defect an entry\n`;
  const lines = overfullChecks(report).map(
    id => `! ${id} has more failures than a report holds: it fails until some are mended\n`,
  );
  print(`${renewed}${lines.join('')}${updateText(flags.baseline, update)}`);
  return 0;
};
