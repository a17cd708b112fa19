import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import { allUnits } from '../../checks/units.ts';
import type { RunRecord } from '../testing/reference-run.ts';
import { due, findingsOf, notedRun, type Sent } from './detection.fixture.ts';
import { beside, brokenInTraffic, problemsOfRun } from './problems.fixture.ts';

/** So many cases are tried at most before a whole unit is. */
const mostTried = 6;

/** The units of which a case can be sent by itself: what was found before any case belongs to one that only judges. */
const sends = new Set(
  allUnits()
    .filter(({ check }) => check.kind === 'active')
    .map(({ id }) => id),
);

/** What might find a fault by itself: each case that showed it, then its unit with the one that judged it. */
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

/** What is noted of a fault to be sent. */
export interface Noted {
  readonly sent: Sent;
  /** The comparison with the sound server puts what is sent to the one that has the fault. */
  readonly isNamed: boolean;
  /** Requirements that the row of the fault does not name, and that the judge of traffic sees broken in it. */
  readonly inTraffic: readonly string[];
}

/**
 * The least part of a run that finds a fault by itself and accuses the server of nothing else: a case, a unit, or the
 * whole run. One by which the comparison tells the broken server as well is taken before one by which it does not, and
 * one in which the judge of traffic sees nothing else before one in which it does.
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
