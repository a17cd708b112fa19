import { hasDryRun } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { createHttpClient, type HttpClient } from '../client/client.ts';
import { type Answer, type ApiRequest, isReading, isSilence } from '../protocol/answer.ts';
import type { Bases } from '../protocol/base.ts';
import type { Session } from '../protocol/check.ts';
import { PutOff, RunStopped, TooLong, WentAway, Withheld } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { demandedBy } from './demanded.ts';
import { absenceRemedy, awayText } from './gateway-errors.ts';
import { isBack } from './probe-client.ts';
import { createWire, openSession } from './session.ts';

/**
 * Sends requests that change nothing. An answer that is too long to read is returned with that failure, and one that
 * asks to come later as it is. `send` throws `RunStopped` (unreachable), for good, once the target went away.
 */
export type ReadOnlyClient = Pick<Session, 'send' | 'lastWritten' | 'apiKey' | 'bases'> &
  Pick<HttpClient, 'sent' | 'close'>;

/** The requests that a read-only client may send: `GET`, or also the empty patch, which is a write without effect. */
type AccessMode = 'reads' | 'reads and empty patches';

/** True for an empty patch, a dry run, and any request that cannot change anything. */
const changesNothing = (request: ApiRequest, absent: string): boolean => {
  const { endpoint, param, rawPath, raw, body } = request;
  const row = endpointRow(endpoint);
  if (row.method === 'GET' || param === absent || rawPath?.includes(absent) === true || raw === cutOff) return true;
  const members = membersOf(body);
  return endpoint === 'patch-gate' ? Object.keys(members).length === 0 : hasDryRun(row) && members.dryRun === true;
};

/** A truncated body, which no service can accept (section 1). */
export const cutOff = '{';

/**
 * Opens a client for requests that change nothing: `GET`, empty patches, dry runs (with demanded fields), truncated
 * bodies, and requests about `absent`, which does not exist. `send` throws `Withheld` for any other.
 */
export const openHarmlessClient = (target: Target, absent: string, timeoutMs: number): ReadOnlyClient => {
  const bases = demandedBy(target);
  // A field that the target demands would make the patch a change.
  bases.delete('patch-gate');
  return open(target, bases, timeoutMs, request => {
    if (!changesNothing(request, absent)) throw new Withheld('it might change something');
  });
};

/** Opens a read-only client. `send` throws, and sends nothing, if the mode does not allow the request. */
export const openReadOnlyClient = (target: Target, mode: AccessMode, timeoutMs: number): ReadOnlyClient =>
  // No demanded fields: they would be a change.
  open(target, new Map(), timeoutMs, request => {
    const { endpoint, raw } = request;
    const own = endpointRow(endpoint).method;
    const { method = own } = request;
    const isEmpty = raw === undefined && isReading(request);
    const isEmptyPatch = method === 'PATCH' && own === method && isEmpty && mode === 'reads and empty patches';
    if (method !== 'GET' && !isEmptyPatch)
      throw new Error(`a read-only client (${mode}) must not send ${method} to ${endpoint}`);
  });

/** Number of consecutive unanswered requests after which the target is looked at: it may answer none any more. */
const mostSilent = 3;

/** @param admit throws if a request must not be sent */
function open(target: Target, bases: Bases, timeoutMs: number, admit: (request: ApiRequest) => void): ReadOnlyClient {
  const client = createHttpClient({ baseUrl: target.baseUrl, access: target.access, timeoutMs, connections: 2 });
  const wire = createWire({ client, target, token: 'client', bases, admit: (_id, request) => admit(request) });
  const { send, lastWritten, apiKey } = openSession(wire, 'client');
  const looks = { probes: 0 };
  let silent = 0;
  let stopped: RunStopped | undefined;

  /** Ends all sending. What nobody answers must not be taken for an answer about what was asked. */
  function stop(last: Answer): never {
    stopped = new RunStopped('unreachable', wire.secrets.redact(awayText(last)), absenceRemedy);
    throw stopped;
  }

  async function answerTo(request: ApiRequest): Promise<Answer> {
    try {
      return await send(request);
    } catch (error) {
      if (error instanceof WentAway) stop(error.answer);
      if (error instanceof TooLong || error instanceof PutOff) return error.answer;
      throw error;
    }
  }

  return {
    async send(request) {
      if (stopped !== undefined) throw stopped;
      const answer = await answerTo(request);
      silent = isSilence(answer) ? silent + 1 : 0;
      if (silent >= mostSilent) {
        silent = 0;
        if (!(await isBack(target, timeoutMs, looks))) stop(answer);
      }
      return answer;
    },
    lastWritten,
    apiKey,
    bases,
    sent: () => client.sent() + looks.probes,
    close: client.close,
  };
}
