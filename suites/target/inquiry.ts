import { createHttpClient } from '../client/client.ts';
import { createSecrets } from '../client/secrets.ts';
import type { Answer, ApiRequest } from '../engine/answer.ts';
import { GivenUp } from '../engine/pulse.ts';
import { createWire, openSession } from '../engine/session.ts';
import type { Target } from './world.ts';

/** Asks a target questions that change nothing. */
export interface Inquiry {
  /** Sends a request. An answer that is longer than anybody reads comes back as one with a failure, which says so: who only asks has nothing to judge. */
  send(request: ApiRequest): Promise<Answer>;
  lastWritten(gate: string): Readonly<Record<string, unknown>> | undefined;
  /** How many requests were sent. */
  readonly sent: () => number;
  close(): Promise<void>;
}

/** What an inquiry may send: `GET`; or the empty patch of a gate besides, which changes nothing but is a write. */
export type Manners = 'reads' | 'reads and empty patches';

const isEmptyPatch = ({ endpoint, method, body }: ApiRequest): boolean =>
  endpoint === 'patch-gate' && method === undefined && JSON.stringify(body) === '{}';

/** Opens an inquiry. Anything but what its manners allow is refused before it is sent (an Error: a mistake of ours, never of the target). */
export function openInquiry(target: Target, manners: Manners, timeoutMs: number): Inquiry {
  const client = createHttpClient({ baseUrl: target.baseUrl, timeoutMs, connections: 2 });
  const unread = new WeakMap<ApiRequest, Answer>();
  const wire = createWire({
    client: {
      ...client,
      send(request) {
        if (request.method !== 'GET' && !(request.method === 'PATCH' && request.body === '{}')) {
          throw new Error(`an inquiry must not send ${request.method} ${request.path}`);
        }
        return client.send(request);
      },
    },
    target,
    secrets: createSecrets(),
    token: 'inquiry',
    admit: () => {},
    onAnswer: answer => {
      if (answer.reply.failure?.kind === 'too-large') unread.set(answer.request, answer);
    },
  });
  const session = openSession(wire, 'inquiry', () => []);
  return {
    async send(request) {
      if (manners === 'reads' && isEmptyPatch(request))
        throw new Error('an inquiry that only reads must not send a patch');
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
