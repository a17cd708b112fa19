import { type EndpointId, endpointRow, endpoints } from '../../contracts/endpoints.ts';
import type { Json, Members } from '../../contracts/json.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import type { HttpClient } from '../client/client.ts';
import type { Companion } from '../client/crowd.ts';
import { type Translation, translationFor } from '../client/naming.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import type { Suspicion } from '../model/suspicion.ts';
import { type Answer, type ApiRequest, isAccepted, replied, usesKey } from '../protocol/answer.ts';
import type { Bases } from '../protocol/base.ts';
import type { CheckResult, PassiveCheck } from '../protocol/check.ts';
import { withNewNames } from '../protocol/created-names.ts';
import type { Reply, WireRequest } from '../protocol/reply.ts';
import { MetItself, TooLong } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { acceptable, type Gates, noteGate, noteGatesOfCrowd, noteHeld } from './acceptable.ts';
import { clipped } from './clipped.ts';
import { demandedBy } from './demanded.ts';
import { refuseUnknowable } from './gateway-errors.ts';
import { createHeld } from './held.ts';
import type { Arrival, Observer } from './observer.ts';
import { secretsOf } from './target-secrets.ts';
import { createMeetingWrites, createUnderWay, type MeetingWrites, type UnderWay } from './under-way.ts';
import { type Trace, traceparent, wireRequest } from './wire-request.ts';

/** What a whole run shares: one client, one target, one counter of created names. */
export interface Wire {
  readonly client: HttpClient;
  readonly target: Target;
  readonly secrets: Secrets;
  readonly translation: Translation;
  readonly token: string;
  /** Whether requests carry `traceparent`; absent: none does. */
  readonly trace?: Trace | undefined;
  /** Each gate as the answer to the last write showed it. */
  readonly gates: Gates;
  /** The entities that can be read, by resource and name, each as it was shown last. */
  readonly held: Map<string, Members>;
  /** What is changed of the requests of an operation, so that the target accepts them. */
  readonly bases: Bases;
  /** How often in a row a gateway failed for an operation that works only once, and is therefore not tried again. */
  readonly gatewayErrors: Map<EndpointId, number>;
  /** The next number for a created thing's name. */
  nextName(): number;
  /** The next number for a try. */
  nextTry(): number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** The requests that are under way, by the check that sent them. */
  readonly underWay: UnderWay;
  /** The writes that are under way, by the entity that they write to. */
  readonly meeting: MeetingWrites;
  readonly observers: readonly Observer[];
  /** What answers of the run showed that may be no more than late. */
  readonly late: Set<Suspicion>;
  /** Judges the answers to requests that belong to no case, and notes errors of the server; absent: nobody does. */
  readonly unplanned?: ((answer: Answer, isOfCase: boolean) => void) | undefined;
  /** Resolves when the request `id` may be sent; throws when it must not be (run stopped, endpoint given up). */
  admit(id: string, request: ApiRequest): Promise<void> | void;
}

/** What a wire is made of; what is not given is new. */
export type WireParts = Pick<Wire, 'client' | 'target' | 'token'> & Partial<Wire>;

/** A wire, with names counted from 1 and, unless they are given, no gates known. It admits and shows nobody what is sent. */
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

/** A passive check of an endpoint. */
export interface PassiveUnit {
  /** `endpoint/check`. */
  readonly id: string;
  readonly check: PassiveCheck;
}

/** What an answer showed of a passive check. */
export interface PassiveResult extends CheckResult {
  /** `endpoint/check`. */
  readonly unit: string;
  readonly check: PassiveCheck;
  /** The endpoint that gave the answer: a check of another one may have asked it. */
  readonly endpoint: EndpointId;
}

/** A session that remembers what the passive checks saw. */
export type RecordedSession = ReturnType<typeof openSession>;

/**
 * Sends a request, stamped anew each time it has to be sent again, and once more with another key where the key is
 * refused and its source has another one. Returns the body that was sent last, too.
 */
async function deliver(
  wire: Wire,
  id: string,
  request: ApiRequest,
  companion?: Companion,
): Promise<{ sent: Json | undefined; reply: Reply; arrival: Arrival }> {
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
  const reply = await wire.client.send(anew(), companion === undefined ? repetition : { ...repetition, companion });
  const isRefused = reply.status === 401 && usesKey(request);
  if (reply.status >= 200 && reply.status < 300 && usesKey(request)) wire.target.keys.took(key);
  if (!isRefused || (await wire.target.keys.renew(key)) === key) return arrived(reply);
  const second = await wire.client.send(anew(), repetition);
  if (second.status >= 200 && second.status < 300) wire.target.keys.took(key);
  return arrived(second);
}

/** True of a creation that was refused after an earlier try of it got no answer, and that had the same name each time. */
const mayHaveMetItself = ({ request: { endpoint, body }, sent, status }: Answer, { lost }: Arrival): boolean => {
  const isSame = sent !== undefined && sent === body;
  return lost.length > 0 && status >= 400 && status < 500 && isSame && endpointRow(endpoint).effect === 'additive';
};

/** Opens a session for one case, which `id` names in the evidence. Without `passive` checks it belongs to no case. */
export function openSession(wire: Wire, id: string, passive?: (endpoint: EndpointId) => readonly PassiveUnit[]) {
  const passiveResults: PassiveResult[] = [];
  const accepted = new Set<EndpointId>();
  const tally = { accepted: 0, refused: 0, unsound: 0 };
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
    // Most are admitted at once.
    if (admitted !== undefined) await admitted;
    count += 1;
    const contestedBy = wire.meeting.begin(request);
    wire.underWay.begin(check);
    const { sent, reply, arrival } = await deliver(wire, name, request, companion).finally(() =>
      wire.underWay.end(check),
    );
    const met = contestedBy(reply.status >= 400);
    const contested = request.contested === undefined ? met : [...request.contested, ...met];
    const answer = answerOf(wire, name, contested.length === 0 ? request : { ...request, contested }, sent, reply);
    // A success of another method or path is the acceptance of nothing that the specification knows.
    if (!answer.success) tally.refused += 1;
    else if (answer.own && !isAccepted(answer)) tally.unsound += 1;
    else if (answer.own) {
      tally.accepted += 1;
      accepted.add(request.endpoint);
    }
    for (const observer of wire.observers) {
      observer.note(answer);
      held.note(observer.answered?.(answer, arrival));
    }
    // What was not read to its end proves nothing, either way.
    if (reply.failure?.kind === 'too-large')
      throw new TooLong(`an answer could not be judged: ${reply.failure.message}`, answer);
    if (mayHaveMetItself(answer, arrival))
      throw new MetItself(
        `an answer got lost, and the creation was refused when it was sent again (${refusalInWords(answer)})`,
      );
    refuseUnknowable(wire, answer);
    noteGate(wire.gates, answer);
    noteHeld(wire.held, answer);
    const units = passive?.(request.endpoint) ?? [];
    // A case may read a list of another lane, whose checks are not those of the case.
    wire.unplanned?.(answer, passive !== undefined && (units.length > 0 || request.unobserved === true));
    if (request.unobserved === true) return answer;
    const row = endpoints[request.endpoint];
    const judged = clipped(answer);
    for (const { id: unit, check } of units) {
      if (request.judgedApart?.includes(check.id)) continue;
      const result = check.observe(judged, row);
      if (result.proved) passiveResults.push({ unit, check, endpoint: request.endpoint, ...result });
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
    /** Of the requests sent: how many were accepted, refused, or answered with a success in a broken frame. */
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
      // What the others brought is judged by then.
      const answers = sent.map(one => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
      noteGatesOfCrowd(wire.gates, answers);
      return answers;
    },
  };
}
