import type { Report } from '../../contracts/report/report.ts';
import { type Located, locate } from '../terminal/findings.ts';
import { type FindingView, findingView } from './finding-view.ts';

/** One root cause: a requirement that is broken, shown once, with all that shows it and all that it kept from being tested. */
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
  /** Findings that not even `report.json` lists. */
  readonly more: number;
  /** Checks that could not be tested because of it. */
  readonly blocked: readonly string[];
  /** True if its first finding is to be seen without opening it. */
  readonly open: boolean;
}

/** Of each cause so many findings are shown whole; of the page so many causes are open at first. */
const most = { whole: 12, open: 3 } as const;

/** The root causes of failures or of warnings: what shows itself most often, and keeps the most from being tested, first. */
export function causesOf(report: Report, kind: 'fail' | 'warn'): Cause[] {
  const groups = new Map<string, Located[]>();
  for (const one of locate(report, kind)) {
    const own = groups.get(one.finding.requirement);
    if (own) own.push(one);
    else groups.set(one.finding.requirement, [one]);
  }
  const blocked = blockedChecks(report);
  const claimed = new Set<string>();
  const rows = new Map(report.requirements.map(row => [row.id, row]));
  let number = 0;
  return [...groups]
    .map(([requirement, found]) => {
      const checks = [...new Set(found.map(({ check }) => check.id))];
      // A check that failed blocks others by its failure, even if it also warned.
      const blocking = new Set(found.flatMap(({ check }) => (check.verdict === kind ? check.id : [])));
      const own = [...blocking].flatMap(id => blocked.get(id) ?? []).filter(id => !claimed.has(id));
      for (const id of own) claimed.add(id);
      return { requirement, found, checks, blocked: own, weight: found.length + own.length };
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ requirement, found, checks, blocked: own }, index) => {
      const row = rows.get(requirement);
      const unlisted = new Map(found.map(({ check }) => [check.id, check.moreFindings ?? 0]));
      return {
        anchor: `${kind}-${index + 1}`,
        kind,
        requirement,
        section: row?.section ?? '',
        level: found.some(({ finding }) => finding.level === 'MUST') ? 'MUST' : 'SHOULD',
        statement: row?.statement ?? requirement,
        endpoints: [...new Set(found.map(({ endpoint }) => endpoint.id))],
        checks,
        findings: found.map((one, place) => {
          number += 1;
          const view = findingView(one, number, place < most.whole);
          return kind === 'fail' ? view : { ...view, anchor: `warning-${number}` };
        }),
        more: [...unlisted.values()].reduce((sum, count) => sum + count, 0),
        blocked: own,
        open: index < most.open,
      };
    });
}

/** The untested checks by the check at the root of what blocked them: blocks are followed to their beginning. */
export function blockedChecks({ endpoints }: Report): ReadonlyMap<string, readonly string[]> {
  const blockers = new Map(
    endpoints.flatMap(({ checks }) =>
      checks.flatMap(({ id, verdict, blockedBy }) =>
        verdict === 'untested' && blockedBy !== undefined ? [[id, blockedBy] as const] : [],
      ),
    ),
  );
  const byRoot = new Map<string, string[]>();
  for (const id of blockers.keys()) {
    const root = rootOf(id, blockers);
    byRoot.set(root, [...(byRoot.get(root) ?? []), id]);
  }
  return byRoot;
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
