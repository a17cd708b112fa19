import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import { allUnits } from '../../checks/units.ts';
import type { RunRecord } from '../testing/reference-run.ts';
import { due, findingsOf, notedRun, type Sent } from './detection.fixture.ts';
import { beside, brokenInTraffic, problemsOfRun } from './problems.fixture.ts';

/** Maximum number of cases tried before whole units. */
const mostTried = 6;

/** The units whose cases can be sent alone. A finding before any case belongs to a passive check. */
const sends = new Set(
  allUnits()
    .filter(({ check }) => check.kind === 'active')
    .map(({ id }) => id),
);

/** Returns what may find a fault alone: each case that showed it, then its unit together with the judging unit. */
function candidates(record: RunRecord, fault: Fault, { profile = 'quick' }: Sent): readonly Sent[] {
  const named: readonly string[] = due(fault);
  const shown = findingsOf(record)
    .filter(({ requirement, level }) => named.includes(requirement) && level === requirementById(requirement).level)
    .flatMap(({ unit: judge, counterexample }) =>
      counterexample === undefined ? [] : [{ judge, unit: counterexample.unit ?? judge, path: counterexample.path }],
    );
  const distinct = (all: readonly Sent[]): readonly Sent[] => [
    ...new Map(all.map(one => [JSON.stringify(one), one])).values(),
  ];
  return [
    ...distinct(shown.filter(({ unit }) => sends.has(unit)).map(({ unit, path }) => ({ only: [unit], path }))).slice(
      0,
      mostTried,
    ),
    ...distinct(shown.map(({ judge, unit }) => ({ only: [...new Set([unit, judge])], profile }))).slice(0, 2),
  ];
}

/** The noted requests of a fault, and what they show. */
export interface Noted {
  readonly sent: Sent;
  /** True if the comparison with the sound server attributes the requests' differences to the faulty one. */
  readonly isNamed: boolean;
  /** Requirements that the judge of traffic sees broken but the fault's row does not name. */
  readonly inTraffic: readonly string[];
}

/**
 * Returns the smallest part of a run that finds a fault alone, without another accusation: a case, a unit, or the whole
 * run. Prefers parts by which the comparison also names the broken server, then those in which the judge of traffic
 * sees nothing else.
 */
export async function notedFor(fault: Fault, record: RunRecord, whole: Noted): Promise<Noted> {
  const found: Noted[] = [];
  for (const sent of candidates(record, fault, whole.sent)) {
    if (sent.path === undefined && found.length > 0) break;
    const run = await notedRun(fault, sent);
    if (problemsOfRun(fault, run.record).length > 0) continue;
    const { isNamed, wrongly } = await beside(fault, run, sent);
    if (wrongly.length > 0) continue;
    const one = { sent, isNamed, inTraffic: brokenInTraffic(fault, run) };
    if (one.isNamed && one.inTraffic.length === 0) return one;
    found.push(one);
  }
  return found.find(({ isNamed }) => isNamed) ?? found[0] ?? whole;
}
