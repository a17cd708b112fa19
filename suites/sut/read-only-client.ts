import { createHttpClient } from '../client/client.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { createWire, openSession } from './session.ts';
import { secretsOf } from './target-secrets.ts';

/** Sends a target requests that change nothing. */
export interface ReadOnlyClient {
  /** Sends a request. An answer that is too long to be read is returned with that failure. */
  send(request: ApiRequest): Promise<Answer>;
  lastWritten(gate: string): Readonly<Record<string, unknown>> | undefined;
  /** How many requests were sent. */
  readonly sent: () => number;
  close(): Promise<void>;
}

/** What a read-only client may send: `GET`; or the empty patch besides, which changes nothing but is a write. */
type AccessMode = 'reads' | 'reads and empty patches';

/** Opens a read-only client. `send` throws, and sends nothing, for what the mode does not allow. */
export function openReadOnlyClient(target: Target, mode: AccessMode, timeoutMs: number): ReadOnlyClient {
  const client = createHttpClient({ baseUrl: target.baseUrl, access: target.access, timeoutMs, connections: 2 });
  const tooLong = new WeakMap<ApiRequest, Answer>();
  const wire = createWire({
    client: {
      ...client,
      async send(request, repetition) {
        const isEmptyPatch = request.method === 'PATCH' && request.body === '{}';
        if (request.method !== 'GET' && !(isEmptyPatch && mode === 'reads and empty patches'))
          throw new Error(`a read-only client (${mode}) must not send ${request.method} ${request.path}`);
        return client.send(request, repetition);
      },
    },
    target,
    secrets: secretsOf(target),
    token: 'client',
    // What the target demands would be a change.
    bases: new Map(),
    admit: () => {},
    observers: [
      {
        note(answer) {
          if (answer.reply.failure?.kind === 'too-large') tooLong.set(answer.request, answer);
        },
      },
    ],
  });
  const session = openSession(wire, 'client');
  return {
    async send(request) {
      try {
        return await session.send(request);
      } catch (error) {
        const answer = tooLong.get(request);
        if (error instanceof GivenUp && answer !== undefined) return answer;
        throw error;
      }
    },
    lastWritten: session.lastWritten,
    sent: client.sent,
    close: client.close,
  };
}
