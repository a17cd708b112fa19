import type { Report } from '../../contracts/report/report.ts';
import { checksOf, locatedFindings } from '../journal/selections.ts';
import { grouped } from '../text/grouped.ts';
import { type FindingView, findingView } from './finding-view.ts';

/** One root cause: a broken requirement, with the findings that name it and the checks that it blocked. */
export interface Cause {
  readonly anchor: string;
  readonly kind: 'fail' | 'warn';
  readonly requirement: string;
  readonly section: string;
  readonly level: string;
  readonly statement: string;
  readonly endpoints: readonly string[];
  readonly checks: readonly string[];
  readonly findings: readonly FindingView[];
  /** How many further findings there are that not even `report.json` lists. */
  readonly more: number;
  /** Checks that could not be tested because of it. */
  readonly blocked: readonly string[];
  /** True if its first finding is unfolded. */
  readonly open: boolean;
}

/** The most findings of a cause that are shown whole, and the most causes that are unfolded. */
const most = { whole: 12, open: 3 } as const;

/** Returns the root causes of failures or of warnings: first those with the most findings and blocked checks. */
export function causesOf(report: Report, kind: 'fail' | 'warn'): Cause[] {
  const blocked = blockedChecks(report);
  const claimed = new Set<string>();
  const rows = new Map(report.requirements.map(row => [row.id, row]));
  let number = 0;
  return [...grouped(locatedFindings(report, kind), ({ finding }) => finding.requirement)]
    .map(([requirement, found]) => {
      const checks = new Map(found.map(({ check }) => [check.id, check]));
      // A check that failed blocks others by its failure, even if it also warned.
      const blocking = [...checks.values()].filter(({ verdict }) => verdict === kind);
      const own = blocking.flatMap(({ id }) => blocked.get(id) ?? []).filter(id => !claimed.has(id));
      for (const id of own) claimed.add(id);
      return { requirement, found, checks, own, weight: found.length + own.length };
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ requirement, found, checks, own }, index) => {
      const row = rows.get(requirement);
      return {
        anchor: `${kind}-${index + 1}`,
        kind,
        requirement,
        section: row?.section ?? '',
        level: found.some(({ finding }) => finding.level === 'MUST') ? 'MUST' : 'SHOULD',
        statement: row?.statement ?? requirement,
        endpoints: [...new Set(found.map(({ endpoint }) => endpoint.id))],
        checks: [...checks.keys()],
        findings: found.map((one, place) => {
          number += 1;
          return findingView(one, `${kind === 'fail' ? 'finding' : 'warning'}-${number}`, place < most.whole);
        }),
        more: [...checks.values()].reduce((sum, { moreFindings = 0 }) => sum + moreFindings, 0),
        blocked: own,
        open: index < most.open,
      };
    });
}

/**
 * Returns the untested checks by the check at the root of what blocked them: blocks are followed to their beginning.
 */
export function blockedChecks(report: Report): ReadonlyMap<string, readonly string[]> {
  const blockers = new Map(
    checksOf(report).flatMap(({ id, verdict, blockedBy }) =>
      verdict === 'untested' && blockedBy !== undefined ? [[id, blockedBy] as const] : [],
    ),
  );
  return grouped(blockers.keys(), id => rootOf(id, blockers));
}

function rootOf(id: string, blockers: ReadonlyMap<string, string>): string {
  const met = new Set<string>();
  let at = id;
  for (let next = blockers.get(at); next !== undefined && !met.has(next); next = blockers.get(at)) {
    met.add(next);
    at = next;
  }
  return at;
}
