import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import type { Answer, ApiRequest } from '../../protocol/answer.ts';
import type { Failure, Reply } from '../../protocol/reply.ts';

/** What of an answer a test cares about. */
export interface Given {
  readonly endpoint?: EndpointId;
  readonly status?: number;
  /** The JSON value of the body. */
  readonly value?: unknown;
  readonly failure?: Failure;
  readonly request?: Partial<ApiRequest>;
  readonly sent?: Json;
  readonly id?: string;
}

/** An answer as the session would have made it, without a server. */
export function givenAnswer({
  endpoint = 'patch-gate',
  status = 200,
  value,
  failure,
  request,
  sent,
  id,
}: Given): Answer {
  const text = value === undefined ? '' : JSON.stringify(value);
  const body = sent === undefined ? undefined : JSON.stringify(sent);
  const reply: Reply = {
    request: { method: endpoints[endpoint].method, path: '/x', headers: {}, body },
    status: failure === undefined ? status : 0,
    headers: { 'content-type': 'application/json' },
    body: value === undefined ? { kind: 'empty' } : { kind: 'json', value, text },
    bytes: Buffer.byteLength(text),
    failure: failure ?? null,
    durationMs: 1,
  };
  return {
    id: id ?? `${endpoint}/accepts#0`,
    request: { endpoint, ...request },
    sent,
    reply,
    status: reply.status,
    success: reply.status >= 200 && reply.status < 300,
    value,
    data: (value as { data?: unknown } | undefined)?.data,
    own: request?.rawPath === undefined && request?.method === undefined,
  };
}
