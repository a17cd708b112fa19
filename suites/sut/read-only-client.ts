import { hasDryRun } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { createHttpClient } from '../client/client.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import type { Bases } from '../protocol/base.ts';
import type { Session } from '../protocol/check.ts';
import type { WireRequest } from '../protocol/reply.ts';
import { GivenUp, Withheld } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { demandedBy } from './demanded.ts';
import { createWire, openSession, type Wire } from './session.ts';
import { secretsOf } from './target-secrets.ts';

/** Sends a target requests that change nothing. An answer that is too long to be read is returned with that failure. */
export interface ReadOnlyClient extends Pick<Session, 'send' | 'lastWritten' | 'apiKey' | 'bases'> {
  /** How many requests were sent. */
  readonly sent: () => number;
  close(): Promise<void>;
}

/** What a read-only client may send: `GET`; or the empty patch besides, which changes nothing but is a write. */
type AccessMode = 'reads' | 'reads and empty patches';

/** True of the empty patch, and of a request to which nothing is known that it could change. */
const changesNothing = ({ endpoint, param, rawPath, raw, body }: ApiRequest, absent: string): boolean => {
  const row = endpointRow(endpoint);
  if (row.method === 'GET' || param === absent || rawPath?.includes(absent) === true || raw === cutOff) return true;
  const members = membersOf(body);
  return endpoint === 'patch-gate' ? Object.keys(members).length === 0 : hasDryRun(row) && members.dryRun === true;
};

/** A body that is cut off after its first sign: no service can take it (section 1). */
export const cutOff = '{';

/**
 * Opens a client that sends, beside `GET`, what changes nothing: empty patches, dry runs (with what the target file says
 * the service demands), bodies that are cut off, and requests about `absent`, which names nothing. `send` throws
 * `Withheld` for anything else.
 */
export const openHarmlessClient = (target: Target, absent: string, timeoutMs: number): ReadOnlyClient => {
  const bases = demandedBy(target);
  // What the target demands of a patch would be a change.
  bases.delete('patch-gate');
  return open(target, bases, timeoutMs, {
    admit(_id, request) {
      if (!changesNothing(request, absent)) throw new Withheld('it might change something');
    },
  });
};

/** Opens a read-only client. `send` throws, and sends nothing, for what the mode does not allow. */
export function openReadOnlyClient(target: Target, mode: AccessMode, timeoutMs: number): ReadOnlyClient {
  // What the target demands would be a change.
  return open(target, new Map(), timeoutMs, {
    onWire(request) {
      const isEmptyPatch = request.method === 'PATCH' && request.body === '{}';
      if (request.method !== 'GET' && !(isEmptyPatch && mode === 'reads and empty patches'))
        throw new Error(`a read-only client (${mode}) must not send ${request.method} ${request.path}`);
    },
  });
}

/** What keeps a client from sending a request: told of each before it is sent, and of what goes on the wire. */
interface Bounds {
  readonly admit?: Wire['admit'];
  readonly onWire?: (request: WireRequest) => void;
}

function open(target: Target, bases: Bases, timeoutMs: number, { admit, onWire }: Bounds): ReadOnlyClient {
  const client = createHttpClient({ baseUrl: target.baseUrl, access: target.access, timeoutMs, connections: 2 });
  const tooLong = new WeakMap<ApiRequest, Answer>();
  const wire = createWire({
    client: {
      ...client,
      async send(request, repetition) {
        onWire?.(request);
        return client.send(request, repetition);
      },
    },
    target,
    secrets: secretsOf(target),
    token: 'client',
    bases,
    admit: admit ?? (() => {}),
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
    apiKey: session.apiKey,
    bases,
    sent: client.sent,
    close: client.close,
  };
}
