import { expect } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type CheckEnd, type RunEnd, type RunEvent, runEvent } from '../../../contracts/report/journal.ts';
import type { RunVerdict } from '../../../contracts/report/report.ts';
import { endpointVerdict, runVerdict } from '../../../contracts/report/verdict.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { referenceTarget } from '../../../reference-server/index.ts';
import { checks } from '../../checks/index.ts';
import { allUnits } from '../../checks/units.ts';
import type { RunOptions } from '../../engine/config.ts';
import type { Selection } from '../../engine/plan.ts';
import { run } from '../../engine/run.ts';
import { targetOf } from '../../sut/target.ts';
import { testKey } from '../testing/reference-run.ts';
import { patient } from './behaviour.fixture.ts';

/** What a run against a target that misbehaves told. */
export interface HostileRun {
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  readonly checks: ReadonlyMap<string, CheckEnd>;
  readonly verdict: RunVerdict;
  readonly endpoints: ReadonlyMap<EndpointId, string>;
  /** Planned checks that were told to have ended not once, but never or several times. */
  readonly unended: readonly string[];
  /** Events that the journal's schema does not allow. */
  readonly invalid: readonly string[];
  /** The whole journal. */
  readonly journal: string;
}

/** Runs the whole quick plan against whatever stands at a URL. */
export async function hostileRun(url: URL, options: Partial<RunOptions> = {}): Promise<HostileRun> {
  const events: RunEvent[] = [];
  await run(
    {
      target: targetOf(referenceTarget(), url, testKey),
      profile: 'quick',
      timeoutMs: patient,
      settleMs: 0,
      token: 'test',
      ...options,
    },
    event => events.push(event),
  );
  return hostileRunOf(events);
}

/**
 * Every check, each at one of its endpoints, and every endpoint under all checks that judge its answers: at which
 * endpoint a check sends differs from turn to turn, so that as many turns as there are endpoints send all that there is.
 */
export function sample(turn: number): Selection {
  const units = allUnits();
  const sending = checks.map(check => units.filter(unit => unit.check === check && check.kind === 'active'));
  const sent = sending.flatMap((own, index) => own[(turn + index) % own.length] ?? []);
  const judging = units.filter(({ check }) => check.kind === 'passive');
  return { only: [...sent, ...judging].map(({ id }) => id), skip: [] };
}

/** What events tell of a run, and what is wrong with them. */
export function hostileRunOf(events: readonly RunEvent[]): HostileRun {
  const end = events.at(-1) as RunEnd;
  const plan = events[0]?.event === 'run-start' ? events[0].plan : [];
  const ends = events.filter(event => event.event === 'check-end');
  const begun = ends.length > 0;
  const endpoints = new Map(
    [...new Set(plan.map(({ endpoint }) => endpoint))].map(endpoint => [
      endpoint,
      begun ? endpointVerdict(ends.filter(one => one.endpoint === endpoint)) : 'incomplete',
    ]),
  );
  const valid = validatorFor(runEvent);
  return {
    events,
    end,
    checks: new Map(ends.map(one => [one.id, one])),
    verdict: runVerdict([...endpoints.values()], end.outcome),
    endpoints,
    unended: begun
      ? plan.map(({ id }) => id).filter(id => ends.filter(one => one.id === id && one.replaces !== true).length !== 1)
      : [],
    invalid: events.flatMap(event => valid(event).map(({ pointer, message }) => `${event.event}${pointer} ${message}`)),
    journal: events.map(event => JSON.stringify(event)).join('\n'),
  };
}

/** The most that a journal of the quick plan may hold, in characters, whatever the target says. */
const longestJournal = 20_000_000;

/**
 * What holds of every run, whatever the target does: every check ended once, valid events, no fault of the suite, the
 * key nowhere, and never conformant.
 */
export function expectSound(run: HostileRun): void {
  expect(run.invalid).toEqual([]);
  expect(run.end.event).toBe('run-end');
  expect(run.unended).toEqual([]);
  expect([...run.checks.values()].filter(({ verdict }) => verdict === 'error')).toEqual([]);
  expect(run.verdict).not.toBe('conformant');
  expect([...run.endpoints].filter(([, verdict]) => verdict === 'conformant')).toEqual([]);
  expect(run.journal.includes(testKey)).toBe(false);
  expect(run.journal.length).toBeLessThan(longestJournal);
}
