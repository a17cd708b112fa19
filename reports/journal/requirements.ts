import type { CheckReport, RequirementReport } from '../../contracts/report/report.ts';
import { grouped } from '../text/grouped.ts';
import { countedAs } from './selections.ts';

/** A requirement of the specification, as far as a report needs it. */
export interface RequirementRow {
  readonly id: string;
  readonly section: string;
  readonly level: 'MUST' | 'SHOULD' | 'OPEN';
  readonly statement: string;
  /** Why no check can verify it from outside. */
  readonly unverified?: string;
}

/**
 * Judges each requirement by the checks of a run. One that a finding names has failed (or, as a SHOULD in a run that is
 * not strict, warned), whichever check found it. Else it is verified if all applicable checks that cite it ran to their
 * end: a check that failed on another requirement has still sent its inputs.
 */
export function judgeRequirements(
  rows: readonly RequirementRow[],
  checks: readonly CheckReport[],
  strict: boolean,
): RequirementReport[] {
  const broken = grouped(
    checks.flatMap(check => check.findings),
    ({ requirement }) => requirement,
  );
  const citing = grouped(
    checks.flatMap(check => [...new Set([...check.requirements, ...requirementsOf(check)])].map(id => ({ id, check }))),
    ({ id }) => id,
  );
  return rows.map(row => {
    const own = (citing.get(row.id) ?? []).map(({ check }) => check);
    const { id, section, level, statement } = row;
    const named = broken.get(id);
    const fails = named?.some(finding => countedAs(finding, strict) === 'fail');
    const judged =
      named === undefined ? judge(row, own) : { verdict: fails ? ('failed' as const) : ('warned' as const) };
    return { id, section, level, statement, checks: own.map(check => check.id), ...judged };
  });
}

function requirementsOf({ findings }: CheckReport): string[] {
  return findings.map(({ requirement }) => requirement);
}

/** Judges a requirement that no finding names. */
function judge(row: RequirementRow, checks: readonly CheckReport[]): Pick<RequirementReport, 'verdict' | 'because'> {
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
