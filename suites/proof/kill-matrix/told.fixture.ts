import type { Profile } from '../../../contracts/report/journal.ts';
import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import type { Violation } from '../../protocol/check.ts';
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

/** The level that a violation ends with, where a doubt makes it a warning, is that of its requirement. */
const isSure = ({ requirement, doubt }: Violation): boolean =>
  doubt === undefined || requirementById(requirement).level === 'SHOULD';

/**
 * Sends all that the standard profile has for the operations of some faults to a server that has them all, and notes
 * each case that shows one of them. They have the same operations, and break different requirements.
 */
export async function toldBy(group: readonly Fault[], seed = 1): Promise<readonly ToldFault[]> {
  const sent: Record<string, number> = {};
  const rows = group.map(fault => ({ id: fault.id, due: due(fault), told: {} as Record<string, string[]>, count: 0 }));
  const enough = new AbortController();
  await recordedRun({
    server: { faults: group.map(({ id }) => id), grace: 20 },
    only: group[0]?.endpoints.map(endpoint => `${endpoint}/*`) ?? [],
    hangs: group.some(({ requirement }) => requirement === 'robust.no-hang'),
    run: {
      profile: 'standard',
      seed,
      settleMs: 50,
      signal: enough.signal,
      onCase({ unit, path, attributed }) {
        sent[unit] = (sent[unit] ?? 0) + 1;
        const sure = new Set(attributed.flatMap(({ violation }) => (isSure(violation) ? [violation.requirement] : [])));
        for (const row of rows.filter(one => one.due.some(id => sure.has(id)))) {
          row.told[unit] = [...(row.told[unit] ?? []), path];
          row.count += 1;
        }
        if (rows.every(({ count }) => count >= mostTold)) enough.abort();
      },
    },
  });
  return rows.map(({ id, told }) => ({ id, told, sent }));
}

/** The same, and each fault alone of which nothing was seen beside the others. */
export async function toldAlone(group: readonly Fault[], seed = 1): Promise<readonly ToldFault[]> {
  const together = await toldBy(group, seed);
  const all: ToldFault[] = [];
  for (const [index, one] of together.entries()) {
    const isHidden = group.length > 1 && Object.keys(one.told).length === 0;
    all.push(...(isHidden ? await toldBy(group.slice(index, index + 1), seed) : [one]));
  }
  return all;
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

/** What the plan of the standard profile holds for a sound server: its cases, and all requests of a run of them. */
export interface SoundRun {
  readonly cases: readonly SoundCase[];
  readonly requests: number;
}

/** Sends all that the plan of the standard profile holds to a sound server. */
export async function soundRun(): Promise<SoundRun> {
  const cases: SoundCase[] = [];
  const { end } = await recordedRun({
    run: {
      profile: 'standard',
      settleMs: 50,
      onCase: ({ unit, path, description: { title, pointer }, requests, exercised }) =>
        cases.push({ unit, path, title, pointer, requests, exercised }),
    },
  });
  return { cases, requests: end.stats.requests };
}

/** How many requests a run of a profile sends to a sound server. */
export const requestsOf = async (profile: Profile): Promise<number> =>
  (await recordedRun({ run: { profile, settleMs: 50 } })).end.stats.requests;
