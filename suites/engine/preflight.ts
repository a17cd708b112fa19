import type { Notice, RunEnd } from '../../contracts/report/journal.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import type { RecordedSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';
import { allRefuseTheKey } from './health-monitor.ts';

/** The requests that tell whether a run is worth beginning: plain reads, and the harmless read of a gate. */
function requestsOf(target: Target, readOnly: boolean): readonly ApiRequest[] {
  const gate = subjectOf(target, 'patch-gate');
  return [
    { endpoint: 'list-segments' },
    { endpoint: 'list-qualifying-events' },
    ...(gate === undefined || readOnly ? [] : [{ endpoint: 'patch-gate' as const, param: gate, body: {} }]),
  ];
}

/** Why a run is not worth beginning. */
export interface NotWorthIt {
  readonly outcome: RunEnd['outcome'];
  readonly because: string;
  readonly notice?: Notice;
}

/** Sends the first requests of a run; null when it may go on. Throws `RunStopped` as every session does. */
export async function preflight(
  target: Target,
  session: RecordedSession,
  readOnly: boolean,
): Promise<NotWorthIt | null> {
  const first: Answer[] = [];
  let unread = 0;
  for (const request of requestsOf(target, readOnly)) {
    try {
      first.push(await session.send(request));
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      unread += 1;
    }
  }
  if (unread === 0 && first.every(answer => answer.reply.failure !== null)) {
    const because = `no answer from ${target.baseUrl.href}: ${first[0]?.reply.failure?.message}`;
    return { outcome: 'unreachable', because };
  }
  if (!allRefuseTheKey(first)) return null;
  const statuses = [...new Set(first.map(answer => answer.status))].join(' and ');
  const because = `the key was refused everywhere (status ${statuses} on ${first.length} of ${first.length} minimal requests)`;
  const remedy = `check --api-key (or SERVICE_API_KEY) and the header name (naming.apiKeyHeader is ${target.naming.apiKeyHeader})`;
  return { outcome: 'unreachable', because, notice: { event: 'notice', severity: 'warning', text: because, remedy } };
}
