import { isDeepStrictEqual } from 'node:util';
import { endpointRow } from '../../contracts/endpoints.ts';
import { distinct, grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import type { CheckEnd, RunEvent } from '../../contracts/report/journal.ts';
import { tool } from '../../contracts/report/tool.ts';
import { isJudged, verdictOfFindings } from '../../contracts/report/verdict.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { errata, scoredEnd, scoringIn, setHash, setNamed } from '../../contracts/requirements/sets.ts';
import { allUnits } from '../../suites/checks/units.ts';
import { evidenceRule, findingRule, ledgerRule, partsOf, planFor, type Rule } from './evidence-rules.ts';

const order: Rule = ({ events, end }) => [
  events.filter(({ event }) => event === 'run-start').length > 1 && 'two runs begin in one journal',
  end && events.at(-1) !== end && 'something stands behind the end of the run',
  events.filter(({ event }) => event === 'run-end').length > 1 && 'the run ends twice',
];

const suite: Rule = ({ start: { tool: made, requirementSet, startedAt }, isOwn }) => {
  const set = requirementSet && setNamed(requirementSet.name);
  return [
    !Number.isFinite(Date.parse(startedAt)) && `it began at ${JSON.stringify(startedAt)}, which is no time`,
    made.name !== tool.name && `it was made by ${made.name}, not by ${tool.name}`,
    !requirementSet && isOwn && 'it names no set of requirements, and this suite does',
    requirementSet && !set && `this suite has no set of requirements ${requirementSet.name}`,
    set &&
      setHash(set) !== requirementSet?.hash &&
      `the set of requirements ${set.name} says something else than the one of that hash`,
    (requirementSet?.errata ?? 0) > errata.length &&
      `it names ${requirementSet?.errata} errata, and there are ${errata.length}`,
  ];
};

/** The checks that send requests, as `endpoint/check`. */
const sending = new Set(
  allUnits().flatMap(({ check, endpoint }) => (check.kind === 'active' ? [`${endpoint}/${check.id}`] : [])),
);

/** The plan must be the one that follows from the run's options. The plan for judged traffic is what passed. */
const planned: Rule = ({ start, plan, path, traffic, isOwn }) => {
  const sent = [...plan.keys()].filter(id => sending.has(id));
  if (traffic) return sent.map(id => `${id} sends, and traffic is only judged`);
  if (!isOwn) return [];
  const made = planFor(start.options);
  if (made instanceof Error) return [`its selection can select nothing: ${made.message}`];
  const again = new Map(made.map(row => [row.id, row]));
  return [
    path !== undefined && sent.length !== 1 && 'it replays one case, and not one check is planned',
    plan.size !== start.plan.length && 'a check is planned twice',
    ...made.map(({ id }) => !plan.has(id) && `${id} is not planned, and what was declared selects it`),
    ...[...plan].map(([id, row]) => {
      const own = again.get(id);
      if (!own) return `${id} is planned, and what was declared does not select it`;
      return !isDeepStrictEqual({ ...row }, { ...own }) && `${id} is planned in another way than this suite plans it`;
    }),
  ];
};

const checks: Rule = ({ bail, events, plan, ends, end }) => {
  const begun = events.flatMap(event => (event.event === 'check-start' ? [event.id] : []));
  const ended = grouped(ends, ({ id }) => id);
  const again = [...ended.values()].flatMap(([first, ...others]) =>
    others.map((one, index) => ({ ...one, before: (others[index - 1] ?? first) as CheckEnd })),
  );
  return [
    ...again.flatMap(({ id, findings, before, replaces }) => [
      findings.length < before.findings.length && `${id} ends anew with fewer findings than before`,
      !replaces && bail === undefined && `${id} ends twice`,
    ]),
    ...begun.map((id, index) => begun.indexOf(id) !== index && `${id} begins twice`),
    ...[...begun, ...ended.keys()].map(id => !plan.has(id) && `${id} was not planned`),
    ...ends.map(({ id, endpoint, check, level }) => {
      const row = plan.get(id);
      const isOther = row && (row.endpoint !== endpoint || row.check !== check || row.level !== level);
      return isOther && `${id} ends as a check of another endpoint, name or level than was planned`;
    }),
    ...[...plan.keys()].map(
      id => end?.outcome === 'complete' && !ended.has(id) && `the run is complete, and ${id} never ended`,
    ),
    ...ends.flatMap(({ id, stats, verdict, because, blockedBy, exercised = [] }) => [
      stats.accepted + stats.refused > stats.requests && `${id} has more answers than requests`,
      verdict === 'untested' && because === undefined && `${id} is untested for no reason`,
      blockedBy !== undefined &&
        !plan.has(blockedBy) &&
        `${id} was kept from being tested by ${blockedBy}, which was not planned`,
      end &&
        stats.durationMs > end.stats.durationMs + 1 &&
        `${id} took ${Math.round(stats.durationMs)} ms, and the run ${Math.round(end.stats.durationMs)}`,
      !exercised.every(isRequirementId) && `${id} exercised what is no requirement`,
    ]),
  ];
};

/** A check must exercise requirements exactly if it reaches a verdict. Judged traffic is exempt. */
const exercised: Rule = ({ traffic, ends }) =>
  ends.map(({ id, verdict, findings, stats, exercised: own }) => {
    if (own && !isJudged(verdict)) return `${id} is ${verdict}, and exercised something`;
    const isIdle = !own || stats.cases === 0;
    return isIdle && verdict === 'pass' && findings.length === 0 && !traffic && `${id} passed, and exercised nothing`;
  });

/** Verdicts must follow from the findings: as found in a journal, as scored by the requirement set in a report. */
const verdicts: Rule = ({ start, ends, readOnly, traffic, isOwn }) => {
  const scoring = scoringIn(start);
  return ends.map(one => {
    const { id, verdict, findings } = one;
    const made = verdictOfFindings(findings);
    if (isJudged(verdict) && verdict !== made && verdict !== scoredEnd({ ...one, verdict: made }, scoring).verdict)
      return `${id} is ${verdict}, and its findings make it ${made}`;
    if (verdict !== 'not-applicable') return false;
    if (findings.length > 0) return `${id} does not apply, and found something`;
    // Checks have only one other reason: an operation that writes, in a read-only run.
    const isKept = readOnly && endpointRow(one.endpoint).method !== 'GET';
    return isOwn && !isKept && !traffic && `${id} is said not to apply, and nothing makes it so`;
  });
};

const counts: Rule = ({ ends, end, traffic, timeMs }) => {
  if (!end || traffic) return [];
  const last = new Map(ends.map(one => [one.id, one.stats]));
  const sum = (key: 'requests' | 'cases') => [...last.values()].reduce((total, stats) => total + stats[key], 0);
  return [
    sum('requests') > end.stats.requests &&
      `its checks sent ${sum('requests')} requests, and the run ${end.stats.requests}`,
    end.outcome === 'complete' &&
      sum('cases') !== end.stats.cases &&
      `its checks had ${sum('cases')} cases, and the run ${end.stats.cases}`,
    (end.stats.extended ?? 0) > end.stats.cases && 'it was extended by more cases than it had',
    end.stats.extended !== undefined && timeMs === undefined && 'it was extended without --time',
    end.outcome !== 'complete' && end.because === undefined && `it is ${end.outcome} for no reason`,
  ];
};

const effects: Rule = ({ readOnly, events }) =>
  events.flatMap(event => {
    if (event.event === 'observation')
      return [
        (!isRequirementId(event.requirement) || requirementById(event.requirement).level !== 'OPEN') &&
          `it observes ${event.requirement}, which is not open`,
      ];
    const changes = event.event === 'left-behind' || (event.event === 'planned-effects' && event.effects.length > 0);
    return [readOnly && changes && `a run that only reads tells of what it changed (${event.event})`];
  });

// biome-ignore format: one line
const rules: readonly Rule[] = [order, suite, planned, checks, exercised, verdicts, counts, findingRule, evidenceRule, effects, ledgerRule];

/** Returns everything in a journal that contradicts the rest of it, or this suite; each once. */
export function contradictionsIn(events: readonly RunEvent[], isReport?: boolean): readonly string[] {
  const parts = partsOf(events, isReport);
  return distinct(compact(rules.flatMap(rule => rule(parts))));
}
