import { createHttpClient } from '../client/client.ts';
import { isGatewayError } from '../client/deferral.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { createWire, openSession } from './session.ts';
import { secretsOf } from './target-secrets.ts';

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
  const secrets = secretsOf(target);
  const wire = createWire({ client, target, secrets, token: 'ready', observers: [], admit: () => {} });
  try {
    const answer = await openSession(wire, 'ready').send({ endpoint: 'list-segments' });
    return isStarting(answer) ? secrets.redact(outcomeOf(answer)) : null;
  } catch (error) {
    // An answer that is longer than anybody reads is one all the same.
    if (error instanceof GivenUp) return null;
    throw error;
  } finally {
    await client.close();
  }
}
