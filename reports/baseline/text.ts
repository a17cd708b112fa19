import type { BaselineReport } from '../../contracts/report/report.ts';
import { counted, type Display, heading, indented, type Line, paint, styled } from '../text/page.ts';

/** The most of each kind that are shown. */
const most = 40;

/**
 * Returns the verdict of a baseline for a terminal: the new failures, the lines of the file to remove and why, and the
 * sum.
 */
export function baselineVerdictText(
  { file, known, fresh, stale, unjudged, behind }: BaselineReport,
  exitCode: number,
  { colour, columns }: Display,
): string {
  const counts = [
    counted(known.length, 'known failure'),
    counted(fresh.length, 'new one'),
    counted(stale.length, 'stale entry'),
    ...(unjudged.length > 0 ? [`${counted(unjudged.length, 'entry')} not judged by this run`] : []),
    ...(behind.length > 0 ? [`${counted(behind.length, 'check')} untested behind known failures`] : []),
  ];
  const holds = fresh.length + stale.length === 0;
  const hidden = Math.max(0, fresh.length - most) + Math.max(0, stale.length - most);
  const lines = [
    ...heading(`BASELINE ${file}`, holds ? 'good' : 'bad'),
    ...fresh.slice(0, most).map((name): Line => [styled('bad', `  ✗ ${name} is a new failure`)]),
    ...stale.slice(0, most).flatMap(one => staleLines(one, file, columns)),
    ...(hidden > 0 ? [[`  … and ${hidden} more`]] : []),
    [`  ${counts.join(', ')}; exit ${exitCode}`],
  ];
  return paint(lines, colour);
}

function staleLines(
  { entry, why, place, reason }: BaselineReport['stale'][number],
  file: string,
  columns: number | undefined,
): Line[] {
  return [
    ...indented(2, `✗ ${entry} ${why}`, columns).map(
      (one): Line => one.map(part => (typeof part === 'string' ? styled('bad', part) : part)),
    ),
    [styled('strong', `    → remove ${place} of ${file}`)],
    ...indented(6, `its reason was: ${reason}`, columns),
  ];
}
