import type { Report } from '../../contracts/report/report.ts';
import { blockedChecks, type Cause } from './causes.ts';

/** A reason why checks were not tested, shown once. */
export interface Gap {
  readonly anchor: string;
  readonly because: string;
  readonly remedy?: string;
  /** The root cause that the page tells elsewhere, or the check that is in the way. */
  readonly blockedBy?: { readonly text: string; readonly href?: string };
  readonly checks: readonly string[];
  readonly endpoints: readonly string[];
}

/** The reasons why checks are untested, the one that keeps back the most first. What a told cause blocks is one gap that points to it. */
export function gapsOf(report: Report, causes: readonly Cause[]): Gap[] {
  const roots = new Map([...blockedChecks(report)].flatMap(([root, ids]) => ids.map(id => [id, root] as const)));
  const causeOf = new Map(causes.flatMap(cause => cause.blocked.map(id => [id, cause] as const)));
  const groups = new Map<string, Omit<Gap, 'anchor'> & { checks: string[]; endpoints: string[] }>();
  for (const { id: endpoint, checks } of report.endpoints)
    for (const { id, verdict, because = 'no reason given', remedy } of checks) {
      if (verdict !== 'untested') continue;
      const cause = causeOf.get(id);
      const root = roots.get(id);
      const key = JSON.stringify(cause ? [cause.anchor] : [because, remedy, root]);
      const group = groups.get(key) ?? {
        because,
        ...(remedy === undefined ? {} : { remedy }),
        ...(cause
          ? { blockedBy: { text: cause.requirement, href: `#${cause.anchor}` } }
          : root === undefined
            ? {}
            : { blockedBy: { text: root } }),
        checks: [],
        endpoints: [],
      };
      group.checks.push(id);
      if (!group.endpoints.includes(endpoint)) group.endpoints.push(endpoint);
      groups.set(key, group);
    }
  return [...groups.values()]
    .sort((a, b) => b.checks.length - a.checks.length)
    .map((gap, index) => ({ anchor: `gap-${index + 1}`, ...gap }));
}
