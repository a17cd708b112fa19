import { grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type { Report, RequirementReport, RequirementVerdict } from '../../contracts/report/report.ts';

/** Requirements that an earlier run verified and the last one did not, for one reason. */
export interface LostCoverage {
  readonly requirements: readonly string[];
  /** How the last run judges them; null where it does not have them. */
  readonly verdict: RequirementVerdict | null;
  /** Why, in the words of the last run. */
  readonly because?: string;
  /** What would have them verified again. */
  readonly remedy?: string;
}

/**
 * Returns what the last run verifies no more though some run before it did, by reason, the most first. What it breaks
 * is not among that: its check fails.
 */
export function lostCoverage(reports: readonly Report[]): LostCoverage[] {
  const last = new Map(reports.at(-1)?.requirements.map(row => [row.id, row]));
  const before = reports.slice(0, -1).flatMap(({ requirements }) => requirements.filter(isVerified));
  const lost = [...new Set(before.map(({ id }) => id))].flatMap(id => {
    const row = last.get(id);
    return row !== undefined && ['verified', 'failed', 'warned'].includes(row.verdict) ? [] : [{ id, row }];
  });
  const reason = ({ row }: (typeof lost)[number]) => JSON.stringify([row?.verdict, row?.because, row?.remedy]);
  return [...grouped(lost, reason).values()]
    .map(own => {
      const { row } = own[0] ?? {};
      return {
        requirements: own.map(({ id }) => id).sort(),
        verdict: row?.verdict ?? null,
        ...present({ because: row?.because, remedy: row?.remedy }),
      };
    })
    .sort((a, b) => b.requirements.length - a.requirements.length);
}

const isVerified = ({ verdict }: RequirementReport): boolean => verdict === 'verified';

/** Returns why requirements are verified no more: `untested: no gate → name one`. */
export function lostText({ verdict, because, remedy }: LostCoverage): string {
  const why = because === undefined ? '' : `: ${because}`;
  return `${verdict ?? 'not in the last run'}${why}${remedy === undefined ? '' : ` → ${remedy}`}`;
}

/** Returns how many requirements are verified no more. */
export const lostCount = (lost: readonly LostCoverage[]): number =>
  lost.reduce((sum, { requirements }) => sum + requirements.length, 0);
