import { isDeepStrictEqual } from 'node:util';
import { at } from '../../contracts/pointer.ts';
import type { Exchange, Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, PlannedCheck, RunEnd, RunEvent, RunStart } from '../../contracts/report/journal.ts';
import { tool } from '../../contracts/report/tool.ts';
import { verdictOfFindings } from '../../contracts/report/verdict.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { errata, setHash, setNamed } from '../../contracts/requirements/sets.ts';
import { NothingSelected, plannedCheck, select } from '../../suites/engine/plan.ts';

/** What is wrong with a result: what stands in it, and what contradicts it. */
export type Contradiction = string;

/** The journal of one run, taken apart. */
export interface JournalParts {
  readonly start: RunStart;
  readonly events: readonly RunEvent[];
  readonly plan: ReadonlyMap<string, PlannedCheck>;
  readonly ends: readonly CheckEnd[];
  readonly end: RunEnd | undefined;
  readonly exchanges: readonly Exchange[];
}

const exchangesOf = ({ exchange, steps = [] }: Finding): Exchange[] => [
  ...(exchange === undefined ? [] : [exchange]),
  ...steps.map(step => step.exchange),
];

/** Takes a journal apart. Its first event is a `run-start`. */
export function partsOf(events: readonly RunEvent[]): JournalParts {
  const start = events[0] as RunStart;
  const ends = events.filter(event => event.event === 'check-end');
  return {
    start,
    events,
    plan: new Map(start.plan.map(row => [row.id, row])),
    ends,
    end: events.find(event => event.event === 'run-end'),
    exchanges: ends.flatMap(({ findings }) => findings.flatMap(exchangesOf)),
  };
}

/** Looks for what cannot be so in a journal that nobody touched. */
type Rule = (parts: JournalParts) => readonly (Contradiction | false | undefined)[];

const order: Rule = ({ events, end }) => [
  events.filter(({ event }) => event === 'run-start').length > 1 && 'two runs begin in one journal',
  end !== undefined && events.at(-1) !== end && 'something stands behind the end of the run',
  events.filter(({ event }) => event === 'run-end').length > 1 && 'the run ends twice',
];

const suite: Rule = ({ start: { tool: made, requirementSet } }) => {
  const set = requirementSet === undefined ? undefined : setNamed(requirementSet.name);
  return [
    made.name !== tool.name && `it was made by ${made.name}, not by ${tool.name}`,
    requirementSet !== undefined && set === undefined && `this suite has no set of requirements ${requirementSet.name}`,
    set !== undefined &&
      setHash(set) !== requirementSet?.hash &&
      `the set of requirements ${set.name} says something else than the one of that hash`,
    (requirementSet?.errata ?? 0) > errata.length &&
      `it names ${requirementSet?.errata} errata, and there are ${errata.length}`,
  ];
};

/** The plan that was declared, made again from what decides it. Of traffic the plan is what passed. */
const planned: Rule = ({ start, plan }) => {
  const { only, skip, shard, traffic } = start.options;
  if (traffic !== undefined || start.tool.version !== tool.version) return [];
  let made: readonly PlannedCheck[];
  try {
    made = select({ only, skip, shard }).map(plannedCheck);
  } catch (error) {
    if (!(error instanceof NothingSelected)) throw error;
    return [`its selection can select nothing: ${error.message}`];
  }
  const again = new Map(made.map(row => [row.id, row]));
  return [
    plan.size !== start.plan.length && 'a check is planned twice',
    ...made.map(({ id }) => !plan.has(id) && `${id} is not planned, and what was declared selects it`),
    ...[...plan].map(([id, row]) => {
      const own = again.get(id);
      if (own === undefined) return `${id} is planned, and what was declared does not select it`;
      return !isDeepStrictEqual({ ...row }, { ...own }) && `${id} is planned in another way than this suite plans it`;
    }),
  ];
};

const checks: Rule = ({ start, events, plan, ends, end }) => {
  const ended = new Set<string>();
  const twice = ends.flatMap(one => {
    const isAgain = ended.has(one.id);
    ended.add(one.id);
    return isAgain && one.replaces !== true && start.options.bail === undefined ? [one.id] : [];
  });
  const begun = events.flatMap(event => (event.event === 'check-start' ? [event.id] : []));
  return [
    ...twice.map(id => `${id} ends twice`),
    ...begun.map((id, index) => begun.indexOf(id) !== index && `${id} begins twice`),
    ...[...begun, ...ended].map(id => !plan.has(id) && `${id} was not planned`),
    ...ends.map(({ id, endpoint, check, level }) => {
      const row = plan.get(id);
      const isOther = row !== undefined && (row.endpoint !== endpoint || row.check !== check || row.level !== level);
      return isOther && `${id} ends as a check of another endpoint, name or level than was planned`;
    }),
    ...[...plan.keys()].map(
      id => end?.outcome === 'complete' && !ended.has(id) && `the run is complete, and ${id} never ended`,
    ),
    ...ends.map(one => {
      const { id, stats, verdict } = one;
      return (
        (stats.accepted + stats.refused > stats.requests && `${id} has more answers than requests`) ||
        (verdict === 'untested' && one.because === undefined && `${id} is untested for no reason`) ||
        (one.exercised?.some(requirement => !isRequirementId(requirement)) === true &&
          `${id} exercised what is no requirement`)
      );
    }),
  ];
};

const verdicts: Rule = ({ ends }) =>
  ends.map(({ id, verdict, findings }) => {
    const isJudged = ['pass', 'warn', 'fail'].includes(verdict);
    if (isJudged && verdict !== verdictOfFindings(findings))
      return `${id} is ${verdict}, and its findings make it ${verdictOfFindings(findings)}`;
    return verdict === 'not-applicable' && findings.length > 0 && `${id} does not apply, and found something`;
  });

const counts: Rule = ({ start, ends, end }) => {
  if (end === undefined || start.options.traffic !== undefined) return [];
  const last = new Map(ends.map(one => [one.id, one.stats]));
  const sum = (key: 'requests' | 'cases') => [...last.values()].reduce((total, stats) => total + stats[key], 0);
  return [
    sum('requests') > end.stats.requests &&
      `its checks sent ${sum('requests')} requests, and the run ${end.stats.requests}`,
    end.outcome === 'complete' &&
      sum('cases') !== end.stats.cases &&
      `its checks had ${sum('cases')} cases, and the run ${end.stats.cases}`,
    (end.stats.extended ?? 0) > end.stats.cases && 'it was extended by more cases than it had',
    end.stats.extended !== undefined && start.options.timeMs === undefined && 'it was extended without --time',
    end.outcome !== 'complete' && end.because === undefined && `it is ${end.outcome} for no reason`,
  ];
};

const findings: Rule = ({ ends, plan }) =>
  ends.flatMap(({ id, findings: own }) =>
    own.flatMap(finding => {
      const { requirement, level, doubt, seen, counterexample } = finding;
      if (!isRequirementId(requirement)) return [`${id} found ${requirement} broken, which is no requirement`];
      const stated = requirementById(requirement).level;
      const isLevel = doubt === undefined ? level === stated : level === 'SHOULD';
      return [
        !isLevel && `${id} found ${requirement} broken as a ${level}, and it is a ${stated}`,
        plan.get(id)?.requirements.includes(requirement) === false &&
          `${id} found ${requirement} broken, which it does not judge`,
        seen !== undefined && seen.times > seen.of && `${id} saw a finding again more often than it looked`,
        counterexample?.unit !== undefined &&
          !counterexample.unit.includes('/') &&
          `${id} has a case of no check: ${counterexample.unit}`,
        ...accused(id, finding),
      ];
    }),
  );

const isHidden = (text: string): boolean => text.includes('«') || text.includes('…');

/** What a finding says that an answer shows, beside the answer that it carries. */
function accused(id: string, { pointer, actual, fault, exchange }: Finding): readonly (Contradiction | false)[] {
  const response = exchange?.response;
  if (fault === undefined || response === undefined) return [];
  const { kind, got } = fault;
  if (kind === 'accepted')
    return [
      (response.status < 200 || response.status > 299) && `${id} says accepted, and shows status ${response.status}`,
    ];
  if (kind === 'refused') return [response.status < 300 && `${id} says refused, and shows status ${response.status}`];
  if (kind === 'failed') return [response.status < 500 && `${id} says failed, and shows status ${response.status}`];
  const [, status] = /^status (\d{3})$/.exec(actual) ?? [];
  if (status !== undefined && Number(status) !== response.status)
    return [`${id} says status ${status}, and shows status ${response.status}`];
  if (got === undefined || !pointer.startsWith('/')) return [];
  if (response.body.truncated || isHidden(response.body.text)) return [];
  let body: unknown;
  try {
    body = JSON.parse(response.body.text);
  } catch {
    return [`${id} accuses ${pointer} of an answer that is no JSON`];
  }
  const shown = at(body, pointer);
  return [
    shown !== undefined && !isDeepStrictEqual(shown, got) && `${id} says of ${pointer} what its answer does not show`,
  ];
}

const created = /\bconform_([0-9a-f]{8})_/g;

const evidence: Rule = ({ start, exchanges }) => {
  const { baseUrl } = start.target;
  return exchanges.flatMap(({ id, request, response }) => {
    const texts = [request.url, request.body?.text ?? ''];
    const tokens = texts.flatMap(text => [...text.matchAll(created)].map(([, token]) => token));
    const { options } = start;
    return [
      options.traffic === undefined &&
        !request.url.startsWith(`${baseUrl}/`) &&
        request.url !== baseUrl &&
        `${id} was sent elsewhere than to ${baseUrl}`,
      options.traffic === undefined &&
        tokens.some(token => token !== start.token) &&
        `${id} sends names of another run than ${start.token}`,
      options.readOnly && request.method !== 'GET' && `${id} is a ${request.method} of a run that only reads`,
      response !== undefined &&
        !response.body.truncated &&
        !isHidden(response.body.text) &&
        Buffer.byteLength(response.body.text) > response.body.bytes * 6 + 64 &&
        `${id} shows more of an answer than there was`,
    ];
  });
};

const effects: Rule = ({ start, events }) =>
  events.flatMap(event => {
    if (event.event === 'observation')
      return [
        (!isRequirementId(event.requirement) || requirementById(event.requirement).level !== 'OPEN') &&
          `it observes ${event.requirement}, which is not open`,
      ];
    const changes = event.event === 'left-behind' || (event.event === 'planned-effects' && event.effects.length > 0);
    return [start.options.readOnly && changes && `a run that only reads tells of what it changed (${event.event})`];
  });

const rules: readonly Rule[] = [order, suite, planned, checks, verdicts, counts, findings, evidence, effects];

/** Everything in a journal that contradicts something else in it, or this suite; each once. */
export function contradictionsIn(events: readonly RunEvent[]): readonly Contradiction[] {
  const parts = partsOf(events);
  const all = rules.flatMap(rule => rule(parts));
  return [...new Set(all.filter((one): one is Contradiction => typeof one === 'string'))];
}
