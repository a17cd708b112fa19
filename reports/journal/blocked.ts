import { grouped } from '../../contracts/grouped.ts';
import type { Report } from '../../contracts/report/report.ts';
import { checksOf } from './selections.ts';

/**
 * Returns the untested checks by the check at the root of what blocked them: blocks are followed to their beginning.
 */
export function blockedChecks(report: Pick<Report, 'endpoints'>): ReadonlyMap<string, readonly string[]> {
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
