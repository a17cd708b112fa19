import { hasDryRun } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { createHttpClient, type HttpClient } from '../client/client.ts';
import { type ApiRequest, isReading } from '../protocol/answer.ts';
import type { Bases } from '../protocol/base.ts';
import type { Session } from '../protocol/check.ts';
import { TooLong, Withheld } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { demandedBy } from './demanded.ts';
import { createWire, openSession } from './session.ts';

/** Sends a target requests that change nothing. An answer that is too long to be read is returned with that failure. */
export type ReadOnlyClient = Pick<Session, 'send' | 'lastWritten' | 'apiKey' | 'bases'> &
  Pick<HttpClient, 'sent' | 'close'>;

/** What a read-only client may send: `GET`; or the empty patch besides, which changes nothing but is a write. */
type AccessMode = 'reads' | 'reads and empty patches';

/** True of the empty patch, and of a request to which nothing is known that it could change. */
const changesNothing = (request: ApiRequest, absent: string): boolean => {
  const { endpoint, param, rawPath, raw, body } = request;
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
  return open(target, bases, timeoutMs, request => {
    if (!changesNothing(request, absent)) throw new Withheld('it might change something');
  });
};

/** Opens a read-only client. `send` throws, and sends nothing, for what the mode does not allow. */
export const openReadOnlyClient = (target: Target, mode: AccessMode, timeoutMs: number): ReadOnlyClient =>
  // What the target demands would be a change.
  open(target, new Map(), timeoutMs, request => {
    const { endpoint, method = endpointRow(endpoint).method } = request;
    const isEmptyPatch = method === 'PATCH' && isReading(request) && mode === 'reads and empty patches';
    if (method !== 'GET' && !isEmptyPatch)
      throw new Error(`a read-only client (${mode}) must not send ${method} to ${endpoint}`);
  });

/** @param admit throws for what must not be sent */
function open(target: Target, bases: Bases, timeoutMs: number, admit: (request: ApiRequest) => void): ReadOnlyClient {
  const client = createHttpClient({ baseUrl: target.baseUrl, access: target.access, timeoutMs, connections: 2 });
  const wire = createWire({ client, target, token: 'client', bases, admit: (_id, request) => admit(request) });
  const { send, lastWritten, apiKey } = openSession(wire, 'client');
  return {
    send: request =>
      send(request).catch((error: unknown) => {
        if (error instanceof TooLong) return error.answer;
        throw error;
      }),
    lastWritten,
    apiKey,
    bases,
    sent: client.sent,
    close: client.close,
  };
}
