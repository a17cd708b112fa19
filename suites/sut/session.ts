import { type EndpointId, endpointRow, endpoints } from '../../contracts/endpoints.ts';
import type { Json, Members } from '../../contracts/json.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import type { HttpClient } from '../client/client.ts';
import type { Companion } from '../client/crowd.ts';
import { type Translation, translationFor } from '../client/naming.ts';
import { isClientError } from '../judge/outcome.ts';
import type { Suspicion } from '../model/suspicion.ts';
import { type Answer, type ApiRequest, isAccepted, replied, usesKey } from '../protocol/answer.ts';
import type { Bases } from '../protocol/base.ts';
import { type CheckResult, covering, type PassiveCheck } from '../protocol/check.ts';
import { withNewNames } from '../protocol/created-names.ts';
import type { Reply, WireRequest } from '../protocol/reply.ts';
import { TooLong } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { acceptable, type Gates, noteGate, noteGatesOfCrowd, noteHeld } from './acceptable.ts';
import { clipped } from './clipped.ts';
import { demandedBy } from './demanded.ts';
import { refuseToJudge } from './gateway-errors.ts';
import { createHeld } from './held.ts';
import type { Observer } from './observer.ts';
import { secretsOf } from './target-secrets.ts';
import { createMeetingWrites, createUnderWay, type MeetingWrites, type UnderWay } from './under-way.ts';
import { type Trace, traceparent, wireRequest } from './wire-request.ts';

/** The shared state of a run: one client, one target, one counter of created names. */
export interface Wire {
  readonly client: HttpClient;
  readonly target: Target;
  readonly secrets: Secrets;
  readonly translation: Translation;
  readonly token: string;
  /** The settings of `traceparent`; absent: never sent. */
  readonly trace?: Trace | undefined;
  /** Each gate as the answer to the last write showed it. */
  readonly gates: Gates;
  /** The readable entities by resource and name, as last shown. */
  readonly held: Map<string, Members>;
  /** The changes that make an operation's requests acceptable to the target. */
  readonly bases: Bases;
  /** Number of consecutive gateway errors per one-shot operation, which is therefore not retried. */
  readonly gatewayErrors: Map<EndpointId, number>;
  /** Returns the next number for a created name. */
  nextName(): number;
  /** Returns the next number for an attempt. */
  nextTry(): number;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** The requests in flight, by the check that sent them. */
  readonly underWay: UnderWay;
  /** The writes in flight, by their entity. */
  readonly meeting: MeetingWrites;
  readonly observers: readonly Observer[];
  /** Suspicions of the run that lag may explain. */
  readonly late: Set<Suspicion>;
  /** Judges answers that belong to no case, and records server errors; absent: nothing does. */
  readonly unplanned?: ((answer: Answer, isOfCase: boolean) => void) | undefined;
  /** Resolves when the request `id` may be sent; throws if it must not be (run stopped, endpoint given up). */
  admit(id: string, request: ApiRequest): Promise<void> | void;
}

/** The parts of a wire; those not given are new. */
type WireParts = Pick<Wire, 'client' | 'target' | 'token'> & Partial<Wire>;

/** Returns a wire that counts names from 1. By default it knows no gates, admits everything and has no observers. */
export function createWire(parts: WireParts): Wire {
  let names = 0;
  let tries = 0;
  return {
    secrets: secretsOf(parts.target),
    observers: [],
    admit: () => {},
    gates: new Map(),
    held: new Map(),
    bases: demandedBy(parts.target),
    clock: () => performance.now(),
    underWay: createUnderWay(),
    meeting: createMeetingWrites(),
    gatewayErrors: new Map(),
    late: new Set(),
    nextTry: () => ++tries,
    translation: translationFor(parts.target.naming),
    nextName: () => ++names,
    ...parts,
  };
}

function answerOf(wire: Wire, id: string, request: ApiRequest, sent: Json | undefined, reply: Reply): Answer {
  const value = reply.body.kind === 'json' ? wire.translation.fromTarget(reply.body.value) : undefined;
  return {
    id,
    request,
    sent,
    ...replied(reply, value),
    own: request.rawPath === undefined && request.method === undefined,
  };
}

/** A passive check of an endpoint; `id` is `endpoint/check`. */
export interface PassiveUnit {
  readonly id: string;
  readonly check: PassiveCheck;
}

/** The result of a passive check for one answer; `unit` is `endpoint/check`. */
export interface PassiveResult extends CheckResult {
  readonly unit: string;
  readonly check: PassiveCheck;
  /** The endpoint that answered, possibly to a check of another one. */
  readonly endpoint: EndpointId;
}

/** A session that records the results of passive checks. */
export type RecordedSession = ReturnType<typeof openSession>;

/**
 * Sends a request, stamped anew at each attempt. If the key is refused and its source has another, sends it once more.
 * Also returns the body sent last.
 */
async function deliver(wire: Wire, id: string, request: ApiRequest, companion?: Companion) {
  let sent: Json | undefined;
  let key = '';
  const tries: number[] = [];
  const begun = (): void => {
    const number = wire.nextTry();
    tries.push(number);
    for (const observer of wire.observers) observer.begun?.({ number, id, request, sent, atMs: wire.clock() });
  };
  const arrived = (reply: Reply) => {
    const arrival = { number: tries.at(-1) ?? 0, lost: tries.slice(0, -1), atMs: wire.clock() };
    return { sent, reply, arrival };
  };
  const anew = (): WireRequest => {
    key = wire.target.apiKey;
    sent = withNewNames(request.body, wire.token, wire.nextName);
    return wireRequest(wire, request, sent, wire.trace?.on ? { traceparent: traceparent(wire.trace.token, id) } : {});
  };
  const repetition = { anew, begun, once: endpointRow(request.endpoint).oneShot === true };
  const { keys } = wire.target;
  const sendOnce = async (beside?: Companion): Promise<Reply> => {
    const reply = await wire.client.send(anew(), { ...repetition, companion: beside });
    if (reply.status >= 200 && reply.status < 300 && usesKey(request)) keys.took(key);
    return reply;
  };
  const reply = await sendOnce(companion);
  const isRefused = reply.status === 401 && usesKey(request);
  return arrived(isRefused && (await keys.renew(key)) !== key ? await sendOnce() : reply);
}

/** Numbers of requests; `unsound` are those answered with a success in a broken frame. */
interface Tally {
  accepted: number;
  refused: number;
  unsound: number;
  deferred: number;
  lastRefused?: Answer;
  /** The requests that were answered, each with whether that was a refusal by the target. */
  readonly asked: { readonly request: ApiRequest; readonly isRefused: boolean }[];
}

/** Opens a session for one case, which `id` names in the evidence. Without `passive` checks it belongs to no case. */
export function openSession(wire: Wire, id: string, passive?: (endpoint: EndpointId) => readonly PassiveUnit[]) {
  const passiveResults: PassiveResult[] = [];
  const accepted = new Set<EndpointId>();
  const tally: Tally = { accepted: 0, refused: 0, unsound: 0, deferred: 0, asked: [] };
  const held = createHeld(wire.late);
  const check = id.split('#')[0] ?? id;
  let count = 0;
  const nameOf = (number: number): string => (number === 0 ? id : `${id}.${number + 1}`);
  async function deliverAs(
    name: string,
    asked: ApiRequest,
    beside: readonly ApiRequest[] = [],
    companion?: Companion,
  ): Promise<Answer> {
    const request = acceptable(wire, asked, beside);
    const admitted = wire.admit(name, request);
    // Most requests are admitted synchronously.
    if (admitted !== undefined) await admitted;
    count += 1;
    const contestedBy = wire.meeting.begin(request);
    wire.underWay.begin(check);
    const { sent, reply, arrival } = await deliver(wire, name, request, companion).finally(() =>
      wire.underWay.end(check),
    );
    // A write that fails, or that a gateway fails, may have been carried out all the same.
    const met = contestedBy(isClientError(reply));
    const contested = request.contested === undefined ? met : [...request.contested, ...met];
    tally.deferred += reply.deferrals === undefined ? 0 : 1;
    const answer = answerOf(wire, name, contested.length === 0 ? request : { ...request, contested }, sent, reply);
    tally.asked.push({ request, isRefused: isClientError(answer) });
    // A success of another method or path does not count as accepted.
    if (!answer.success) {
      tally.refused += 1;
      tally.lastRefused = answer;
    } else if (answer.own && !isAccepted(answer)) tally.unsound += 1;
    else if (answer.own) {
      tally.accepted += 1;
      accepted.add(request.endpoint);
    }
    for (const observer of wire.observers) {
      observer.note(answer, arrival);
      held.note(observer.answered?.(answer, arrival));
    }
    // A truncated answer proves nothing, either way.
    if (reply.failure?.kind === 'too-large')
      throw new TooLong(`an answer could not be judged: ${reply.failure.message}`, answer);
    refuseToJudge(wire, answer);
    noteGate(wire.gates, answer);
    noteHeld(wire.held, answer);
    const units = passive?.(request.endpoint) ?? [];
    // A case may read a list of another lane, for which it has no passive checks.
    wire.unplanned?.(answer, passive !== undefined && (units.length > 0 || request.unobserved === true));
    if (request.unobserved === true) return answer;
    const judged = clipped(answer);
    for (const { id: unit, check } of units) {
      const isApart = request.judgedApart?.includes(check.id) === true;
      // The check that sends it judges it, and covers what it shows.
      const result = isApart ? covering([], []) : check.observe(judged, endpoints[request.endpoint]);
      if (result.proved && (!isApart || isAccepted(answer)))
        passiveResults.push({ unit, check, endpoint: request.endpoint, ...result });
    }
    return answer;
  }
  return {
    get apiKey() {
      return wire.target.apiKey;
    },
    run: wire,
    bases: wire.bases,
    quiet: () => wire.underWay.quiet(check),
    lastWritten: (gate: string): Members | undefined => wire.gates.get(gate),
    ...held.told,
    passiveResults,
    /** The endpoints that accepted a request. */
    accepted: accepted as ReadonlySet<EndpointId>,
    tally,
    answers: () => count,
    atOnce: wire.client.connections,
    send: (request: ApiRequest): Promise<Answer> => deliverAs(nameOf(count), request),
    async together(requests: readonly ApiRequest[]): Promise<readonly Answer[]> {
      const first = count;
      const companions = wire.client.gather(requests.length);
      const sent = await Promise.allSettled(
        requests.map((request, index) => {
          const companion = companions[index];
          const sending = deliverAs(nameOf(first + index), request, requests, companion);
          return sending.finally(() => companion?.leave());
        }),
      );
      // By now every other answer has been judged.
      const answers = sent.map(one => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
      noteGatesOfCrowd(wire.gates, answers);
      return answers;
    },
  };
}
