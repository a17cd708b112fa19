import type { Collection } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { canonicalJson, membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { inWords } from '../judge/words.ts';
import { createModel } from '../model/interpret.ts';
import { kinds, showingsOf } from '../model/resources.ts';
import { isFirm, type Suspicion } from '../model/suspicion.ts';
import { suspectedViolation } from '../model/words.ts';
import { type Answer, type ApiRequest, isReading } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { remember } from '../protocol/entries.ts';
import { mostTogether } from '../state/crowd.ts';
import type { Arrival, Begun } from '../sut/observer.ts';
import { keptAnswer } from './evidence.ts';
import { numbered } from './findings.ts';

/** A request as it was sent, and the id of its exchange in the evidence. */
export interface Sent {
  readonly id: string;
  readonly request: ApiRequest;
  /** True if the answer was a success. */
  isAccepted?: boolean;
}

/** A request that may be the cause, and the requirement that it would violate. */
export interface Accused extends Sent {
  readonly breaks: RequirementId | undefined;
}

/** A suspicion, the answer that shows it, and the writes that may have caused it, the likeliest first. */
export interface Sighting {
  readonly suspicion: Suspicion;
  /** Kept as evidence shows it, without the parsed value. */
  readonly answer: Answer;
  /** The recent answers that showed the known value, caused the change and show it, in order. */
  readonly steps: readonly Answer[];
  /** The overlapping requests, if that may be the cause: the likeliest culprit and those it met. */
  readonly together: readonly Answer[];
  /** The answer's value of the subject, see `shownIn`. */
  readonly shown: string;
  readonly culprits: readonly Accused[];
  /** The last accepted write to the same entity before the likeliest culprit, whose effect may depend on it. */
  readonly before: Sent | undefined;
  /** The request whose answer last showed the known value. */
  readonly known: Sent | undefined;
}

/** The finding of a group: its most telling sighting, and the write that caused it, if known. */
export interface Told {
  readonly telling: Sighting;
  readonly violation: Violation;
  readonly write?: Sent;
}

/** Suspicions that share a cause, judged by requirement, kind and field. */
export interface SuspicionGroup {
  readonly key: string;
  /** The first few sightings. */
  readonly sightings: readonly Sighting[];
}

/** Maximum number of remembered requests: possible causes of later suspicions. */
const mostRequests = 5_000;
/** Maximum number of remembered answers: those that a finding shows beside the accused one. */
const mostAnswers = 60;
/** Maximum number of sightings per group, and of groups. */
const mostSightings = 8;
const mostGroups = 200;

/** Returns the key of the group, which is investigated once. */
const groupKey = ({ requirements, kind, resource, field }: Suspicion): string =>
  `${requirements[0]} ${kind} ${resource} ${field}`;

/** Returns the text that an answer shows of a suspicion's subject: its field, or whether the entity is present. */
export function shownIn({ data, request }: Answer, { resource, id, field, kind }: Suspicion): string {
  const entity = showingsOf(endpointRow(request.endpoint), data, request.param ?? '').find(
    one => one.id === id,
  )?.entity;
  if (kind === 'missing' || kind === 'present') return String(entity !== undefined);
  if (entity === undefined) return '';
  if (field !== '') return canonicalJson(entity[field]);
  const compared = Object.entries(entity).filter(([name]) => !kinds[resource].leaveOut.includes(name));
  return canonicalJson(Object.fromEntries(compared));
}

/** Maximum number of requests searched before a write for one to the same entity. */
const mostBefore = 200;

/** Returns the last accepted write to the same entity before a numbered one, if it is recent. */
function writeBefore(requests: ReadonlyMap<number, Sent>, culprit = 0): Sent | undefined {
  const { request } = requests.get(culprit) ?? {};
  for (let number = culprit - 1; request !== undefined && number > culprit - mostBefore; number -= 1) {
    const one = requests.get(number);
    if (one?.isAccepted !== true || one.request.key !== undefined || isReading(one.request)) continue;
    const { endpoint, param } = one.request;
    if (param === request.param && endpointRow(endpoint).resource === endpointRow(request.endpoint).resource)
      return one;
  }
  return undefined;
}

/** A token that no text contains. */
const tokenOfNothing = '\u0000';

interface SuspectedOptions {
  readonly settleMs: number;
  readonly token: string;
  /** Returns how often the target went away so far; absent: it never does. */
  readonly departures?: () => number;
}

/**
 * Compares every answer of a run with the model of the service, and keeps suspicions. Begins with no knowledge, and so
 * again when the target was away: a process that died may have lost what it held in memory.
 */
export function createSuspected({ departures = () => 0, ...options }: SuspectedOptions) {
  let model = createModel({ ...options, isSeeded: true });
  let gone = departures();
  /** Requests on the wire, of which a new model must know as well. */
  const open = new Map<number, Begun>();
  const requests = new Map<number, Sent>();
  const answers = new Map<number, Answer>();
  const groups = new Map<string, Sighting[]>();
  const listeners = new Set<(one: Sighting) => void>();
  let last = 0;
  const keep = (one: Sighting): void => {
    const key = groupKey(one.suspicion);
    const known = groups.get(key)?.filter(({ suspicion }) => !suspicion.isExplained);
    const isNews = one.suspicion.certainBy !== undefined && !known?.some(({ suspicion }) => suspicion.certainBy);
    if (known === undefined ? groups.size < mostGroups : isNews || known.length < mostSightings)
      groups.set(key, [...(known ?? []), one]);
    for (const listener of listeners) listener(one);
  };
  function beginAgain(): void {
    if (departures() === gone) return;
    gone = departures();
    // Any text of this run may have been stored anywhere before, so none proves any more where it came from.
    model = createModel({ ...options, token: tokenOfNothing, isSeeded: true });
    for (const one of open.values()) model.interpret({ kind: 'begun', ...one });
  }
  const inOrder = (numbers: readonly number[]): readonly Answer[] =>
    [...new Set(numbers)].sort((one, other) => one - other).flatMap(number => answers.get(number) ?? []);
  return {
    begun(one: Begun): void {
      beginAgain();
      open.set(one.number, one);
      last = one.number;
      remember(requests, one.number, { id: one.id, request: one.request }, mostRequests);
      model.interpret({ kind: 'begun', ...one });
    },
    note() {},
    answered(answer: Answer, arrival: Arrival) {
      beginAgain();
      for (const number of [arrival.number, ...arrival.lost]) open.delete(number);
      const kept = keptAnswer(answer);
      remember(answers, arrival.number, kept, mostAnswers);
      const sent = requests.get(arrival.number);
      if (sent !== undefined) sent.isAccepted = answer.success;
      const told = model.interpret({ kind: 'answered', answer, ...arrival });
      const missing = told.suspicions.filter(({ kind }) => kind === 'missing');
      // Whoever takes away what a list has shown may take with it what none has shown yet.
      if (missing.some(({ excuses }) => excuses.has('others'))) for (const one of missing) one.excuses.add('others');
      for (const suspicion of told.suspicions) {
        const { known = 0, culprits, beside, requirements, breaks } = suspicion;
        keep({
          suspicion,
          answer: kept,
          steps: inOrder([known, culprits[0] ?? 0, suspicion.shown]),
          together: inOrder([...culprits.slice(0, 1), ...beside]),
          shown: shownIn(answer, suspicion),
          known: requests.get(known),
          culprits: culprits.flatMap((number, index) => {
            const one = requests.get(number);
            const isKnown = one === undefined || culprits.indexOf(number) < index;
            return isKnown ? [] : [{ ...one, breaks: breaks?.[index] ?? requirements[0] }];
          }),
          before: writeBefore(requests, culprits[0]),
        });
      }
      return told;
    },
    /** True if some request to an entity, by its path, sent this value of a field. */
    wasSent: (param: string | undefined, field: string, value: unknown): boolean =>
      [...requests.values()].some(({ request }) => {
        const members = membersOf(request.body);
        return request.param === param && Object.hasOwn(members, field) && same(members[field], value);
      }),
    /** Returns the unexplained suspicions about a collection, in order of appearance. */
    groups: (collection: Collection): readonly SuspicionGroup[] =>
      [...groups]
        .map(([key, all]) => ({ key, sightings: all.filter(({ suspicion }) => !suspicion.isExplained) }))
        .filter(({ sightings: [first] }) => {
          const endpoint = first?.suspicion.endpoint;
          return endpoint !== undefined && endpointRow(endpoint).collection === collection;
        }),
    /** Runs `work` and passes it a list that collects new suspicions, and the number of the last exchange before it. */
    async during<T>(work: (found: readonly Sighting[], before: number) => Promise<T>): Promise<T> {
      const found: Sighting[] = [];
      const listener = (one: Sighting): void => void found.push(one);
      listeners.add(listener);
      try {
        return await work(found, last);
      } finally {
        listeners.delete(listener);
      }
    },
  };
}

/** Returns the most telling sighting of a group: a certain one, else a firm one, else the first. */
export const tellingOf = ({ sightings }: SuspicionGroup): Sighting | undefined =>
  sightings.find(({ suspicion }) => suspicion.certainBy !== undefined) ??
  sightings.find(({ suspicion }) => isFirm(suspicion)) ??
  sightings[0];

/** Returns the overlapping requests, their answers and the value shown afterwards, a line each. */
function timelineOf({ together, suspicion: { field, got } }: Sighting): readonly string[] {
  const sent = together.slice(0, mostTogether).map(answer => {
    const { endpoint, param = '', body } = answer.request;
    const members = membersOf(body);
    const said = Object.hasOwn(members, field)
      ? `${field} ${inWords(members[field])}`
      : Object.keys(members).join(', ');
    const came = answer.success ? `status ${answer.status}` : refusalInWords(answer);
    return `together: ${[endpoint, param, said].filter(word => word !== '').join(' ')}: ${came}`;
  });
  return [...sent, `afterwards: ${field} ${inWords(got)}`];
}

/** Returns a suspicion as a violation, by the answer that showed it. */
export function violationOf(sighting: Sighting): Violation {
  const { suspicion, answer, steps, together } = sighting;
  const [requirement] = suspicion.requirements;
  return {
    ...suspectedViolation(suspicion, answer, requirement as RequirementId),
    ...(together.length > 1 && { timeline: timelineOf(sighting) }),
    ...(steps.length > 1 && { steps: numbered(steps) }),
  };
}
