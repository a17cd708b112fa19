import { compact } from '../../contracts/present.ts';
import { type ClientOptions, createHttpClient, type HttpClient } from '../client/client.ts';
import { isGatewayError } from '../client/deferral.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import type { Observer } from './observer.ts';
import { createWire, openSession, type Wire } from './session.ts';

/** Sends requests beside a run: over connections of their own, not judged, not stopped when the run is. */
interface ProbeClient extends Pick<HttpClient, 'sent' | 'close'> {
  readonly wire: Wire;
}

/** So many requests in a row without an answer, and nothing more is sent. */
const mostSilent = 2;

/** The bounds of the run's own client, and what the run knows and counts. */
interface ProbeClientOptions extends Partial<Wire>, Pick<ClientOptions, 'timeoutMs' | 'rate'> {
  /** Takes note of the answers as it does of those of the run; absent: nobody does. */
  readonly observer?: Observer;
}

/** Opens fresh connections to a target. A `send` throws `GivenUp` once the target has not answered twice in a row. */
export function openProbeClient(
  target: Target,
  { timeoutMs, rate, observer, ...known }: ProbeClientOptions,
): ProbeClient {
  const client = createHttpClient({ baseUrl: target.baseUrl, access: target.access, timeoutMs, connections: 2, rate });
  let last: Answer | undefined;
  let silent = 0;
  const wire = createWire({
    client,
    target,
    token: 'probe',
    ...known,
    admit() {
      if (silent >= mostSilent) throw new GivenUp(`no answer (${last?.reply.failure?.message})`);
    },
    observers: compact([
      {
        note(answer: Answer) {
          last = answer;
          silent = answer.reply.failure === null ? 0 : silent + 1;
        },
      },
      observer,
    ]),
  });
  return { wire, sent: client.sent, close: client.close };
}

const probes = ['list-segments', 'list-qualifying-events'] as const;

/** How many requests `isAlive` sends. */
export const probesOfLife = probes.length;

/** Probes a target by two reads at once over fresh connections: true when one of them brings any HTTP answer. */
export async function isAlive(target: Target, timeoutMs: number): Promise<boolean> {
  const probe = openProbeClient(target, { timeoutMs });
  const session = openSession(probe.wire, 'probe');
  try {
    // Rejected for an answer that is longer than anybody reads: an answer all the same.
    const reads = await Promise.allSettled(probes.map(endpoint => session.send({ endpoint })));
    return reads.some(read => read.status === 'rejected' || read.value.reply.failure === null);
  } finally {
    await probe.close();
  }
}

/** True where the same request may well be answered in a while: nobody there yet, or a gateway without its server. */
function isStarting({ status, reply: { failure } }: Answer): boolean {
  if (failure === null) return isGatewayError(status);
  const { kind, obstacle } = failure;
  return kind === 'refused'
    ? obstacle === 'nobody' || obstacle === 'unknown-host'
    : kind === 'dropped' || kind === 'timeout';
}

/** Why a target seems to be still starting, by one read that is sent once; null where it answers, whatever it says. */
export async function whyNotReady(target: Target, timeoutMs: number): Promise<string | null> {
  const { baseUrl, access } = target;
  const client = createHttpClient({ baseUrl, access, timeoutMs, connections: 1, impatient: true });
  const wire = createWire({ client, target, token: 'ready' });
  try {
    const answer = await openSession(wire, 'ready').send({ endpoint: 'list-segments' });
    return isStarting(answer) ? wire.secrets.redact(outcomeOf(answer)) : null;
  } catch (error) {
    // An answer that is longer than anybody reads is one all the same.
    if (error instanceof GivenUp) return null;
    throw error;
  } finally {
    await client.close();
  }
}
