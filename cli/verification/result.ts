import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import { verdictOfFindings } from '../../contracts/report/verdict.ts';
import { reportOfEvents } from '../report-file.ts';
import type { Contradiction } from './journal-rules.ts';

/** The events from which a report could have been folded: what it says of each check, and how the run ended. */
export function eventsOf(report: Report): readonly RunEvent[] {
  const { target, tool, seed, token, profile, requirementSet, options, startedAt, outcome, because, stats } = report;
  const checks = report.endpoints.flatMap(({ id, checks: own }) => own.map(check => ({ endpoint: id, check })));
  const { requests, cases, extended, retries, durationMs } = stats;
  return [
    {
      event: 'run-start',
      version: 2,
      tool,
      target,
      seed,
      token,
      profile,
      ...present({ requirementSet }),
      options,
      startedAt,
      plan: checks.map(({ endpoint, check: { id, check, title, level, requirements, side } }) => ({
        id,
        endpoint,
        check,
        level,
        title,
        requirements,
        lane: endpoints[endpoint].collection,
        ...present({ side }),
      })),
    },
    { event: 'planned-effects', effects: report.plannedEffects ?? [] },
    ...(report.learned ?? []),
    ...report.observations,
    ...report.leftBehind,
    ...report.notices,
    ...checks.map(({ endpoint, check: { id, check, level, verdict, findings, ...rest } }): RunEvent => {
      const found = verdictOfFindings(findings);
      const { because: why, remedy, blockedBy, notExercised, exercised } = rest;
      return {
        event: 'check-end',
        id,
        endpoint,
        check,
        level,
        // Under --strict a report counts a warning as a failure.
        verdict: options.strict && verdict === 'fail' && found === 'warn' ? 'warn' : verdict,
        findings: findings.map(({ curl: _, reproduce: __, ...finding }) => finding),
        notExercised,
        stats: rest.stats,
        ...present({ because: why, remedy, blockedBy, exercised }),
      };
    }),
    ...(report.truncated || outcome === 'truncated'
      ? []
      : [
          {
            event: 'run-end' as const,
            outcome,
            ...present({ because }),
            stats: { requests, cases, durationMs, ...present({ extended, retries }) },
          },
        ]),
  ];
}

/** What of a report is not folded from its journal: it was judged besides, or it is about how it is shown. */
const besides = new Set(['baseline', 'traffic']);

const withoutCommands = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, member) => (name === 'curl' || name === 'reproduce' ? undefined : member)));

/**
 * Where a report says something else than follows from the events of the run. Coverage follows from the journal alone
 * (its `cells`): `isAlone` of a report that came without one, whose coverage is taken as it stands.
 */
export function contradictionsBetween(
  report: Report,
  events: readonly RunEvent[],
  isAlone = false,
): readonly Contradiction[] {
  const folded = reportOfEvents(events);
  const isShort = report.coverage?.min !== undefined;
  const made = isAlone
    ? { ...folded, coverage: report.coverage, ...(isShort ? { exitCode: report.exitCode } : {}) }
    : folded;
  const keys = [...new Set([...Object.keys(report), ...Object.keys(made)])] as (keyof Report)[];
  const differing = keys.filter(
    key =>
      !besides.has(key) &&
      // What a baseline knows changes the exit code, and is said.
      !(key === 'exitCode' && report.baseline !== undefined) &&
      !isDeepStrictEqual(withoutCommands({ value: report[key] }), withoutCommands({ value: made[key] })),
  );
  return differing.flatMap(key => {
    if (key !== 'endpoints')
      return [`the report's ${key} is not what follows from the run${shownPair(report[key], made[key])}`];
    const own = new Map(made.endpoints.flatMap(one => one.checks.map(check => [check.id, check] as const)));
    const wrong = report.endpoints.flatMap(one => [
      ...(one.verdict === made.endpoints.find(({ id }) => id === one.id)?.verdict ? [] : [`the verdict of ${one.id}`]),
      ...one.checks.flatMap(check =>
        isDeepStrictEqual(withoutCommands(check), withoutCommands(own.get(check.id) ?? null)) ? [] : [check.id],
      ),
    ]);
    return [`the report says of ${wrong.slice(0, 5).join(', ') || 'its endpoints'} something else than the run`];
  });
}

const shownPair = (said: unknown, follows: unknown): string => {
  const isShort = [said, follows].every(
    one => one === undefined || ['string', 'number', 'boolean'].includes(typeof one),
  );
  return isShort ? `: it says ${said ?? 'nothing'}, and ${follows ?? 'nothing'} follows` : '';
};

/** What of the whole a result leaves out: what was not run, or not to its end. */
export function omissionsOf({ options, truncated, outcome, endpoints: told }: Report): readonly string[] {
  const { only, skip, shard, readOnly, path, bail } = options;
  const unproven = told.flatMap(({ checks }) =>
    checks.filter(({ verdict }) => ['untested', 'error'].includes(verdict)).map(({ id }) => id),
  );
  return [
    ...(truncated
      ? ['it was cut off before its end']
      : outcome === 'complete'
        ? []
        : [`it did not complete: ${outcome}`]),
    ...(only.length > 0 ? [`only ${only.join(', ')} was run`] : []),
    ...(skip.length > 0 ? [`${skip.join(', ')} was left out`] : []),
    ...(shard === undefined ? [] : [`it is shard ${shard.index} of ${shard.total} alone`]),
    ...(readOnly ? ['nothing but GET was sent'] : []),
    ...(path === undefined ? [] : [`it replays one case: ${path}`]),
    ...(bail === undefined ? [] : [`it was to end after ${bail} causes`]),
    ...told.flatMap(({ id, verdict }) => (verdict === 'not-applicable' ? [`${id} is said not to be served`] : [])),
    ...(unproven.length === 0 ? [] : [`not tested: ${listed(unproven)}`]),
  ];
}

const listed = (ids: readonly string[]): string =>
  ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ');

/** What else a reader has to know of a result that is sound in itself: under which conditions it was made. */
export function conditionsOf({ options: { timeMs }, baseline, requirementSet, target }: Report): readonly string[] {
  return [
    ...(timeMs === undefined ? [] : ['it looked for more as long as it had time']),
    ...(baseline === undefined
      ? []
      : [`a baseline forgives ${baseline.known.length} of its findings: ${baseline.file}`]),
    ...(requirementSet === undefined ? ['it names no set of requirements'] : []),
    ...(target.embedded ? ['it tested the reference server of the suite'] : []),
  ];
}
