import type { RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { judgeBaseline } from '../reports/baseline/verdict.ts';
import { causesWithFindings } from '../reports/journal/causes.ts';
import { counted } from '../reports/text/page.ts';
import type { BaselineFile } from './baseline-file.ts';

/** How many causes of failures a report has, but for those that a baseline knows. */
function newCauses(report: Report, baseline: BaselineFile | null): number {
  const causes = causesWithFindings(report).filter(({ kind }) => kind === 'fail');
  if (baseline === null) return causes.length;
  const today = new Date().toISOString().slice(0, 10);
  const fresh = new Set(judgeBaseline(report, baseline.baseline, today).fresh);
  return causes.filter(({ findings }) => findings.some(({ name }) => fresh.has(name))).length;
}

/**
 * Watches a run until it has so many causes of failures: findings of one defect count once, and what the baseline knows
 * does not count.
 */
export function bailing(most: number, baseline: BaselineFile | null) {
  let found = 0;
  return {
    /** Looks at an event that was emitted; `report` gives the report until then. */
    look(event: RunEvent, report: () => Report): void {
      if (found >= most || event.event !== 'check-end' || event.findings.length === 0) return;
      found = newCauses(report(), baseline);
    },
    /** Why enough is known, or null. */
    enough: (): string | null => (found >= most ? `the run was to end after ${counted(most, 'cause')} (--bail)` : null),
  };
}
