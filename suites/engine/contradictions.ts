import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { citedBy } from '../checks/verified-by.ts';
import { isCircumstantial, isClientError } from '../judge/outcome.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, type ApiRequest, isAccepted } from '../protocol/answer.ts';
import { violation } from '../protocol/check.ts';
import { entryOf } from '../protocol/entries.ts';
import { answerOrNull } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import { keptAnswer } from './evidence.ts';
import { numbered } from './findings.ts';
import { groupsOf, type LaneState, tellOfRun } from './lane-state.ts';
import { operationsOf } from './plan.ts';
import { showsAgain } from './trials.ts';

/** A refusal as it is kept, and in words. */
interface Refusal {
  readonly refused: Answer;
  readonly words: string;
}

/** A request that was accepted, and the refusals since. */
interface Known {
  /** The last acceptance, as it is kept. */
  accepted: Answer;
  times: number;
  /** The first refusal since the last acceptance, and their number. */
  refusal: Refusal | undefined;
  refusals: number;
}

/** A refusal between two acceptances of the same request. */
export interface Contradiction extends Refusal {
  readonly before: Answer;
  /** Number of times that the operation refused requests like this. */
  times: number;
}

/** Statuses of time, connection and state (RFC 9110, 4918, 8470), in addition to the circumstantial ones. */
const alsoPassing: readonly number[] = [408, 421, 422, 425];

/** True if a refusal may pass by itself. A 404 may not, because the entity was shown before. */
const mayPass = (answer: Answer): boolean =>
  (isCircumstantial(answer) && answer.status !== 404) || alsoPassing.includes(answer.status);

/** The requirement that refusing an acceptable request violates. */
const requirement: RequirementId = 'accept.smallest';

/** Maximum number of remembered requests. */
const mostKnown = 5_000;
/** Maximum number of refused requests per operation that are repeated at the end of its lane. */
const mostAgain = 3;

/**
 * True if a request is ordinary and repeatable. Only first pages count, because a list may become shorter for a while.
 */
function isOrdinary(request: ApiRequest): boolean {
  const { key, rawPath, method, raw, headers, spelling, asks, contentType, unobserved, query } = request;
  const besides = [key, rawPath, method, raw, headers, spelling, asks, contentType, unobserved];
  return showsAgain(request) && besides.every(one => one === undefined) && Number(query?.page ?? 1) === 1;
}

/**
 * Collects contradictory refusals: the same request was accepted before and again afterwards. The check that sent it
 * rarely notices, because the refusal is not its subject.
 */
export function createContradictions() {
  const known = new Map<string, Known>();
  const found = new Map<EndpointId, Map<number, Contradiction>>();

  function note(answer: Answer): void {
    const { request } = answer;
    if (!isOrdinary(request)) return;
    const key = JSON.stringify([request.endpoint, request.param, request.query, answer.sent ?? request.body]);
    const one = known.get(key);
    if (isAccepted(answer)) {
      if (one === undefined) {
        if (known.size < mostKnown)
          known.set(key, { accepted: keptAnswer(answer), times: 1, refusal: undefined, refusals: 0 });
        return;
      }
      const { refusal, refusals, accepted } = one;
      if (refusal !== undefined) {
        const own = entryOf(found, request.endpoint, () => new Map<number, Contradiction>());
        const { status } = refusal.refused;
        entryOf(own, status, () => ({ ...refusal, before: accepted, times: 0 })).times += refusals;
      }
      const times = one.times + 1 + refusals;
      Object.assign(one, { accepted: keptAnswer(answer), times, refusal: undefined, refusals: 0 });
    } else if (one !== undefined && isClientError(answer) && !mayPass(answer)) {
      one.refusal ??= { refused: keptAnswer(answer), words: refusalInWords(answer) };
      one.refusals += 1;
    }
  }

  const ofEndpoint = (endpoint: EndpointId): readonly Known[] =>
    [...known.values()].filter(({ accepted }) => accepted.request.endpoint === endpoint);
  return {
    note,
    /** Returns the contradictory refusals of an operation, one per status. */
    of: (endpoint: EndpointId): readonly Contradiction[] => [...(found.get(endpoint)?.values() ?? [])],
    /** Returns how often requests that an operation accepts were sent to it. */
    sent: (endpoint: EndpointId) => ofEndpoint(endpoint).reduce((sum, { times }) => sum + times, 0),
    /** Returns requests that an operation accepted once, and refused the last time. */
    open: (endpoint: EndpointId): readonly ApiRequest[] =>
      ofEndpoint(endpoint).flatMap(({ refusal, accepted }) => (refusal === undefined ? [] : [accepted.request])),
  };
}

/** Repeats a few requests per operation that were accepted first and refused later. */
export async function askOnceMore(lane: LaneState): Promise<void> {
  const session = openSession(lane.run.wire, 'investigation#refused');
  const { contradictions } = lane.run;
  for (const endpoint of operationsOf(lane.units))
    for (let again = 0; again < mostAgain; again += 1) {
      const [request] = contradictions.open(endpoint);
      if (request === undefined) break;
      await answerOrNull(session, request);
    }
}

/** Adds a warning for each contradictory refusal in a lane, unless a check already reports that status. */
export function tellContradictions(lane: LaneState): void {
  for (const endpoint of operationsOf(lane.units)) {
    const own = lane.units.filter(unit => unit.endpoint === endpoint);
    const owner = own.find(({ check }) => citedBy(check, endpoint).includes(requirement));
    if (owner === undefined) continue;
    const told = groupsOf(lane, own);
    for (const { before, refused, words, times } of lane.run.contradictions.of(endpoint)) {
      if (told.some(group => group.violation.answer.status === refused.status)) continue;
      const of = lane.run.contradictions.sent(endpoint);
      const found = violation(refused, requirement, 'status', 'a success, as before and after', words);
      const doubt = `requests that are accepted were refused ${times} of ${of} times`;
      const seen = { times, of };
      const steps = numbered([before, refused]);
      tellOfRun(lane, owner, { ...found, seen, doubt, steps });
    }
  }
}
