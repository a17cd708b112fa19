import type { Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, CheckStats, PlannedCheck, RunStart } from '../../contracts/report/journal.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import { countedVerdict } from '../../contracts/report/verdict.ts';
import { curlLine } from '../text/curl.ts';
import { reproduceLine } from './reproduce.ts';

/** The most findings of one check that are kept; `moreFindings` counts the others. */
const mostFindings = 50;

/** The report of a check that ended: its verdict as the run counts it, its findings with the commands that show them again. */
export function checkReport(plan: PlannedCheck, event: CheckEnd, start: RunStart): CheckReport {
  const more = event.findings.length - mostFindings;
  return {
    ...named(plan),
    verdict: countedVerdict(event.verdict, start.options.strict),
    ...(event.because === undefined ? {} : { because: event.because }),
    ...(event.remedy === undefined ? {} : { remedy: event.remedy }),
    ...(event.blockedBy === undefined ? {} : { blockedBy: event.blockedBy }),
    findings: event.findings.slice(0, mostFindings).map(finding => withCommands(finding, plan, start)),
    ...(more > 0 ? { moreFindings: more } : {}),
    notExercised: event.notExercised,
    ...(event.exercised === undefined ? {} : { exercised: event.exercised }),
    stats: event.stats,
  };
}

function withCommands(finding: Finding, plan: PlannedCheck, start: RunStart): CheckReport['findings'][number] {
  return {
    ...finding,
    ...(finding.exchange ? { curl: curlLine(finding.exchange) } : {}),
    // Where another check's traffic showed it, that one is to be replayed.
    reproduce: reproduceLine(start, finding.counterexample?.unit ?? plan.id, finding.counterexample),
  };
}

/** The report of a check that was planned and never ended. */
export function notReached(plan: PlannedCheck): CheckReport {
  return {
    ...named(plan),
    verdict: 'untested',
    because: 'the run ended before it',
    findings: [],
    notExercised: [],
    stats: sum([]),
  };
}

function named({ id, check, title, level, requirements }: PlannedCheck) {
  return { id, check, title, level, requirements };
}

/** The row that the plan should have had for a check that ended without one. */
export function unplanned({ id, endpoint, check, level, findings }: CheckEnd): PlannedCheck {
  const requirements = [...new Set(findings.map(finding => finding.requirement))];
  return { id, endpoint, check, level, title: check, requirements, lane: '' };
}

/** The figures of several checks, added up. */
export function sum(checks: readonly { readonly stats: CheckStats }[]): CheckStats {
  const total: CheckStats = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  for (const { stats } of checks)
    for (const key of ['cases', 'requests', 'accepted', 'refused', 'durationMs'] as const) total[key] += stats[key];
  return total;
}
