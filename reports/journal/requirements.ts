import type { CheckReport, RequirementReport } from '../../contracts/report/report.ts';

/** A row of the ledger, as far as a report needs it. */
export interface RequirementRow {
  readonly id: string;
  readonly section: string;
  readonly level: 'MUST' | 'SHOULD' | 'OPEN';
  readonly statement: string;
  /** Why nothing verifies it from outside. */
  readonly unverified?: string;
}

/**
 * Judges each row of the ledger by the checks of a run. A row that a finding names has failed (or, as a SHOULD in a run that is not strict, warned),
 * whichever check found it. Else it is verified if all applicable checks that cite it ran to their end: a check that failed on another
 * requirement has still sent its inputs.
 */
export function judgeRequirements(
  rows: readonly RequirementRow[],
  checks: readonly CheckReport[],
  strict: boolean,
): RequirementReport[] {
  const citing = new Map<string, CheckReport[]>();
  const against = new Map<string, 'failed' | 'warned'>();
  for (const check of checks) {
    const named = check.findings.map(finding => finding.requirement);
    for (const id of new Set([...check.requirements, ...named])) {
      const own = citing.get(id);
      if (own) own.push(check);
      else citing.set(id, [check]);
    }
    for (const { requirement, level } of check.findings)
      if (level === 'MUST' || strict) against.set(requirement, 'failed');
      else if (!against.has(requirement)) against.set(requirement, 'warned');
  }
  return rows.map(row => {
    const own = citing.get(row.id) ?? [];
    return { ...described(row), checks: own.map(check => check.id), ...judge(row, own, against.get(row.id)) };
  });
}

function judge(
  row: RequirementRow,
  checks: readonly CheckReport[],
  against: 'failed' | 'warned' | undefined,
): Pick<RequirementReport, 'verdict' | 'because'> {
  if (against) return { verdict: against };
  if (row.level === 'OPEN') return { verdict: 'open' };
  const gap = checks.find(check => check.verdict === 'untested' || check.verdict === 'error');
  if (gap) return { verdict: 'untested', because: `${gap.id}: ${gap.because ?? gap.verdict}` };
  const run = checks.filter(check => check.verdict !== 'not-applicable');
  if (run.some(({ exercised }) => exercised === undefined || exercised.includes(row.id)))
    return { verdict: 'verified' };
  if (run.length > 0) return { verdict: 'untested', because: 'no request and no answer of this run had it' };
  if (checks[0]) return { verdict: 'untested', because: `${checks[0].id}: ${checks[0].because ?? 'not applicable'}` };
  if (row.unverified !== undefined) return { verdict: 'not-verifiable', because: row.unverified };
  return { verdict: 'untested', because: 'no check of this run verifies it' };
}

function described({ id, section, level, statement }: RequirementRow) {
  return { id, section, level, statement };
}
