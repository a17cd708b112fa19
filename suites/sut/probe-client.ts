import type { EndpointId } from '../../contracts/endpoints.ts';
import { compact } from '../../contracts/present.ts';
import { type ClientOptions, createHttpClient, type HttpClient } from '../client/client.ts';
import { isGatewayError, isLimited, pause } from '../client/deferral.ts';
import { type Answer, type ApiRequest, isSilence, outcomeOf } from '../protocol/answer.ts';
import { count } from '../protocol/entries.ts';
import { evenPutOff, GivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import type { Observer } from './observer.ts';
import { createWire, openSession, type Wire } from './session.ts';

/** Sends requests beside a run: over its own connections, not judged, and not stopped with the run. */
interface ProbeClient extends Pick<HttpClient, 'sent' | 'close'> {
  readonly wire: Wire;
}

/** Number of consecutive unanswered requests after which nothing more is sent. */
const mostSilent = 2;
/** Number of unanswered requests about one entity after which nothing more is sent about it: it may be all that fails. */
const mostSilentOfOne = 4;
/** Number of consecutive requests to an operation, deferred after all waiting, after which it is sent nothing more. */
const mostPutOff = 2;

/** The limits of the run's own client, and the state shared with the run. */
interface ProbeClientOptions
  extends Partial<Wire>,
    Pick<ClientOptions, 'timeoutMs' | 'rate' | 'patienceMs' | 'readsBefore'> {
  /** Observes the answers as in the run; absent: they are not observed. */
  readonly observer?: Observer;
  /** Waits for a target that does not answer; true if it answers again. Absent: it is not waited for. */
  readonly whenSilent?: () => Promise<boolean>;
}

/**
 * Opens fresh connections to a target. `send` throws `GivenUp` after two consecutive unanswered requests, unless the
 * target answers again, and for an operation of which two consecutive requests were put off to the end.
 */
export function openProbeClient(
  target: Target,
  { timeoutMs, rate, patienceMs, readsBefore, observer, whenSilent, ...known }: ProbeClientOptions,
): ProbeClient {
  const { baseUrl, access } = target;
  const client = createHttpClient({ baseUrl, access, timeoutMs, connections: 2, rate, patienceMs, readsBefore });
  let last: Answer | undefined;
  let silent = 0;
  const putOff = new Map<EndpointId, number>();
  const unanswered = new Map<string, number>();
  const noAnswer = (): GivenUp => new GivenUp(`no answer (${last?.reply.failure?.message})`);
  const subjectOf = ({ endpoint, param = '' }: ApiRequest): string => `${endpoint} ${param}`;
  const wire = createWire({
    client,
    target,
    token: 'probe',
    ...known,
    async admit(_id, request) {
      const { endpoint } = request;
      if ((unanswered.get(subjectOf(request)) ?? 0) >= mostSilentOfOne) throw noAnswer();
      if (silent >= mostSilent) {
        if ((await whenSilent?.()) !== true) throw noAnswer();
        silent = 0;
      }
      if ((putOff.get(endpoint) ?? 0) >= mostPutOff)
        throw new GivenUp(`${endpoint} puts requests off for longer than the suite waits`);
    },
    observers: compact([
      {
        note(answer: Answer) {
          last = answer;
          silent = isSilence(answer) ? silent + 1 : 0;
          if (silent > 0) count(unanswered, subjectOf(answer.request));
          if (isLimited(answer.reply)) count(putOff, answer.request.endpoint);
          else putOff.delete(answer.request.endpoint);
        },
      },
      observer,
    ]),
  });
  return { wire, sent: client.sent, close: client.close };
}

/** Reads that need no name. Whatever else is broken, a target that is there answers one of them. */
export const plainReads = ['list-segments', 'list-qualifying-events'] as const;

/** Milliseconds before each look at a target that stopped answering. */
const looks: readonly number[] = [0, 250, 500, 1_000, 2_000];

/**
 * Looks at a target by parallel reads over fresh connections. 'silent': it took the connections and answered none within
 * the limit; 'gone': it refused or dropped them.
 */
async function lookAt(
  target: Target,
  timeoutMs: number,
  asked: readonly EndpointId[],
): Promise<'answers' | 'silent' | 'gone'> {
  const probe = openProbeClient(target, { timeoutMs });
  const session = openSession(probe.wire, 'probe');
  try {
    const reads = await Promise.allSettled(asked.map(endpoint => session.send({ endpoint })));
    // A rejection means that the answer was too long to read: still an answer.
    const failures = reads.map(read => (read.status === 'rejected' ? null : read.value.reply.failure));
    if (failures.includes(null)) return 'answers';
    return failures.some(failure => failure?.kind === 'timeout') ? 'silent' : 'gone';
  } finally {
    await probe.close();
  }
}

/**
 * Waits a few seconds for a target that refuses or drops connections, as it may be restarting. Returns true if it
 * answers; one that takes connections and is silent is not waited for. `counts` gets the number of requests.
 */
export async function isBack(target: Target, timeoutMs: number, counts: { probes: number }): Promise<boolean> {
  for (const [index, milliseconds] of looks.entries()) {
    await pause(milliseconds, undefined);
    // One operation may be broken, so both are asked at first, and then in turn.
    const asked = index === 0 ? plainReads : plainReads.filter((_read, place) => place === index % plainReads.length);
    counts.probes += asked.length;
    const seen = await lookAt(target, timeoutMs, asked);
    if (seen !== 'gone') return seen === 'answers';
  }
  return false;
}

/** True if the same request may succeed later: no server listens yet, or a gateway lacks its server. */
function isStarting({ status, reply: { failure } }: Answer): boolean {
  if (failure === null) return isGatewayError(status);
  const { kind, obstacle } = failure;
  return kind === 'refused'
    ? obstacle === 'nobody' || obstacle === 'unknown-host' || obstacle === 'network'
    : kind === 'dropped' || kind === 'timeout';
}

/** Returns why a target seems to be starting, by one read that is not retried; null if it answers at all. */
export async function whyNotReady(target: Target, timeoutMs: number): Promise<string | null> {
  const { baseUrl, access } = target;
  const client = createHttpClient({ baseUrl, access, timeoutMs, connections: 1, impatient: true });
  const wire = createWire({ client, target, token: 'ready' });
  try {
    const answer = await evenPutOff(openSession(wire, 'ready').send({ endpoint: 'list-segments' }));
    return isStarting(answer) ? wire.secrets.redact(outcomeOf(answer)) : null;
  } catch (error) {
    // An answer that is too long to read is still an answer.
    if (error instanceof GivenUp) return null;
    throw error;
  } finally {
    await client.close();
  }
}
