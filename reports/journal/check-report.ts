import { compact, present } from '../../contracts/present.ts';
import type { Counterexample, Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, CheckStats, PlannedCheck, RunStart } from '../../contracts/report/journal.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import { countedVerdict } from '../../contracts/report/verdict.ts';
import { type Scoring, scoredEnd } from '../../contracts/requirements/sets.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { curlLine, invocation, shellWord, singleQuoted } from '../text/shell.ts';

/** The most findings of one check that are kept; `moreFindings` counts the others. */
const mostFindings = 50;

/** Returns the report of a check that ended: its verdict as the run counts it, its findings with their commands. */
export function endedCheck(
  plan: PlannedCheck,
  event: CheckEnd,
  start: RunStart,
  scoring: Scoring,
  hasLearned = false,
): CheckReport {
  const { verdict, because, remedy, blockedBy, findings, notExercised, exercised, stats } = scoredEnd(event, scoring);
  const more = findings.length - mostFindings;
  return {
    ...planned(plan, scoring),
    verdict: countedVerdict(verdict, start.options.strict),
    ...present({ because, remedy, blockedBy }),
    findings: findings.slice(0, mostFindings).map(finding => withCommands(finding, plan, start, hasLearned)),
    ...(more > 0 ? { moreFindings: more } : {}),
    notExercised,
    ...present({ exercised }),
    stats,
  };
}

function withCommands(finding: Finding, plan: PlannedCheck, start: RunStart, hasLearned: boolean): ReportedFinding {
  return {
    ...finding,
    ...(finding.exchange ? { curl: curlLine(finding.exchange) } : {}),
    // If the finding comes from the traffic of another check, replay that one.
    reproduce: reproduceLine(start, finding.counterexample?.unit ?? plan.id, finding.counterexample, hasLearned),
  };
}

/** Returns the report of a check that was planned and did not end. */
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
  const isUnscored = requirements.length > 0 && requirements.every(one => scoring(one, level).notScored !== undefined);
  const notScored = isUnscored ? (true as const) : undefined;
  return { id, check, title, level, requirements, ...present({ notScored, side }) };
}

/** Returns a row of the plan for a check that ended without having one. */
export function unplannedRow({ id, endpoint, check, level, findings }: CheckEnd): PlannedCheck {
  const requirements = [...new Set(findings.map(finding => finding.requirement))];
  return { id, endpoint, check, level, title: check, requirements, lane: '' };
}

/** Adds up the figures of several checks. */
export function summedStats(checks: readonly { readonly stats: CheckStats }[]): CheckStats {
  const total: CheckStats = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  for (const { stats } of checks)
    for (const key of ['cases', 'requests', 'accepted', 'refused', 'durationMs'] as const) total[key] += stats[key];
  return total;
}

/** True of a finding that no case shows: what the run sent beside its cases did, before them, after them or between. */
export const isOfNoCase = (counterexample: Pick<Counterexample, 'path'> | undefined): boolean =>
  counterexample?.path === '';

/**
 * Returns what sends again what showed a finding of a check (`endpoint/check`): a selection, as `--only` takes it, and
 * the `--path` of its case. The minimal request has none: every run of its check sends it. What no case shows takes all
 * of the operation.
 */
export function replayed(
  check: string,
  counterexample: Pick<Counterexample, 'path'> | undefined,
): { readonly only: string; readonly path: string | undefined } {
  if (isOfNoCase(counterexample)) return { only: check.replace(/\/.*/s, '/*'), path: undefined };
  return { only: check, path: counterexample?.path === 'plain' ? undefined : counterexample?.path };
}

/**
 * Returns the command that replays one check, or with a counterexample exactly that case, with the seed and profile of
 * the run. A run against the embedded server is replayed against the embedded server.
 *
 * @param check the id of the check, `endpoint/check`
 * @param hasLearned true if the run learned names: they are taken from its journal, where there is one, for learned anew
 *   they might be others
 */
export function reproduceLine(
  run: RunStart,
  check: string,
  counterexample?: Pick<Counterexample, 'path'>,
  hasLearned = false,
): string {
  const { target, options, seed, profile } = run;
  // What others sent is judged again, never sent again.
  if (options.traffic !== undefined) return [invocation, 'judge', ...options.traffic.sources.map(shellWord)].join(' ');
  const { only, path } = replayed(check, counterexample);
  const flag = (name: string, value: string | undefined) =>
    // `--seed=-5`: a separate `-5` would be read as a flag.
    value !== undefined && `${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
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
