import { createHttpClient } from '../client/client.ts';
import { createSecrets } from '../client/secrets.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { createWire, openSession } from './session.ts';

/** Asks a target questions that change nothing. */
export interface ReadOnlyClient {
  /** Sends a request. An answer that is longer than anybody reads comes back as one with a failure, which says so: who only asks has nothing to judge. */
  send(request: ApiRequest): Promise<Answer>;
  lastWritten(gate: string): Readonly<Record<string, unknown>> | undefined;
  /** How many requests were sent. */
  readonly sent: () => number;
  close(): Promise<void>;
}

/** What an client may send: `GET`; or the empty patch of a gate besides, which changes nothing but is a write. */
export type AccessMode = 'reads' | 'reads and empty patches';

const isEmptyPatch = ({ endpoint, method, body }: ApiRequest): boolean =>
  endpoint === 'patch-gate' && method === undefined && JSON.stringify(body) === '{}';

/** Opens an client. Anything but what its mode allow is refused before it is sent (an Error: a mistake of ours, never of the target). */
export function openReadOnlyClient(target: Target, mode: AccessMode, timeoutMs: number): ReadOnlyClient {
  const client = createHttpClient({ baseUrl: target.baseUrl, timeoutMs, connections: 2 });
  const unread = new WeakMap<ApiRequest, Answer>();
  const wire = createWire({
    client: {
      ...client,
      send(request) {
        if (request.method !== 'GET' && !(request.method === 'PATCH' && request.body === '{}')) {
          throw new Error(`an client must not send ${request.method} ${request.path}`);
        }
        return client.send(request);
      },
    },
    target,
    secrets: createSecrets(),
    token: 'client',
    admit: () => {},
    onAnswer: answer => {
      if (answer.reply.failure?.kind === 'too-large') unread.set(answer.request, answer);
    },
  });
  const session = openSession(wire, 'client', () => []);
  return {
    async send(request) {
      if (mode === 'reads' && isEmptyPatch(request)) throw new Error('an client that only reads must not send a patch');
      try {
        return await session.send(request);
      } catch (error) {
        const answer = unread.get(request);
        if (error instanceof GivenUp && answer !== undefined) return answer;
        throw error;
      }
    },
    lastWritten: session.lastWritten,
    sent: client.sent,
    close: client.close,
  };
}
