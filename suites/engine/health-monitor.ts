import type { EndpointId } from '../../contracts/endpoints.ts';
import { isLimited } from '../client/client.ts';
import { weightOf } from '../client/depth.ts';
import { type Answer, type ApiRequest, isKeyRefusal } from '../protocol/answer.ts';
import { GivenUp, RunStopped } from '../protocol/stop.ts';

/** Watches over a run: whether the target still answers, whether the run was interrupted, how much it sent. */
export interface HealthMonitor {
  /**
   * Resolves when the request `id` (`endpoint/check#path`) may be sent; throws `RunStopped` when nothing is to be sent any more, `GivenUp` when nothing
   * of this check or to this endpoint is.
   */
  admit(id: string, request: ApiRequest): Promise<void> | void;
  /** Takes note of an answer. */
  note(answer: Answer): void;
  readonly stopped: () => RunStopped | null;
}

/** What a health is taken with. */
export interface HealthMonitorOptions {
  readonly signal?: AbortSignal | undefined;
  /** After so many requests nothing more is sent. */
  readonly maxRequests?: number | undefined;
  /** Asks the target for a sign of life, over a fresh connection; true when any HTTP answer comes. */
  readonly probe: () => Promise<boolean>;
}

/** After so many requests in a row without any HTTP answer the target is asked for a sign of life. */
const mostSilent = 6;
/** So many waits in vain does one check of an endpoint cost, and so many all of them. */
const mostVainOfCheck = 4;
const mostVainOfEndpoint = 10;
/** So many answers that are longer than anybody reads. */
const mostTooLarge = 3;
/** Heavier bodies are burdens, see `weightOf`; so much weight of burdens does one endpoint get read. */
const heaviestLight = 262_144;
const mostBurden = 8_388_608;
/** So many requests in a row that the target puts off, after all patience, end the run. */
const mostPutOff = 3;

/** The requests before the first check have no path; those after the first of them are numbered. */
const unitOf = (id: string): string => (id.split('#')[0] ?? id).replace(/\.\d+$/, '');

/** A fresh health. */
export function createHealthMonitor(options: HealthMonitorOptions): HealthMonitor {
  const { signal, maxRequests = Number.POSITIVE_INFINITY, probe } = options;
  let silent = 0;
  let putOff = 0;
  let admitted = 0;
  let stopped: RunStopped | null = null;
  let probing: Promise<void> | null = null;
  const vain = new Map<string, number>();
  const burden = new Map<EndpointId, number>();
  const givenUp = new Map<string, string>();

  const stop = (reason: RunStopped['reason'], message: string, remedy?: string): void => {
    stopped ??= new RunStopped(reason, message, remedy);
  };

  function refuseIfOver(id: string, endpoint: EndpointId): void {
    if (signal?.aborted === true) stop('interrupted', 'the run was interrupted');
    if (stopped !== null) throw stopped;
    if (givenUp.size > 0) {
      const why = givenUp.get(unitOf(id)) ?? givenUp.get(endpoint);
      if (why !== undefined) throw new GivenUp(why);
    }
    if (admitted >= maxRequests) {
      stop('limit', `the run was to send ${maxRequests} requests at most`, 'a higher --max-requests, or none');
      throw stopped as unknown as RunStopped;
    }
    admitted += 1;
  }

  async function listen(message: string): Promise<void> {
    const alive = await probe();
    probing = null;
    if (alive) silent = 0;
    else {
      const why = `the target stopped answering: ${silent} requests in a row, and then a plain one over a fresh connection, ended in "${message}"`;
      stop('unreachable', why);
    }
  }

  function countVain(place: string, most: number, message: string): void {
    const count = (vain.get(place) ?? 0) + 1;
    vain.set(place, count);
    if (count >= most) givenUp.set(place, `${place} is not sent to any more: ${count} requests ended in "${message}"`);
  }

  function weigh({ reply, request: { endpoint } }: Answer): void {
    const weight = reply.body.kind === 'empty' ? 0 : weightOf(reply.body.text);
    if (weight <= heaviestLight) return;
    const total = (burden.get(endpoint) ?? 0) + weight;
    burden.set(endpoint, total);
    if (total > mostBurden)
      givenUp.set(
        endpoint,
        `${endpoint} is not sent to any more: its answers are too long, or hold too much (${total} characters, or what their values would take in ordinary ones)`,
      );
  }

  return {
    stopped: () => stopped,
    admit(id, { endpoint }) {
      if (probing === null) return refuseIfOver(id, endpoint);
      return probing.then(() => refuseIfOver(id, endpoint));
    },
    note(answer) {
      const { failure, headers } = answer.reply;
      const { endpoint } = answer.request;
      if (failure === null) {
        silent = 0;
        weigh(answer);
        putOff = isLimited(answer.reply) ? putOff + 1 : 0;
        if (putOff === 0) return;
        const said = `status ${answer.status}, Retry-After ${String(headers['retry-after'] ?? 'absent').slice(0, 40)}`;
        givenUp.set(endpoint, `${endpoint} puts requests off for longer than the suite waits (${said})`);
        if (putOff >= mostPutOff)
          stop(
            'unreachable',
            `the target puts requests off for longer than the suite waits (${said})`,
            'run later, or with a lower --rate and --concurrency',
          );
        return;
      }
      // These two cost time; a connection that closes at once costs none, and every case may tell something.
      if (failure.kind === 'too-large') {
        countVain(endpoint, mostTooLarge, failure.message);
        return;
      }
      if (failure.kind === 'timeout') {
        countVain(unitOf(answer.id), mostVainOfCheck, failure.message);
        countVain(endpoint, mostVainOfEndpoint, failure.message);
      }
      silent += 1;
      if (silent >= mostSilent && stopped === null) probing ??= listen(failure.message);
    },
  };
}

/** True when every one of some answers refused a key that should be right. */
export const allRefuseTheKey = (answers: readonly Answer[]): boolean =>
  answers.length > 0 && answers.every(isKeyRefusal);
