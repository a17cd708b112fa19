import type { EndpointId } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, CheckStats } from '../../contracts/report/journal.ts';
import { verdictOfFindings } from '../../contracts/report/verdict.ts';
import { checkOf } from '../checks/index.ts';
import type { Unit } from '../checks/units.ts';
import type { UnitOutcome } from './execution.ts';

/** The end of a unit, without its findings. */
export type Ending = Pick<
  CheckEnd,
  'verdict' | 'notExercised' | 'stats' | 'because' | 'remedy' | 'blockedBy' | 'exercised'
>;

export const noCases: CheckStats = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };

/** Returns the ending of an untested unit. */
export const untested = (because: string, more: Partial<Ending> = {}): Ending => ({
  verdict: 'untested',
  because,
  notExercised: [],
  stats: noCases,
  ...more,
});

/**
 * Returns the ending of an active unit: a pass if at least one case proved something. Provisional proofs count only if
 * the minimal request was accepted (`minimalAccepted`).
 */
export function endingOf(
  outcome: UnitOutcome,
  durationMs: number,
  endpoint: EndpointId,
  minimalAccepted: boolean,
): Ending {
  const { cases, requests, accepted, refused, because, remedy } = outcome;
  const notExercised = [...outcome.notExercised];
  const stats = { cases, requests, accepted, refused, durationMs: Math.round(durationMs) };
  const proved = outcome.proved - (minimalAccepted ? 0 : outcome.provisional);
  const shown = [...outcome.exercised, ...(minimalAccepted ? outcome.exercisedIfAccepted : [])];
  const exercised = [...new Set(shown)].sort();
  if (proved > 0) return { verdict: 'pass', notExercised, stats, exercised };
  const blocked = outcome.proved > 0;
  const why = blocked
    ? 'the minimal request of this endpoint was not accepted, so a refusal proves nothing'
    : 'nothing was sent';
  return {
    ...untested(because[0] ?? why, { notExercised, stats }),
    ...present({ remedy }),
    ...(blocked ? { blockedBy: `${endpoint}/${checkOf('minimal-request').id}` } : {}),
  };
}

/** Returns the event for the end of a unit. Findings decide the verdict, unless the suite itself failed. */
export function checkEnd(unit: Unit, ending: Ending, findings: Finding[]): CheckEnd {
  const judged = findings.length > 0 && ending.verdict !== 'error';
  const { because, remedy, blockedBy, ...rest } = ending;
  return {
    event: 'check-end',
    id: unit.id,
    endpoint: unit.endpoint,
    check: unit.check.id,
    level: unit.check.level,
    ...rest,
    ...(judged ? {} : present({ because, remedy, blockedBy })),
    verdict: judged ? verdictOfFindings(findings) : ending.verdict,
    findings,
  };
}
