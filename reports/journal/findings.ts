import type { CheckReport, Report } from '../../contracts/report/report.ts';

/** The requirements for which a check failed, sorted, each once: those of its findings that count as failures in this run. */
export function failingRequirements(check: CheckReport, { options }: Pick<Report, 'options'>): string[] {
  const counted = check.findings.filter(({ level }) => level === 'MUST' || options.strict);
  return [...new Set(counted.map(({ requirement }) => requirement))].sort();
}
