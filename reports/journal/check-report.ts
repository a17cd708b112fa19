import { usualSettleMs } from '../../contracts/duration.ts';
import { distinct } from '../../contracts/grouped.ts';
import { compact, present } from '../../contracts/present.ts';
import type { Counterexample, Finding } from '../../contracts/report/evidence.ts';
import type {
  CheckEnd,
  CheckStats,
  Learned,
  LeftBehind,
  Notice,
  Observation,
  PlannedCheck,
  PlannedEffect,
  RunEnd,
  RunEvent,
  RunStart,
} from '../../contracts/report/journal.ts';
import type { CellsEvent } from '../../contracts/report/ledger.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import type { TrafficSummary } from '../../contracts/report/traffic.ts';
import { countedVerdict } from '../../contracts/report/verdict.ts';
import { type Scoring, scoredEnd, scoringIn } from '../../contracts/requirements/sets.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { curlLine, invocation, shellWord, singleQuoted } from '../text/shell.ts';

/** Maximum findings kept for one check; `moreFindings` counts the others. */
const mostFindings = 50;

/** Returns the report of an ended check: its verdict as the run counts it, its findings with their commands. */
function endedCheck(plan: PlannedCheck, event: CheckEnd, start: RunStart, hasLearned: boolean): CheckReport {
  const scoring = scoringIn(start);
  const { verdict, because, remedy, blockedBy, findings, notExercised, exercised, stats } = scoredEnd(event, scoring);
  const { failures, warnings } = event.leftOut ?? { failures: 0, warnings: 0 };
  const leftOut = failures + (start.options.strict ? warnings : 0);
  const more = leftOut + Math.max(0, findings.length - mostFindings);
  const withCommands = (finding: Finding): ReportedFinding => ({
    ...finding,
    ...present({
      curl: finding.exchange && curlLine(finding.exchange),
      // If the finding comes from the traffic of another check, replay that one.
      reproduce: reproduceLine(start, finding.counterexample?.unit ?? plan.id, finding.counterexample, hasLearned),
    }),
  });
  return {
    ...planned(plan, scoring),
    verdict: countedVerdict(verdict, start.options.strict),
    ...present({ because, remedy, blockedBy }),
    findings: findings.slice(0, mostFindings).map(withCommands),
    ...(more > 0 ? { moreFindings: more } : {}),
    notExercised,
    ...present({ exercised }),
    stats,
  };
}

/** Returns the report of a planned check that did not end. */
export function unendedCheck(plan: PlannedCheck, scoring: Scoring): CheckReport {
  return {
    ...planned(plan, scoring),
    verdict: 'untested',
    because: 'the run ended before it',
    findings: [],
    notExercised: [],
    stats: summedStats([]),
  };
}

function planned({ id, check, title, level, requirements, side }: PlannedCheck, scoring: Scoring) {
  const isUnscored = requirements.length > 0 && requirements.every(one => scoring(one, level).notScored);
  const notScored = isUnscored ? (true as const) : undefined;
  return { id, check, title, level, requirements, ...present({ notScored, side }) };
}

/** Returns a row of the plan for a check that ended without having one. */
function unplannedRow({ id, endpoint, check, level, findings }: CheckEnd): PlannedCheck {
  const requirements = distinct(findings.map(finding => finding.requirement));
  return { id, endpoint, check, level, title: check, requirements, lane: '' };
}

/** Returns the sums of the figures of several checks. */
export function summedStats(checks: readonly { readonly stats: CheckStats }[]): CheckStats {
  const total: CheckStats = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  for (const { stats } of checks)
    for (const key of ['cases', 'requests', 'accepted', 'refused', 'durationMs'] as const) total[key] += stats[key];
  return total;
}

/** True if a finding comes from a request beside the cases: before, after or between them. */
export const isOfNoCase = (counterexample: Pick<Counterexample, 'path'> | undefined): boolean =>
  counterexample?.path === '';

/**
 * Returns the selection for `--only` that shows a finding again, and the `--path` of its case. The minimal request
 * needs no path, because every run of its check sends it. A finding without a case needs the whole operation.
 */
export function replayed(
  check: string,
  counterexample: Pick<Counterexample, 'path'> | undefined,
): { readonly only: string; readonly path: string | undefined } {
  if (isOfNoCase(counterexample)) return { only: check.replace(/\/.*/s, '/*'), path: undefined };
  return { only: check, path: counterexample?.path === 'plain' ? undefined : counterexample?.path };
}

/** The source that stands for the traffic of a proxy, of which no file is known. */
const proxySource = 'the proxy';

/**
 * Returns the command that replays one check, or exactly the case of a counterexample, with the seed and profile of the
 * run. A run against the embedded server is replayed against it. Undefined for traffic that no file holds.
 */
export function reproduceLine(
  run: RunStart,
  check: string,
  counterexample?: Pick<Counterexample, 'path'>,
  hasLearned = false,
): string | undefined {
  const { target, options, seed, profile } = run;
  const flag = (name: string, value: string | undefined) =>
    // `--seed=-5`: a separate `-5` would be read as a flag.
    value !== undefined && `${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
  // Recorded traffic is judged again, never sent again.
  if (options.traffic) {
    const { sources, soleWriter, settleMs, expected } = options.traffic;
    if (sources.length === 0 || sources.includes(proxySource)) return undefined;
    return compact([
      `${invocation} judge`,
      ...sources.map(shellWord),
      flag('--base-url', target.baseUrl),
      soleWriter && '--sole-writer',
      settleMs !== usualSettleMs && `--settle ${settleMs}ms`,
      options.strict && '--strict',
      flag('--expect-breach', expected),
    ]).join(' ');
  }
  const { only, path } = replayed(check, counterexample);
  return compact([
    `${invocation} run`,
    !target.embedded && flag('--base-url', target.baseUrl),
    flag('--config', options.config),
    `--only ${singleQuoted(only)}`,
    flag('--seed', String(seed)),
    flag('--profile', profile),
    options.readOnly && '--read-only',
    options.strict && '--strict',
    hasLearned && flag('--learned', options.journal),
    flag('--path', path),
  ]).join(' ');
}

/** Maximum observations, planned effects, learned names, entries of residue and notices kept for a run. */
const bounds = { observations: 2_000, plannedEffects: 5_000, learned: 1_000, leftBehind: 5_000, notices: 100 } as const;

const worstVerdictFirst = ['fail', 'error', 'untested', 'warn', 'pass', 'not-applicable'] as const;

/** Returns the empty state, before the first event of a journal. */
export const nothingCollected = () => ({
  starts: [] as RunStart[],
  ends: [] as RunEnd[],
  cells: [] as CellsEvent[],
  planned: new Map<string, PlannedCheck>(),
  ended: new Map<string, CheckReport>(),
  observations: new Map<string, Observation>(),
  plannedEffects: new Map<string, PlannedEffect>(),
  learned: new Map<string, Learned>(),
  leftBehind: new Map<string, LeftBehind>(),
  notices: new Map<string, Notice>(),
  traffic: undefined as TrafficSummary | undefined,
});

/** The state collected from the events of a journal. */
export type Collected = ReturnType<typeof nothingCollected>;

/** Returns the first start of a run. Throws if there is none. */
export function startOf({ starts: [start] }: Collected): RunStart {
  if (!start) throw new Error('The journal does not begin with a run-start.');
  return start;
}

/** Adds one event. */
export function collect(into: Collected, event: RunEvent): void {
  switch (event.event) {
    case 'run-start':
      into.starts.push(event);
      for (const check of event.plan) if (!into.planned.has(check.id)) into.planned.set(check.id, check);
      break;
    case 'check-end':
      endCheck(into, event);
      break;
    case 'observation': {
      const key = JSON.stringify([event.requirement, event.endpoint, event.subject, event.value]);
      const count = (into.observations.get(key)?.count ?? 0) + (event.count ?? 1);
      keep(into.observations, key, { ...event, count }, bounds.observations);
      break;
    }
    case 'learned': {
      const key = JSON.stringify([event.kind, event.value, event.heldBy]);
      const refusedBy = distinct([...(into.learned.get(key)?.refusedBy ?? []), ...(event.refusedBy ?? [])]);
      keep(into.learned, key, { ...event, ...(refusedBy.length === 0 ? {} : { refusedBy }) }, bounds.learned);
      break;
    }
    case 'planned-effects':
      for (const effect of event.effects)
        keep(into.plannedEffects, JSON.stringify(effect), effect, bounds.plannedEffects);
      break;
    case 'left-behind':
      keep(into.leftBehind, JSON.stringify(event), event, bounds.leftBehind);
      break;
    case 'notice':
      keep(into.notices, JSON.stringify(event), event, bounds.notices);
      break;
    case 'cells':
      into.cells.push(event);
      break;
    case 'traffic':
      into.traffic = event;
      break;
    case 'run-end':
      into.ends.push(event);
  }
}

/** If a check ended several times, the worst end counts, unless the last one replaces the others. */
function endCheck(into: Collected, event: CheckEnd): void {
  const start = startOf(into);
  // Report a check even if it was not planned: no failure may get lost.
  const plan = into.planned.get(event.id) ?? unplannedRow(event);
  into.planned.set(event.id, plan);
  const check = endedCheck(plan, event, start, into.learned.size > 0);
  const before = into.ended.get(event.id);
  const rank = ({ verdict }: CheckReport) => worstVerdictFirst.indexOf(verdict);
  if (event.replaces || !before || rank(check) < rank(before)) into.ended.set(event.id, check);
}

function keep<T>(into: Map<string, T>, key: string, value: T, bound: number): void {
  if (into.has(key) || into.size < bound) into.set(key, value);
}
