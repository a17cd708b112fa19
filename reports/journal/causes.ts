import { endpointIds } from '../../contracts/endpoints.ts';
import { distinct, grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type { CauseReport, Report } from '../../contracts/report/report.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { deviationOf, isAboutChange, symptomOf } from '../text/symptom.ts';
import { undoneBy } from './broken.ts';
import { oneDefectEach } from './one-defect.ts';
import { blockedChecks, countedAs, type NamedFinding, namedFindings } from './selections.ts';
import { harmOf, isGarbled, isOfCase, isOfShape } from './traits.ts';

/** A cause with its findings, the one to look at first in front. */
export interface Cause extends Omit<CauseReport, 'findings'> {
  readonly findings: readonly [NamedFinding, ...NamedFinding[]];
}

type Found = Pick<Report, 'endpoints' | 'options'>;

/** Returns how clearly a finding shows by itself what is wrong: less is clearer. */
function clarity({ check, finding }: NamedFinding): number {
  const { counterexample, doubt, exchange } = finding;
  return (
    (doubt === undefined ? 0 : 8) +
    (counterexample?.unit === undefined || counterexample.unit === check.id ? 0 : 1) +
    (!counterexample || counterexample.pointer === '' ? 2 : 0) +
    // A reading alone does not show what changed it.
    (isAboutChange(finding) && !finding.steps ? 4 : 0) +
    (exchange ? 0 : 4)
  );
}

/** Requirements whose violation leaves nothing else of an endpoint testable. */
const stopsAll = /^envelope\.(?!content-type|message-readable)|^accept\.smallest$|^service\.route$/;

/** Consequences of a wrong total: the last page, and the readings and counts of the whole list. */
const followsTotal = /^pagination\.(next|previous)-null |^state\..* \/(pagination\/totalItems|data)$/;

/**
 * True if a page lacks the link to the next one, and all pages are as long as the total says. If the total were wrong, a
 * page would be too short.
 */
const lacksLink = (group: readonly NamedFinding[]): boolean =>
  group.some(({ finding: { requirement, actual } }) => requirement === 'pagination.next-null' && actual === 'null') &&
  !group.some(({ finding: { requirement } }) => requirement === 'pagination.page-size');

/** True if a finding accuses a stored value. */
const isOfState = (finding: NamedFinding['finding']): boolean =>
  finding.requirement.startsWith('state.') && deviationOf(finding) === 'value';

/** Returns the number of operations that a requirement binds: the fewer, the more it says of each. */
function breadthOf({ finding: { requirement } }: NamedFinding): number {
  const bound = isRequirementId(requirement) ? requirementById(requirement).endpoints : 'all';
  return bound === 'all' ? endpointIds.length : bound.length;
}

/** Returns the untested checks of the endpoint that have no remedy of their own. */
function stoppedAt({ endpoint }: NamedFinding): string[] {
  return endpoint.checks.flatMap(({ id, verdict, remedy }) =>
    verdict === 'untested' && remedy === undefined ? [id] : [],
  );
}

/** Returns items sorted by some keys, the least first; the first key that differs counts. */
export function inOrder<T>(items: readonly T[], ...keys: readonly ((item: T) => number)[]): T[] {
  return items.toSorted((a, b) => keys.map(key => key(a) - key(b)).find(difference => difference !== 0) ?? 0);
}

/**
 * Returns the defects of the target in the order in which to fix them. A warning with the defect of a failure joins it.
 */
export function causesOf(report: Found): CauseReport[] {
  const named = namedFindings(report);
  const blocked = blockedChecks(report);
  const claimed = new Set<string>();
  const isFailure = ({ finding }: NamedFinding) => countedAs(finding, report.options.strict) === 'fail';
  // A client's mistake is never the defect of a server.
  const sides = [
    named.filter(({ check }) => check.side !== 'client'),
    named.filter(({ check }) => check.side === 'client'),
  ];
  const drafts = sides.flatMap(oneDefectEach).map(group => {
    const kind = group.some(isFailure) ? ('fail' as const) : ('warn' as const);
    const isAccepted = group.some(({ finding }) => finding.fault?.kind === 'accepted');
    const isMisread = group.some(({ finding }) => /^(presence|identity)\./.test(finding.requirement));
    const isSentHere = group.some(({ finding }) => finding.fault?.kind === 'type' && isOfCase(finding));
    const isOfLink = lacksLink(group);
    const isOfTotal = !isOfLink && group.some(({ finding }) => finding.requirement === 'pagination.total');
    const absent = ({ finding: { fault, pointer } }: NamedFinding) => (fault?.kind === 'missing' ? [pointer] : []);
    const missing = new Set(group.flatMap(absent));
    const unshown = new Set(group.filter(({ finding }) => finding.requirement === 'presence.must').flatMap(absent));
    const findings = inOrder(
      group,
      one => Number(kind === 'fail' && !isFailure(one)),
      // A server that accepts a forbidden value also shows it, and stores it: tell the acceptance first.
      ({ finding }) => Number(isAccepted && (finding.fault?.kind === 'constraint' || isOfState(finding))),
      // If a member is missing or renamed, what is read of it, or after a wrong request, is wrong as a consequence.
      ({ finding }) => Number(isMisread && /^state\.|^reject\.well-typed/.test(finding.requirement)),
      one => Number(one.finding.requirement !== 'presence.must' && absent(one).some(place => unshown.has(place))),
      // A value of a wrong type, once stored, is shown in the cases of other fields too: tell the case that sent it.
      ({ finding }) => Number(isSentHere && finding.fault?.kind === 'type' && !isOfCase(finding)),
      ({ finding }) => Number(!isOfShape(finding)),
      // A member that was never shown has not changed.
      ({ finding }) => Number(finding.fault?.kind === 'changed' && missing.has(finding.pointer)),
      // An operation whose effect is undone is told before those that show it.
      ({ endpoint, finding }) => Number(![undefined, endpoint.id].includes(undoneBy(finding))),
      // Where the link to the next page is missing, fewer items are counted than there are.
      ({ finding }) => Number(isOfLink && finding.requirement !== 'pagination.next-null'),
      // A wrong total also makes page links and counts wrong.
      ({ finding }) => Number(isOfTotal && followsTotal.test(`${finding.requirement} ${finding.pointer}`)),
      one => harmOf(one.finding),
      // The shortest garbled text shows the defect best.
      ({ finding }) => (isGarbled(finding) ? JSON.stringify(finding.fault?.expected ?? null).length : 0),
      clarity,
      breadthOf,
    );
    const own = findings.filter(one => kind === 'warn' || isFailure(one));
    const kept = [
      ...distinct(own.map(({ check }) => check.id)).flatMap(id => blocked.get(id) ?? []),
      ...own.filter(one => kind === 'fail' && stopsAll.test(one.finding.requirement)).flatMap(stoppedAt),
    ];
    return { kind, findings, kept, harm: Math.min(...own.map(({ finding }) => harmOf(finding))) };
  });
  const ordered = inOrder(
    drafts,
    ({ kind }) => Number(kind === 'warn'),
    ({ harm }) => harm,
    ({ findings, kept }) => -(findings.length + kept.length),
  );
  const numbers = { fail: 0, warn: 0 };
  return ordered.map(({ kind, findings, kept }) => {
    numbers[kind] += 1;
    const own = distinct(kept).filter(id => !claimed.has(id));
    for (const id of own) claimed.add(id);
    const [first] = findings;
    return {
      id: `${kind === 'fail' ? 'F' : 'W'}${numbers[kind]}`,
      kind,
      ...present({ side: first?.check.side }),
      title: first ? symptomOf(first.finding) : '',
      requirements: distinct(findings.map(({ finding }) => finding.requirement)),
      endpoints: distinct(findings.map(({ endpoint }) => endpoint.id)),
      findings: findings.map(({ name }) => name),
      blocked: own,
    };
  });
}

/** Returns the causes of a report with their findings. */
export function causesWithFindings(report: Report): Cause[] {
  const named = new Map(namedFindings(report).map(one => [one.name, one]));
  return (report.causes ?? causesOf(report)).flatMap(cause => {
    const [first, ...others] = cause.findings.flatMap(name => named.get(name) ?? []);
    return first ? [{ ...cause, findings: [first, ...others] as const }] : [];
  });
}

/** Returns the id of the cause of each finding, by the name of the finding. */
export function causeIds(report: Report): ReadonlyMap<string, string> {
  return new Map(
    (report.causes ?? causesOf(report)).flatMap(({ id, findings }) => findings.map(name => [name, id] as const)),
  );
}

/** Returns the failed and warned checks of a report, by the causes of their findings. */
export function causesByCheck(report: Report): ReadonlyMap<string, readonly string[]> {
  const ids = [...causeIds(report)].map(([name, id]) => ({ check: name.slice(0, name.lastIndexOf('#')), id }));
  return new Map(
    [...grouped(ids, ({ check }) => check)].map(([check, own]) => [check, distinct(own.map(({ id }) => id))]),
  );
}
