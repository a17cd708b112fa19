import { isDeepStrictEqual } from 'node:util';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { parsedJson } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import { compact } from '../../contracts/present.ts';
import type { DiscrepancyKind, Exchange, Finding } from '../../contracts/report/evidence.ts';
import type { PlannedCheck, RunEvent, RunStart } from '../../contracts/report/journal.ts';
import type { CellsEvent } from '../../contracts/report/ledger.ts';
import { tool } from '../../contracts/report/tool.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { scoringIn } from '../../contracts/requirements/sets.ts';
import { cellsOf as countedCells } from '../../reports/journal/coverage.ts';
import { NothingSelected, plannedCheck, select } from '../../suites/engine/plan.ts';
import { cellsOf } from '../../suites/ledger/cells.ts';
import { cellsEvents } from '../../suites/ledger/events.ts';
import { hinderedBy } from '../../suites/ledger/reasons.ts';
import { type RelationId, relations } from '../../suites/ledger/relations.ts';

/** Findings must agree with the set of requirements and with the answers that they carry. */
export const findingRule: Rule = ({ start, ends, plan }) => {
  const scoring = scoringIn(start);
  return ends.flatMap(({ id, findings: own }) =>
    own.flatMap(finding => {
      const { requirement, level, doubt, notScored, seen, counterexample } = finding;
      if (!isRequirementId(requirement)) return [`${id} found ${requirement} broken, which is no requirement`];
      const stated = requirementById(requirement).level;
      const score = scoring(requirement, stated);
      const isLevel = doubt === undefined ? [stated, score.level].includes(level) : level === 'SHOULD';
      return [
        !isLevel && `${id} found ${requirement} broken as a ${level}, and it is a ${stated}`,
        notScored !== undefined &&
          notScored !== score.notScored &&
          `${id} says that ${requirement} is not scored (${notScored}), and the set of requirements scores it`,
        plan.get(id)?.requirements.includes(requirement) === false &&
          `${id} found ${requirement} broken, which it does not judge`,
        seen && seen.times > seen.of && `${id} saw a finding again more often than it looked`,
        counterexample?.unit !== undefined &&
          !counterexample.unit.includes('/') &&
          `${id} has a case of no check: ${counterexample.unit}`,
        ...accused(id, finding),
      ];
    }),
  );
};

/** True if something was redacted from a text, or cut off. */
export const isHidden = (text: string): boolean => text.includes('«') || text.includes('…');

/** The kinds of findings that the status of an answer proves by itself. */
const shownBy: Partial<Record<DiscrepancyKind, (status: number) => boolean>> = {
  accepted: status => status >= 200 && status <= 299,
  refused: status => status >= 300,
  failed: status => status >= 500,
};

/** Returns contradictions between a finding and the answer that it carries. */
function accused(id: string, { pointer, actual, fault, exchange }: Finding): ReturnType<Rule> {
  if (!fault || !exchange?.response) return [];
  const { kind, got } = fault;
  const { status, body: sent } = exchange.response;
  const isShown = shownBy[kind];
  if (isShown) return [!isShown(status) && `${id} says ${kind}, and shows status ${status}`];
  const [, said = status] = /^status (\d{3})$/.exec(actual) ?? [];
  if (Number(said) !== status) return [`${id} says status ${said}, and shows status ${status}`];
  if (got === undefined || !pointer.startsWith('/') || sent.truncated || isHidden(sent.text)) return [];
  const body = parsedJson(sent.text);
  if (body === undefined) return [`${id} accuses ${pointer} of an answer that is no JSON`];
  const shown = at(body, pointer);
  return [
    shown !== undefined && !isDeepStrictEqual(shown, got) && `${id} says of ${pointer} what its answer does not show`,
  ];
}

const created = /\bconform_([0-9a-f]{8})_/g;

/** Requests must follow the run's options: its target, its token, GET only if read-only. */
export const evidenceRule: Rule = ({ start, ends, isReport, traffic, readOnly }) => {
  const { baseUrl } = start.target;
  const exchanges = ends.flatMap(({ findings }) => findings.flatMap(evidenceOf));
  return exchanges.flatMap(({ id, request, response }) => {
    const texts = [request.url, request.body?.text ?? ''];
    const tokens = texts.flatMap(text => [...text.matchAll(created)].map(([, token]) => token));
    return [
      !traffic &&
        !request.url.startsWith(`${baseUrl}/`) &&
        request.url !== baseUrl &&
        `${id} was sent elsewhere than to ${baseUrl}`,
      !traffic &&
        // The report of several shards has the token of only one.
        !isReport &&
        tokens.some(token => token !== start.token) &&
        `${id} sends names of another run than ${start.token}`,
      readOnly && request.method !== 'GET' && `${id} is a ${request.method} of a run that only reads`,
      response &&
        !response.body.truncated &&
        !isHidden(response.body.text) &&
        Buffer.byteLength(response.body.text) > response.body.bytes * 6 + 64 &&
        `${id} shows more of an answer than there was`,
    ];
  });
};

/** Returns the exchanges that a finding shows. */
export const evidenceOf = ({ exchange, steps = [] }: Finding): Exchange[] =>
  compact([exchange, ...steps.map(step => step.exchange)]);

/**
 * Splits the journal of one run into its parts. Its first event must be a `run-start`.
 *
 * @param isReport the events come from a report, which may combine the journals of several shards
 */
export function partsOf(events: readonly RunEvent[], isReport = false) {
  const start = events[0] as RunStart;
  return {
    ...start.options,
    start,
    isOwn: start.tool.version === tool.version,
    events,
    plan: new Map(start.plan.map(row => [row.id, row])),
    ends: events.filter(event => event.event === 'check-end'),
    end: events.find(event => event.event === 'run-end'),
    isReport,
  };
}

/** Returns the planned checks for the options of a run; the error if they select nothing. */
export function planFor({ only, skip, shard }: RunStart['options']): readonly PlannedCheck[] | NothingSelected {
  try {
    return select({ only, skip, shard }).map(plannedCheck);
  } catch (error) {
    if (error instanceof NothingSelected) return error;
    throw error;
  }
}

/** A rule that finds contradictions which an untouched journal cannot have. */
export type Rule = (parts: ReturnType<typeof partsOf>) => readonly (string | false | undefined)[];

/** Returns the cells of an operation for a target without fixtures and capabilities. */
function contractCells(endpoint: EndpointId) {
  const target = { references: () => [], has: () => false };
  const counted = cellsOf(endpoint, endpointRow(endpoint), {}).map(cell => ({
    cell,
    ...(hinderedBy(cell, target) ?? { state: 'not tried' as const, reason: 'budget' as const }),
  }));
  return countedCells(cellsEvents(counted));
}

const keyOf = ({ relation, cell }: { readonly relation: string; readonly cell: string }): string =>
  `${relation} ${cell}`.trim();

/** Returns the id of the check that sent an exchange; undefined if it belongs to none. */
const senderOf = (exchange = ''): string | undefined => /^([^#]+\/[^#]+)#/.exec(exchange)?.[1];

/** Returns contradictions between the cells of an operation and those that the contract gives it. */
function contradictionsOf(event: CellsEvent, plan: ReadonlyMap<string, unknown>): ReturnType<Rule> {
  const { endpoint } = event;
  const own = countedCells([event]);
  const made = new Map(contractCells(endpoint).map(cell => [keyOf(cell), cell]));
  const counted = grouped(own, keyOf);
  // Some relations have a cell for each fixture of the target file, which the journal does not contain.
  const given = new Set([...made.values()].map(({ relation }) => relation));
  const isOfFixture = (relation: string): boolean =>
    !given.has(relation) && relations[relation as RelationId].of === 'operation';
  const say = (key: string, what: string) => `the cell ${key} of ${endpoint} ${what}`;
  return [
    ...[...made.keys()].map(key => !counted.has(key) && say(key, 'is not counted')),
    ...[...counted].map(([key, { length }]) => length > 1 && say(key, 'is counted twice')),
    ...own.flatMap(cell => {
      const { relation, tenths, state, reason, by } = cell;
      const key = keyOf(cell);
      const due = made.get(key);
      if (!Object.hasOwn(relations, relation) || (!due && !isOfFixture(relation)))
        return [say(key, 'is none that the contract gives')];
      const isTried = state !== 'not tried';
      return [
        tenths !== Math.round(10 * relations[relation as RelationId].weight) &&
          say(key, `counts ${tenths / 10}, and not what it weighs`),
        (isTried !== (reason === undefined) || isTried !== (by !== undefined)) &&
          say(key, `is ${state}${isTried ? ', and no exchange shows it' : ' for no reason'}`),
        !plan.has(senderOf(by) ?? [...plan.keys()][0] ?? '') &&
          say(key, `is shown by ${by}, which nobody planned to send`),
        reason === 'capability' && due?.reason !== 'capability' && say(key, 'needs no capability'),
      ];
    }),
  ];
}

/** The ledger of a run must have every cell of every operation that was to be run, once, and no others. */
export const ledgerRule: Rule = ({ traffic, path, readOnly, bail, isOwn, events, plan, end }) => {
  if ((traffic ?? path) !== undefined || !isOwn) return [];
  const own = grouped(
    events.filter(event => event.event === 'cells'),
    ({ endpoint }) => endpoint,
  );
  const planned = new Set([...plan.values()].map(({ endpoint }) => endpoint));
  const due = [...planned].filter(id => !readOnly || endpointRow(id).method === 'GET');
  const isCounted = end?.outcome === 'complete' && bail === undefined;
  return [
    ...[...own].flatMap(([id, [event, ...again]]) => [
      again.length > 0 && `the cells of ${id} are counted twice`,
      !due.includes(id) && `the cells of ${id} are counted, and it was not to be run`,
      ...(!event ? [] : contradictionsOf(event, plan)),
    ]),
    ...due.map(id => isCounted && !own.has(id) && `the cells of ${id} are not counted`),
  ];
};
