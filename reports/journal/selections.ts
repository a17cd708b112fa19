import { alike, grouped } from '../../contracts/grouped.ts';
import type { Verdict } from '../../contracts/report/journal.ts';
import type { CheckReport, Report } from '../../contracts/report/report.ts';
import type { ReportedFinding } from '../text/finding-text.ts';

/** Returns all findings of a report in its order, each with its endpoint, check and name: `endpoint/check#n`. */
export const namedFindings = ({ endpoints }: Pick<Report, 'endpoints'>) =>
  endpoints.flatMap(endpoint =>
    endpoint.checks.flatMap(check =>
      check.findings.map((finding, index) => ({ endpoint, check, finding, name: `${check.id}#${index + 1}` })),
    ),
  );

/** A finding with its endpoint, check and name. */
export type NamedFinding = ReturnType<typeof namedFindings>[number];

/**
 * Returns whether a finding counts as a failure or a warning. Under `--strict` a broken SHOULD is a failure too; a
 * requirement that the set does not score never is.
 */
export function countedAs({ level, notScored }: ReportedFinding, strict: boolean): 'fail' | 'warn' {
  return !notScored && (level === 'MUST' || strict) ? 'fail' : 'warn';
}

/** Returns the endpoint of a check, or of a finding, by its name: `patch-gate` of `patch-gate/reject#2`. */
export const endpointIn = (name: string): string => name.replace(/\/.*/s, '');

/** Returns all checks of a report, in its order. */
export function checksOf({ endpoints }: Pick<Report, 'endpoints'>): readonly CheckReport[] {
  return endpoints.flatMap(({ checks }) => checks);
}

/** Returns the findings of a check that count as failures, with their names. */
export const failuresOf = ({ id, findings }: CheckReport, { options }: Pick<Report, 'options'>) =>
  findings.flatMap((finding, index) =>
    countedAs(finding, options.strict) === 'fail' ? [{ finding, name: `${id}#${index + 1}` }] : [],
  );

/** Returns the failing checks of which a report does not hold every failure, by id. */
export const overfullChecks = (report: Pick<Report, 'endpoints'>): string[] =>
  checksOf(report).flatMap(({ id, verdict, moreFindings = 0 }) => (verdict === 'fail' && moreFindings > 0 ? [id] : []));

/**
 * Returns the number of entities that residue stands for, each counted once even if two operations report it. Entities
 * whose answers were lost are not counted.
 */
export function thingsIn(leftBehind: Report['leftBehind']): number {
  const entities = alike(leftBehind, ({ kind, id }) => `${kind} ${id}`);
  return entities.reduce((sum, own) => sum + Math.max(...own.map(({ count = 1 }) => count)), 0);
}

/**
 * Returns why a run did not come to its end; undefined if it did. A run that a limit cut (`--bail`, `--max-requests`)
 * is complete, but says why it left checks out.
 */
export const unfinishedBecause = ({ outcome, because }: Pick<Report, 'outcome' | 'because'>): string | undefined =>
  outcome === 'complete' ? because : outcome;

/** Returns the checks that have one of some verdicts, by id. */
export const checksWith = (report: Pick<Report, 'endpoints'>, ...verdicts: readonly Verdict[]): string[] =>
  checksOf(report).flatMap(({ id, verdict }) => (verdicts.includes(verdict) ? [id] : []));

/** Returns what a run could not put back, each with the request that would. */
export const notRestored = (leftBehind: Report['leftBehind']) =>
  leftBehind.flatMap(({ kind, id, what, send }) => (send === undefined ? [] : [{ kind, id, what, send }]));

/** Returns the untested checks by the check that blocked them, following each chain of blocks to its root. */
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
