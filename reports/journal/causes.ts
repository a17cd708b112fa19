import { grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type { CauseReport, Report } from '../../contracts/report/report.ts';
import { isAboutChange, symptomOf } from '../text/symptom.ts';
import { oneDefectEach } from './one-defect.ts';
import { blockedChecks, countedAs, type NamedFinding, namedFindings } from './selections.ts';
import { harmOf, isGarbled, isOfShape } from './traits.ts';

/** A cause with its findings, the one to look at first at the head. */
export interface Cause extends Omit<CauseReport, 'findings'> {
  readonly findings: readonly [NamedFinding, ...NamedFinding[]];
}

type Found = Pick<Report, 'endpoints' | 'options'>;

/** Whether a finding says by itself what is wrong: less says more. */
function clarity({ check, finding }: NamedFinding): number {
  const { counterexample, doubt, exchange } = finding;
  return (
    (doubt === undefined ? 0 : 8) +
    (counterexample?.unit === undefined || counterexample.unit === check.id ? 0 : 1) +
    (counterexample === undefined || counterexample.pointer === '' ? 2 : 0) +
    // A reading alone does not show what changed it.
    (isAboutChange(finding) && finding.steps === undefined ? 4 : 0) +
    (exchange === undefined ? 4 : 0)
  );
}

/** Requirements without which an endpoint shows nothing else. */
const stopsAll = /^envelope\.(?!content-type|message-readable)|^accept\.smallest$|^service\.route$/;

/** What a total that is wrong breaks besides: the last page, and what is read and counted of the whole list. */
const followsTotal = /^pagination\.(next|previous)-null |^state\..* \/(pagination\/totalItems|data)$/;

/** The checks of the endpoint that could not be tested, and of which nothing else is said to make that possible. */
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
 * Returns what is wrong with the target, one defect at a time, in the order in which to mend it. A warning that has the
 * defect of a failure is told with it.
 */
export function causesOf(report: Found): CauseReport[] {
  const named = namedFindings(report);
  const blocked = blockedChecks(report);
  const claimed = new Set<string>();
  const isFailure = ({ finding }: NamedFinding) => countedAs(finding, report.options.strict) === 'fail';
  // What a client did is never the defect of a server.
  const sides = [
    named.filter(({ check }) => check.side !== 'client'),
    named.filter(({ check }) => check.side === 'client'),
  ];
  const drafts = sides.flatMap(oneDefectEach).map(group => {
    const kind = group.some(isFailure) ? ('fail' as const) : ('warn' as const);
    const isAccepted = group.some(({ finding }) => finding.fault?.kind === 'accepted');
    const isMisread = group.some(({ finding }) => /^(presence|identity)\./.test(finding.requirement));
    const isOfTotal = group.some(({ finding }) => finding.requirement === 'pagination.total');
    const missing = new Set(group.flatMap(({ finding }) => (finding.fault?.kind === 'missing' ? finding.pointer : [])));
    const findings = inOrder(
      group,
      one => Number(kind === 'fail' && !isFailure(one)),
      // A server that accepts what a rule forbids shows it as well; the acceptance is told first.
      ({ finding }) => Number(isAccepted && finding.fault?.kind === 'constraint'),
      // What is missing, or stands under another name, makes what is read of it wrong.
      ({ finding }) => Number(isMisread && finding.requirement.startsWith('state.')),
      ({ finding }) => Number(!isOfShape(finding)),
      // What never came has not changed.
      ({ finding }) => Number(finding.fault?.kind === 'changed' && missing.has(finding.pointer)),
      // A total that is wrong makes the links to other pages wrong, and what is counted.
      ({ finding }) => Number(isOfTotal && followsTotal.test(`${finding.requirement} ${finding.pointer}`)),
      one => harmOf(one.finding),
      // Of texts that came back garbled the shortest shows it best.
      ({ finding }) => (isGarbled(finding) ? JSON.stringify(finding.fault?.expected ?? null).length : 0),
      clarity,
    );
    const own = findings.filter(one => kind === 'warn' || isFailure(one));
    const kept = [
      ...[...new Set(own.map(({ check }) => check.id))].flatMap(id => blocked.get(id) ?? []),
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
    const own = [...new Set(kept)].filter(id => !claimed.has(id));
    for (const id of own) claimed.add(id);
    const [first] = findings;
    return {
      id: `${kind === 'fail' ? 'F' : 'W'}${numbers[kind]}`,
      kind,
      ...present({ side: first?.check.side }),
      title: first === undefined ? '' : symptomOf(first.finding),
      requirements: [...new Set(findings.map(({ finding }) => finding.requirement))],
      endpoints: [...new Set(findings.map(({ endpoint }) => endpoint.id))],
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
    return first === undefined ? [] : [{ ...cause, findings: [first, ...others] as const }];
  });
}

/** Returns the id of the cause of each finding, by the name of the finding. */
export function causeIds(report: Report): ReadonlyMap<string, string> {
  return new Map(
    (report.causes ?? causesOf(report)).flatMap(({ id, findings }) => findings.map(name => [name, id] as const)),
  );
}

/** Returns the checks of a report that failed or warned, by the causes that their findings have. */
export function causesByCheck(report: Report): ReadonlyMap<string, readonly string[]> {
  const ids = [...causeIds(report)].map(([name, id]) => ({ check: name.slice(0, name.lastIndexOf('#')), id }));
  return new Map(
    [...grouped(ids, ({ check }) => check)].map(([check, own]) => [check, [...new Set(own.map(({ id }) => id))]]),
  );
}
