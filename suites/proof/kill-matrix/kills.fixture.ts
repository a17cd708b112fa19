import type { Profile } from '../../../contracts/report/journal.ts';
import { type Fault, faults } from '../../../reference-server/index.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import { watchedRun } from '../testing/watched-run.ts';
import { type Detection, detectionOf, isFoundIn, type Sent, settingOf, wholeOf } from './detection.fixture.ts';
import { notedFor } from './noted.fixture.ts';
import { beside, problemsOfRun } from './problems.fixture.ts';

/** How the suite finds a fault. */
export interface Kill extends Detection {
  /** The smallest profile that finds it. */
  readonly profile: Profile;
  /** The fewest requests known to find it without another accusation; `npm test` sends these. */
  readonly noted: Sent;
  /** The comparison of whole runs of two servers attributes it to the faulty one. Absent: it does not. */
  readonly named?: true;
  /** The same for the noted requests. */
  readonly notedNamed?: true;
  /** Other requirements that the judge of traffic sees broken in the noted case. */
  readonly inTraffic?: readonly string[];
}

/** The file of the results; `npm run prove -- kill-matrix` writes it. */
export const killsFile = new URL('kills.json', import.meta.url);

let read: NotedRows<Kill> | undefined;

/** Returns how each fault was found when the matrix was last measured. */
export function kills(): NotedRows<Kill> {
  read ??= readRows<Kill>(killsFile);
  return read;
}

/**
 * Measures how the suite finds a fault in the reference server: with a quick run of its endpoints, otherwise a standard
 * one. Notes the part of that run that finds it alone.
 */
export async function measureKill(
  fault: Fault,
): Promise<{ readonly noted?: Kill; readonly problems: readonly string[] }> {
  for (const profile of ['quick', 'standard'] as const) {
    const sent = wholeOf(fault, profile);
    const run = await watchedRun(settingOf(fault, sent));
    const isLast = profile === 'standard';
    if (!isFoundIn(run.record, fault) && !isLast) continue;
    const detection = detectionOf(run.record, fault);
    const { isNamed, wrongly } = await beside(fault, run, sent);
    const problems = [...problemsOfRun(fault, run.record), ...wrongly];
    if (detection === null || problems.length > 0) return { problems };
    const { sent: noted, ...ofNoted } = await notedFor(fault, run.record, { sent, isNamed, inTraffic: [] });
    return {
      problems,
      noted: {
        ...detection,
        profile,
        noted,
        ...(isNamed ? { named: true } : {}),
        ...(ofNoted.isNamed ? { notedNamed: true } : {}),
        ...(ofNoted.inTraffic.length === 0 ? {} : { inTraffic: ofNoted.inTraffic }),
      },
    };
  }
  throw new Error('a standard run is the last');
}

/** A fault, and how it was found. */
export interface FaultKill {
  readonly fault: Fault;
  readonly kill: Kill | null;
}

/** Returns every fault of the catalogue, in its order. */
export const allKills = (): readonly FaultKill[] => faults.map(fault => ({ fault, kill: kills()[fault.id] ?? null }));
