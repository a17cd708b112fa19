import type { CheckEnd, Profile } from '../../../contracts/report/journal.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import type { LearnedWord } from '../../protocol/sut.ts';
import { type RunRecord, recordedRun, type Setting } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRun } from '../testing/watched-run.ts';

/** A finding, as the end of a check tells it. */
export type Finding = CheckEnd['findings'][number];

/** What of the suite is sent to a server: the units, by globs as `--only` takes them, and one case of them or all. */
export interface Sent {
  readonly only: readonly string[];
  /** What `--path` takes to send one case. */
  readonly path?: string;
  /** Quick when absent. */
  readonly profile?: Profile;
}

/** All that the suite has for the endpoints of a fault. */
export const wholeOf = ({ endpoints }: Fault, profile?: Profile): Sent => ({
  only: endpoints.map(endpoint => `${endpoint}/*`),
  ...(profile === undefined ? {} : { profile }),
});

/** How a server that has a fault is sent something. */
export const settingOf = ({ id, requirement }: Fault, { only, path, profile = 'quick' }: Sent): Setting => ({
  server: { faults: [id], grace: 20 },
  only,
  run: { profile, settleMs: 50, path },
  hangs: requirement === 'robust.no-hang',
});

/** What the reference server teaches, by the units for which it is asked. */
const taught = new Map<string, Promise<readonly LearnedWord[]>>();

/**
 * The same where it replays a case, with the words that the reference server teaches, as `--learned` has them: no replay
 * has to learn them anew.
 */
export async function withLearned(setting: Setting): Promise<Setting> {
  const { server: _, hangs: _hangs, ...sound } = setting;
  if (setting.run?.path === undefined) return setting;
  const units = JSON.stringify(setting.only);
  const words =
    taught.get(units) ??
    recordedRun(sound).then(({ events }) =>
      events.flatMap(({ event, ...word }) => (event === 'learned' ? [word as LearnedWord] : [])),
    );
  taught.set(units, words);
  return { ...setting, run: { ...setting.run, learned: await words } };
}

/** Runs what the suite has for the endpoints of a fault against a server that has it. */
export const runAgainst = (fault: Fault): Promise<RunRecord> =>
  recordedRun(settingOf(fault, wholeOf(fault, fault.profile)));

/** The requirements that a run against a server with a fault may cite. */
export const due = ({ requirement, alsoAs = [] }: Fault): readonly RequirementId[] => [requirement, ...alsoAs];

/** The findings of a run, each with the unit that judged it. */
export const findingsOf = ({ checks }: RunRecord): readonly ({ readonly unit: string } & Finding)[] =>
  [...checks.values()].flatMap(({ id, findings }) => findings.map(finding => ({ unit: id, ...finding })));

/** Whether a run has found its fault: what is no more than a warning, for a doubt, has not found what is a MUST. */
export const isFoundIn = (record: RunRecord, fault: Fault): boolean => {
  const rows: readonly string[] = due(fault);
  return findingsOf(record).some(
    ({ requirement, level }) => rows.includes(requirement) && level === requirementById(requirement).level,
  );
};

/**
 * What comes of sending something to a server that has a fault. What shows the fault only in what is read in order to
 * learn is sent once more, and learns by itself.
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
  /** Requests until the first such finding, in the order of the lane. */
  readonly requests: number;
  /** What the smallest of the counterexamples changes. */
  readonly size: 'one field' | 'a sequence' | 'the whole request';
}

/**
 * Requests that a lane sends before a case of a unit: all of the active units before it, and the cases of its own
 * before it.
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

/** How a run found a fault; null when it did not. */
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
