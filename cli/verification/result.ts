import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../contracts/endpoints.ts';
import { distinct } from '../../contracts/grouped.ts';
import { compact, present } from '../../contracts/present.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import { tool } from '../../contracts/report/tool.ts';
import { verdictOfFindings } from '../../contracts/report/verdict.ts';
import { scoringIn } from '../../contracts/requirements/sets.ts';
import { leftBy } from '../../reports/baseline/verdict.ts';
import { checksWith } from '../../reports/journal/selections.ts';
import { firstOf } from '../../reports/text/page.ts';
import { reportOfEvents, withMinimum } from '../report-file.ts';
import { planFor } from './evidence-rules.ts';

/**
 * Returns the events from which a report could have been folded: the end of each check, and of the run. They also keep
 * all other members of the report, under the same names.
 */
export function eventsOf(report: Report): readonly RunEvent[] {
  const { options, outcome, because, stats } = report;
  const checks = report.endpoints.flatMap(({ id: endpoint, checks: own }) =>
    own.map(check => ({ ...check, endpoint })),
  );
  return compact<RunEvent>([
    {
      ...report,
      event: 'run-start',
      plan: checks.map(({ id, endpoint, check, title, level, requirements, side }) => ({
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
    ...checks.map((one): RunEvent => {
      // Under --strict a report turns warnings into failures.
      const isWarning = options.strict && one.verdict === 'fail' && verdictOfFindings(one.findings) === 'warn';
      return { ...one, event: 'check-end', verdict: isWarning ? 'warn' : one.verdict };
    }),
    ...(report.coverage?.ledger ?? []).map(one => ({ event: 'cells' as const, ...one })),
    !report.truncated && outcome !== 'truncated' && { event: 'run-end', outcome, ...present({ because }), stats },
  ]);
}

/** Members of a report that do not come from its journal: judged separately, or only about presentation. */
const besides = new Set(['baseline', 'traffic']);

/** Returns a report without the members made for its reader. `moreFindings` counts findings that no report holds. */
const withoutCommands = (value: unknown, isAlone: boolean): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member) =>
      compact(['curl', 'reproduce', isAlone && 'moreFindings']).includes(name) ? undefined : member,
    ),
  );

/** Returns how a report contradicts the events of its run. `isAlone`: the events were taken from the report itself. */
export function contradictionsBetween(report: Report, events: readonly RunEvent[], isAlone = false): readonly string[] {
  const { baseline, options } = report;
  const folded = reportOfEvents(events.map(event => withMinimum(event, options.minCoverage)));
  const made = !baseline
    ? folded
    : { ...folded, exitCode: leftBy(folded, baseline.known, baseline.stale.length > 0).exitCode };
  const isSame = (one: unknown, other: unknown): boolean =>
    isDeepStrictEqual(withoutCommands({ value: one }, isAlone), withoutCommands({ value: other }, isAlone));
  const keys = distinct([...Object.keys(report), ...Object.keys(made)]) as (keyof Report)[];
  const differing = keys.filter(key => !besides.has(key) && !isSame(report[key], made[key]));
  return differing.flatMap(key => {
    if (key !== 'endpoints')
      return [`the report's ${key} is not what follows from the run${shownPair(report[key], made[key])}`];
    const own = new Map(made.endpoints.flatMap(one => one.checks.map(check => [check.id, check] as const)));
    const wrong = report.endpoints.flatMap(one =>
      compact([
        one.verdict !== made.endpoints.find(({ id }) => id === one.id)?.verdict && `the verdict of ${one.id}`,
        ...one.checks.flatMap(check => (isSame(check, own.get(check.id)) ? [] : [check.id])),
      ]),
    );
    return [`the report says of ${wrong.slice(0, 5).join(', ') || 'its endpoints'} something else than the run`];
  });
}

const shownPair = (said: unknown, follows: unknown): string => {
  const isShort = [said, follows].every(
    one => one === undefined || ['string', 'number', 'boolean'].includes(typeof one),
  );
  return isShort ? `: it says ${said ?? 'nothing'}, and ${follows ?? 'nothing'} follows` : '';
};

/** Returns what a result leaves out: what was not run, or not completed. */
export function omissionsOf(report: Report): readonly string[] {
  const { options, truncated, outcome } = report;
  const { only, skip, shard, readOnly, path, bail, traffic } = options;
  const unproven = checksWith(report, 'untested', 'error');
  const inapplicable = checksWith(report, 'not-applicable');
  const unplanned = unplannedIn(report);
  return compact([
    truncated ? 'it was cut off before its end' : outcome !== 'complete' && `it did not complete: ${outcome}`,
    traffic && 'it judges recorded traffic, and sent nothing',
    only.length > 0 && `only ${only.join(', ')} was run`,
    skip.length > 0 && `${skip.join(', ')} was left out`,
    shard && `it is shard ${shard.index} of ${shard.total} alone`,
    readOnly && 'nothing but GET was sent',
    path !== undefined && `it replays one case: ${path}`,
    bail !== undefined && `it was to end after ${bail} causes`,
    inapplicable.length > 0 && !readOnly && !traffic && `said not to apply: ${firstOf(inapplicable, 5)}`,
    unproven.length > 0 && `not tested: ${firstOf(unproven, 5)}`,
    unplanned.length > 0 && `not planned by ${report.tool.version}: ${firstOf(unplanned, 5)}`,
  ]);
}

/**
 * Returns the scored requirements that a run of another version did not plan to check, as far as this suite checks
 * them. For a run of this version the plan is made again instead.
 */
function unplannedIn(report: Report): readonly string[] {
  const { options, tool: made, endpoints: told } = report;
  if (options.traffic || made.version === tool.version) return [];
  const scoring = scoringIn(report);
  const planned = new Set(
    told.flatMap(({ id, checks }) => checks.flatMap(row => row.requirements.map(one => `${id} ${one}`))),
  );
  const rows = planFor(options);
  const due = (rows instanceof Error ? [] : rows).flatMap(({ endpoint, level, requirements }) =>
    requirements.filter(one => !scoring(one, level).notScored).map(one => `${endpoint} ${one}`),
  );
  return distinct(due).filter(one => !planned.has(one));
}

/** Returns the conditions of a result that its reader has to know, even if it is sound. */
export function conditionsOf(report: Report): readonly string[] {
  const { options, baseline, requirementSet, target, tool: made } = report;
  return compact([
    options.timeMs !== undefined && 'it looked for more as long as it had time',
    baseline && `a baseline forgives ${baseline.known.length} of its findings: ${baseline.file}`,
    !requirementSet && 'it names no set of requirements',
    target.embedded && 'it tested the reference server of the suite',
    made.version !== tool.version &&
      `its plan was not made again: ${made.version} made it, and this is ${tool.version}`,
  ]);
}
