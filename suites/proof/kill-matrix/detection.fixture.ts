import type { CheckEnd, Profile } from '../../../contracts/report/journal.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import type { LearnedWord } from '../../protocol/sut.ts';
import { type RunRecord, recordedRun, type Setting } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRun } from '../testing/watched-run.ts';

/** A finding in the end of a check. */
export type Finding = CheckEnd['findings'][number];

/** The requests to send to a server: the units, as globs for `--only`, and one case of them or all. */
export interface Sent {
  readonly only: readonly string[];
  /** The value of `--path` for one case. */
  readonly path?: string;
  /** Absent: quick. */
  readonly profile?: Profile;
}

/** Returns all units for the endpoints of a fault. */
export const wholeOf = ({ endpoints }: Fault, profile?: Profile): Sent => ({
  only: endpoints.map(endpoint => `${endpoint}/*`),
  ...(profile === undefined ? {} : { profile }),
});

/** Returns the options of a run against a server with a fault. */
export const settingOf = ({ id, requirement }: Fault, { only, path, profile = 'quick' }: Sent): Setting => ({
  server: { faults: [id], grace: 20 },
  only,
  run: { profile, settleMs: 50, path },
  hangs: requirement === 'robust.no-hang',
});

/** The words learned from the reference server, by the endpoint for which it is asked: no check learns others. */
const taught = new Map<string, Promise<readonly LearnedWord[]>>();

/** Adds learned words, as `--learned` does, to the setting of a replay, so that no replay has to learn them again. */
export async function withLearned(setting: Setting): Promise<Setting> {
  const { server: _, hangs: _hangs, ...sound } = setting;
  if (setting.run?.path === undefined) return setting;
  const [endpoint = ''] = (setting.only?.[0] ?? '').split('/');
  const words =
    taught.get(endpoint) ??
    recordedRun(sound).then(({ events }) =>
      events.flatMap(({ event, ...word }) => (event === 'learned' ? [word as LearnedWord] : [])),
    );
  taught.set(endpoint, words);
  return { ...setting, run: { ...setting.run, learned: await words } };
}

/** Runs the units of a fault's endpoints against a server with it. */
export const runAgainst = (fault: Fault): Promise<RunRecord> =>
  recordedRun(settingOf(fault, wholeOf(fault, fault.profile)));

/** Returns the requirements that a run against a server with a fault may cite. */
export const due = ({ requirement, alsoAs = [] }: Fault): readonly RequirementId[] => [requirement, ...alsoAs];

/** Returns the findings of a run, each with the unit that judged it. */
export const findingsOf = ({ checks }: RunRecord): readonly ({ readonly unit: string } & Finding)[] =>
  [...checks.values()].flatMap(({ id, findings }) => findings.map(finding => ({ unit: id, ...finding })));

/** True if a run has found its fault. A mere warning for a MUST, given out of doubt, does not count. */
export const isFoundIn = (record: RunRecord, fault: Fault): boolean => {
  const rows: readonly string[] = due(fault);
  return findingsOf(record).some(
    ({ requirement, level }) => rows.includes(requirement) && level === requirementById(requirement).level,
  );
};

/**
 * Runs what is sent against a server with a fault. If the fault shows only in the requests that learn words, runs it
 * again without learned words.
 */
export async function notedRun(fault: Fault, sent: Sent): Promise<WatchedRun> {
  const setting = settingOf(fault, sent);
  const run = await watchedRun(await withLearned(setting));
  return sent.path === undefined || isFoundIn(run.record, fault) ? run : watchedRun(setting);
}

/** How a fault was found. */
export interface Detection {
  /** The units (`endpoint/check`) with a finding that cites a requirement of the fault. */
  readonly by: readonly string[];
  /** Requests up to the first such finding, in the order of the lane. */
  readonly requests: number;
  /** The extent of the smallest counterexample. */
  readonly size: 'one field' | 'a sequence' | 'the whole request';
}

/**
 * Returns the number of requests that a lane sends before a case: those of the earlier active units, and the unit's own
 * earlier cases.
 */
function requestsBefore(record: RunRecord, unit: string, index: number): number {
  const planned = record.start.plan;
  const own = planned.find(({ id }) => id === unit);
  let requests = 0;
  for (const { id, lane } of planned) {
    if (lane !== own?.lane) continue;
    const { stats } = record.checks.get(id) ?? { stats: { requests: 0, cases: 1 } };
    if (id !== unit) {
      requests += stats.requests;
      continue;
    }
    const perCase = stats.requests / Math.max(1, stats.cases);
    return requests + Math.ceil(index * perCase) + 1;
  }
  return requests + 1;
}

function sizeOf(finding: Finding): Detection['size'] {
  const { counterexample } = finding;
  if (Array.isArray(counterexample?.sent) && counterexample.pointer === '') return 'a sequence';
  return counterexample !== undefined && counterexample.pointer !== '' ? 'one field' : 'the whole request';
}

const sizes: readonly Detection['size'][] = ['one field', 'a sequence', 'the whole request'];

/** Returns how a run found a fault; null if it did not. */
export function detectionOf(record: RunRecord, fault: Fault): Detection | null {
  const rows: readonly string[] = due(fault);
  const found = [...record.checks.values()].flatMap(({ id, findings }) =>
    findings
      .filter(({ requirement, level }) => rows.includes(requirement) && level === requirementById(requirement).level)
      .map(finding => ({ id, finding })),
  );
  if (found.length === 0) return null;
  const requests = found.map(({ id, finding }) =>
    requestsBefore(record, finding.counterexample?.unit ?? id, finding.counterexample?.index ?? 0),
  );
  const seen = found.map(({ finding }) => sizeOf(finding));
  return {
    by: [...new Set(found.map(({ id }) => id))].sort(),
    requests: Math.min(...requests),
    size: sizes.find(size => seen.includes(size)) ?? 'the whole request',
  };
}
