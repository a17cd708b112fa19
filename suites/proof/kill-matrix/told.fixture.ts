import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import { recordedRun } from '../testing/reference-run.ts';
import { due } from './detection.fixture.ts';

/** After so many cases that show a fault, nothing is learned from one more. */
const mostTold = 120;

/** Which cases show a fault, each by its own judgement. */
export interface ToldFault {
  /** The id of the fault. */
  readonly id: string;
  /** The paths of the cases that show it, by unit (`endpoint/check`). */
  readonly told: Readonly<Record<string, readonly string[]>>;
  /** How many cases of each unit were sent. */
  readonly sent: Readonly<Record<string, number>>;
}

/** Sends all that the standard profile has for the endpoints of a fault, and notes each case that shows it. */
export async function toldBy(fault: Fault, seed = 1): Promise<ToldFault> {
  const { id, endpoints, requirement } = fault;
  const rows: readonly string[] = due(fault);
  const told: Record<string, string[]> = {};
  const sent: Record<string, number> = {};
  const enough = new AbortController();
  let count = 0;
  await recordedRun({
    server: { faults: [id], grace: 20 },
    only: endpoints.map(endpoint => `${endpoint}/*`),
    hangs: requirement === 'robust.no-hang',
    run: {
      profile: 'standard',
      seed,
      settleMs: 50,
      signal: enough.signal,
      onCase({ unit, path, attributed }) {
        sent[unit] = (sent[unit] ?? 0) + 1;
        const shows = attributed.some(
          ({ violation }) =>
            rows.includes(violation.requirement) &&
            (violation.doubt === undefined || requirementById(violation.requirement).level === 'SHOULD'),
        );
        if (!shows) return;
        told[unit] = [...(told[unit] ?? []), path];
        count += 1;
        if (count >= mostTold) enough.abort();
      },
    },
  });
  return { id, told, sent };
}

/** A case of a sound server: what it costs, and what it could have shown to be broken. */
export interface SoundCase {
  readonly unit: string;
  readonly path: string;
  readonly title: string;
  readonly pointer: string;
  readonly requests: number;
  readonly exercised: readonly string[];
}

/** What a run of the standard profile sends to a sound server: its cases, and all its requests. */
export interface SoundRun {
  readonly cases: readonly SoundCase[];
  readonly requests: number;
}

/** Sends all of the standard profile to a sound server. */
export async function soundRun(seed = 1): Promise<SoundRun> {
  const cases: SoundCase[] = [];
  const { end } = await recordedRun({
    run: {
      profile: 'standard',
      seed,
      settleMs: 50,
      onCase: ({ unit, path, description: { title, pointer }, requests, exercised }) =>
        cases.push({ unit, path, title, pointer, requests, exercised }),
    },
  });
  return { cases, requests: end.stats.requests };
}
