import { grouped } from '../../contracts/grouped.ts';
import type { RunStart } from '../../contracts/report/journal.ts';
import { noRemedy } from '../../contracts/report/remedies.ts';
import type { CoverageReport, RequirementReport } from '../../contracts/report/report.ts';
import { coveragePercent } from '../../contracts/report/verdict.ts';

/** The verdicts of requirements that could be tested. */
const counted: readonly RequirementReport['verdict'][] = ['verified', 'failed', 'warned', 'untested'];

/** Returns true for a run without a filter that is no shard: only of such a run coverage says anything. */
export const isWhole = ({ only, skip, path, shard }: RunStart['options']): boolean =>
  only.length === 0 && skip.length === 0 && path === undefined && shard === undefined;

/** Returns the coverage of a run by its requirements; undefined if it is no whole run, or nothing could be tested. */
export function coverageOf(
  requirements: readonly RequirementReport[],
  options: RunStart['options'],
): CoverageReport | undefined {
  const total = requirements.filter(({ verdict }) => counted.includes(verdict)).length;
  if (!isWhole(options) || total === 0) return undefined;
  const verified = requirements.filter(({ verdict }) => verdict === 'verified').length;
  return {
    percent: coveragePercent(verified, total),
    verified,
    total,
    ...(options.minCoverage === undefined ? {} : { min: options.minCoverage }),
    remedies: remediesOf(requirements),
  };
}

/** What would exercise untested requirements, and how many: the most first. */
function remediesOf(requirements: readonly RequirementReport[]): CoverageReport['remedies'] {
  const untested = requirements.flatMap(({ verdict, remedy }) =>
    verdict === 'untested' && remedy !== undefined && !remedy.startsWith(noRemedy) ? [remedy] : [],
  );
  return [...grouped(untested, remedy => remedy)]
    .map(([remedy, own]) => ({ remedy, requirements: own.length }))
    .sort((a, b) => b.requirements - a.requirements || (a.remedy < b.remedy ? -1 : 1));
}
