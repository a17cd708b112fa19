import { readFileSync } from 'node:fs';
import type { Profile } from '../../../contracts/report/journal.ts';
import { type Fault, faults } from '../../../reference-server/index.ts';
import { type Detection, detectionOf, runAgainst, type SingleCase } from './detection.fixture.ts';
import { tellingCase } from './telling-case.fixture.ts';

/** How the suite finds a fault. */
export interface Kill extends Detection {
  /** The smallest profile that finds it. */
  readonly profile: Profile;
  /** Where a larger profile than the quick one finds it: the case that does so alone, if one does. */
  readonly telling?: SingleCase;
}

/** Where it stands for every fault; `npm run kill-matrix` writes it. */
export const killsFile = new URL('kills.json', import.meta.url);

let read: Readonly<Record<string, Kill | null>> | undefined;

/** How each fault was found when the matrix was last measured; null where nothing found it. */
export function kills(): Readonly<Record<string, Kill | null>> {
  read ??= JSON.parse(readFileSync(killsFile, 'utf8')) as Record<string, Kill | null>;
  return read;
}

/** Gives a fault to the reference server, and tells how the suite finds it: with a quick run, else with a standard one. */
export async function measureKill(fault: Fault): Promise<Kill | null> {
  for (const profile of ['quick', 'standard'] as const) {
    const record = await runAgainst({ ...fault, profile });
    const detection = detectionOf(record, fault);
    if (detection === null) continue;
    const telling = profile === 'quick' ? undefined : tellingCase(record, fault);
    return { ...detection, profile, ...(telling === undefined ? {} : { telling }) };
  }
  return null;
}

/** A fault, and how it was found. */
export interface FaultKill {
  readonly fault: Fault;
  readonly kill: Kill | null;
}

/** Every fault of the catalogue, in its order. */
export const allKills = (): readonly FaultKill[] => faults.map(fault => ({ fault, kill: kills()[fault.id] ?? null }));
