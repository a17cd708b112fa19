import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Notice } from '../../contracts/report/journal.ts';
import { isLimited } from '../client/deferral.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import { count, entryOf } from '../protocol/entries.ts';
import { GivenUp, interrupted, RunStopped } from '../protocol/stop.ts';
import { weightOf } from '../protocol/text-bounds.ts';
import { awayText, putOffText } from '../sut/gateway-errors.ts';
import type { RunConfig } from './config.ts';
import { textOf } from './evidence.ts';
import { notice } from './notice.ts';

/** Tracks whether the target still answers, whether the run was interrupted, and how much was sent. */
export type HealthMonitor = ReturnType<typeof createHealthMonitor>;

/** The options of a health monitor. */
export interface HealthMonitorOptions extends Pick<RunConfig, 'signal' | 'maxRequests' | 'enough'> {
  /** The line of the target file that sets the limit, if it was not the flag. */
  readonly limit?: string | undefined;
  /** Probes the target over a fresh connection; true if any HTTP answer arrives. */
  readonly probe: () => Promise<boolean>;
}

/** Limits on how often a target may waste time. */
const most = {
  /** Consecutive requests without an HTTP answer before the target is probed. */
  silent: 6,
  /** Timeouts of one check of an endpoint, and of all its checks. */
  timeoutsOfCheck: 4,
  timeoutsOfEndpoint: 10,
  /** Answers of an endpoint that are too long to read. */
  tooLarge: 3,
  /** The same for requests with a `limit`, which may have asked for too much. Others are sent all the same. */
  tooLargeAsked: 20,
  /** Weight up to which one answer is light, and total weight of heavier answers per endpoint, see `weightOf`. */
  lightAnswer: 262_144,
  heavyAnswers: 33_554_432,
  /** Operations that the target defers after all waiting, with no other answer in between, before the run ends. */
  deferred: 3,
} as const;

const remedyOfDeferral = 'run later, or with a lower --rate and --concurrency';

/** Returns the `endpoint/check` of a request's id. Preflight ids have no path, and further requests have a number. */
const unitOf = (id: string): string => (id.split('#')[0] ?? id).replace(/\.\d+$/, '');

/** Returns the name of those requests to an operation that ask for a number of items. */
const withLimit = (endpoint: EndpointId): string => `${endpoint} with a limit`;

/** Returns the monitor of a run that has sent nothing yet. */
export function createHealthMonitor(options: HealthMonitorOptions) {
  const { signal, maxRequests = Number.POSITIVE_INFINITY, probe, limit, enough = () => null } = options;
  const remedy = limit ?? 'a higher --max-requests, or none';
  let silent = 0;
  let admitted = 0;
  let stopped = null as RunStopped | null;
  let probing: Promise<void> | null = null;
  const failures = new Map<string, number>();
  const heavy = new Map<EndpointId, { answers: number; weight: number }>();
  /** Units and endpoints that get no more requests, and why. */
  const givenUp = new Map<string, string>();
  /** Operations that were put off since the last other answer, and why each operation ever was. */
  const deferred = new Set<EndpointId>();
  const putOff = new Map<EndpointId, string>();

  const stop = (reason: RunStopped['reason'], message: string, remedy?: string): void => {
    // What is not answered any more after an interruption says nothing about the target.
    stopped ??= signal?.aborted === true ? interrupted() : new RunStopped(reason, message, remedy);
  };

  function refuseIfOver(id: string, { endpoint, query }: ApiRequest): void {
    if (signal?.aborted === true) stopped ??= interrupted();
    const known = enough();
    if (known !== null) stop('limit', known, 'a whole run, for the rest');
    if (stopped !== null) throw stopped;
    if (givenUp.size > 0) {
      const asked = query?.limit === undefined ? undefined : givenUp.get(withLimit(endpoint));
      const why = givenUp.get(unitOf(id)) ?? givenUp.get(endpoint) ?? asked;
      if (why !== undefined) throw new GivenUp(why);
    }
    if (admitted >= maxRequests) {
      stop('limit', `the run was to send ${maxRequests} requests at most`, remedy);
      throw stopped as unknown as RunStopped;
    }
    admitted += 1;
  }

  async function probeTarget(message: string): Promise<void> {
    const alive = await probe();
    probing = null;
    if (alive) silent = 0;
    else {
      const why = `the target stopped answering: ${silent} requests in a row, and then a plain one over a fresh connection, ended in "${message}"`;
      stop('unreachable', why);
    }
  }

  function countFailure(subject: string, limit: number, message: string): void {
    const times = count(failures, subject);
    if (times >= limit)
      givenUp.set(subject, `${subject} is not sent to any more: ${times} requests ended in "${message}"`);
  }

  function countWeight(answer: Answer): void {
    const { endpoint } = answer.request;
    const weight = weightOf(textOf(answer));
    if (weight <= most.lightAnswer) return;
    const total = entryOf(heavy, endpoint, () => ({ answers: 0, weight: 0 }));
    total.answers += 1;
    total.weight += weight;
    if (total.weight > most.heavyAnswers)
      givenUp.set(
        endpoint,
        `${endpoint} is not sent to any more: ${total.answers} long answers had ${total.weight.toLocaleString('en')} characters together (or the values that so many would hold)`,
      );
  }

  function noteDeferral(answer: Answer): void {
    const { reply, request, own } = answer;
    const { endpoint } = request;
    if (!isLimited(reply)) {
      deferred.clear();
      return;
    }
    // What is put off under another method or path says nothing about the operation.
    if (!own) return;
    const what = putOffText(answer);
    const why = `${endpoint} ${what}`;
    deferred.add(endpoint);
    givenUp.set(endpoint, why);
    if (!putOff.has(endpoint)) putOff.set(endpoint, why);
    if (deferred.size >= most.deferred) stop('unreachable', `the target ${what}`, remedyOfDeferral);
  }

  return {
    stopped: () => stopped,
    /** Number of requests that were admitted so far, however often each was sent. */
    admitted: (): number => admitted,
    /**
     * Resolves when the request `id` (`endpoint/check#path`) may be sent. Throws `RunStopped` if the run is over,
     * `GivenUp` if this check or endpoint is.
     */
    admit(id: string, request: ApiRequest): Promise<void> | void {
      if (probing === null) return refuseIfOver(id, request);
      return probing.then(() => refuseIfOver(id, request));
    },
    note(answer: Answer): void {
      const { failure, cutShort } = answer.reply;
      if (cutShort === 'away') stop('unreachable', `${awayText(answer)}; ${answer.id} was the first to get no answer`);
      const { endpoint } = answer.request;
      if (failure === null) {
        silent = 0;
        countWeight(answer);
        noteDeferral(answer);
        return;
      }
      // Only long answers and timeouts cost time; a connection that closes at once does not.
      if (failure.kind === 'too-large') {
        if (answer.request.query?.limit === undefined) countFailure(endpoint, most.tooLarge, failure.message);
        else countFailure(withLimit(endpoint), most.tooLargeAsked, failure.message);
        return;
      }
      if (failure.kind === 'timeout') {
        countFailure(unitOf(answer.id), most.timeoutsOfCheck, failure.message);
        countFailure(endpoint, most.timeoutsOfEndpoint, failure.message);
      }
      silent += 1;
      if (silent >= most.silent && stopped === null) probing ??= probeTarget(failure.message);
    },
    /** Returns a warning for each operation that was given up because the target put it off, unless all were. */
    all: (): readonly Notice[] =>
      stopped?.reason === 'unreachable'
        ? []
        : [...putOff.values()].map(why => notice('warning', `${why}: the rest of it is untested`, remedyOfDeferral)),
  };
}
