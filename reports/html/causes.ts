import type { Report } from '../../contracts/report/report.ts';
import { causesWithFindings } from '../journal/causes.ts';
import { causeReason } from '../journal/known.ts';
import { symptomOf } from '../text/symptom.ts';
import { findingView } from './finding-view.ts';

/** One cause: a defect of the target, with the findings that it explains and the checks that it blocked. */
export type Cause = ReturnType<typeof causeViews>[number];

/** The most findings of a cause that are shown whole, and the most causes that are unfolded. */
const most = { whole: 12, open: 3 } as const;

/** Returns the causes of failures or of warnings, in the order in which to mend them. */
export function causeViews(report: Report, kind: 'fail' | 'warn') {
  const rows = new Map(report.requirements.map(row => [row.id, row]));
  return causesWithFindings(report)
    .filter(cause => cause.kind === kind)
    .map((cause, index) => {
      const { id, title, requirements, endpoints, findings, blocked, side } = cause;
      const [first] = findings;
      const { requirement } = first.finding;
      const row = rows.get(requirement);
      const checks = new Map(findings.map(({ check }) => [check.id, check]));
      return {
        id,
        anchor: id,
        kind,
        /** Of judged traffic: whose it is. */
        side,
        /** Why it may be there, where the baseline knows it. */
        known: causeReason(cause, report),
        title,
        requirement,
        /** Other requirements that it breaks. */
        alsoBreaks: requirements.filter(one => one !== requirement),
        section: row?.section ?? '',
        level: findings.some(({ finding }) => finding.level === 'MUST') ? 'MUST' : 'SHOULD',
        statement: row?.statement ?? requirement,
        endpoints,
        checks: [...checks.keys()],
        findings: findings.map((one, place) =>
          findingView(one, `${id}-${place + 1}`, {
            symptom: symptomOf(one.finding),
            said: title,
            whole: place < most.whole,
          }),
        ),
        /** How many further findings there are that not even `report.json` lists. */
        more: [...checks.values()].reduce((sum, { moreFindings = 0 }) => sum + moreFindings, 0),
        /** Checks that could not be tested because of it. */
        blocked,
        /** True if its first finding is unfolded. */
        open: index < most.open,
      };
    });
}
