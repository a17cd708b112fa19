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

/** The events of a run against a misbehaving target, and what follows from them. */
export interface HostileRun {
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  readonly checks: ReadonlyMap<string, CheckEnd>;
  readonly verdict: RunVerdict;
  readonly endpoints: ReadonlyMap<EndpointId, string>;
  /** Planned checks that ended never or more than once. */
  readonly unended: readonly string[];
  /** Events that the journal's schema does not allow. */
  readonly invalid: readonly string[];
  /** The whole journal as text. */
  readonly journal: string;
}

/** Runs the quick plan against a URL. */
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
 * Selects every active check at one of its endpoints, and all passive checks. The endpoint changes with the turn, so
 * that as many turns as there are endpoints cover everything.
 */
export function sample(turn: number): Selection {
  const units = allUnits();
  const sending = checks.map(check => units.filter(unit => unit.check === check && check.kind === 'active'));
  const sent = sending.flatMap((own, index) => own[(turn + index) % own.length] ?? []);
  const judging = units.filter(({ check }) => check.kind === 'passive');
  return { only: [...sent, ...judging].map(({ id }) => id), skip: [] };
}

/** Returns what events say about a run, and what is wrong with them. */
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

/** The maximum length of a journal of the quick plan in characters, whatever the target sends. */
const longestJournal = 20_000_000;

/**
 * Expects what must hold for any target: every check ended once, valid events, no fault of the suite, no key in the
 * journal, and no conformant verdict.
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
