import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import { type Answer, type ApiRequest, replied } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';
import type { Failure, ParsedBody, Reply } from '../../protocol/reply.ts';

/** The parts of an answer that a test specifies. */
export interface Given {
  readonly endpoint?: EndpointId;
  readonly status?: number;
  /** The JSON value of the body. */
  readonly value?: unknown;
  readonly failure?: Failure;
  readonly request?: Partial<ApiRequest>;
  readonly sent?: Json;
  readonly id?: string;
  /** The body if it is not JSON. */
  readonly body?: ParsedBody;
  readonly headers?: Reply['headers'];
}

/** Returns an answer as a session would, without a server. */
export function givenAnswer({
  endpoint = 'patch-gate',
  status = 200,
  value,
  failure,
  request,
  sent,
  id,
  body: unparsed,
  headers = { 'content-type': 'application/json' },
}: Given): Answer {
  const json = {
    kind: 'json',
    value,
    get text() {
      return value === undefined ? '' : JSON.stringify(value);
    },
  } as const;
  const reply: Reply = {
    request: {
      method: request?.method ?? endpoints[endpoint].method,
      path: '/x',
      headers: {},
      // Compute the text only on demand, because most checks read only values.
      get body() {
        return sent === undefined ? undefined : JSON.stringify(sent);
      },
    },
    status: failure === undefined ? status : 0,
    headers,
    body: unparsed ?? (value === undefined ? { kind: 'empty' } : json),
    get bytes() {
      return Buffer.byteLength(json.text);
    },
    failure: failure ?? null,
    durationMs: 1,
  };
  return {
    id: id ?? `${endpoint}/accepts#0`,
    request: { endpoint, ...request },
    sent,
    ...replied(reply, value),
    own: request?.rawPath === undefined && request?.method === undefined,
  };
}

/** Returns the body of a list whose items fit on one page. */
export const onePage = <T>(items: readonly T[], message = 'Listed successfully.') => ({
  message,
  data: [...items],
  pagination: {
    itemsPerPage: 10,
    pageNumber: 1,
    totalItems: items.length,
    nextPage: null,
    previousPage: null,
    all: '',
  },
});

/** Returns the violations of a passive check (`requirement pointer`, in order), or `not judged`. */
export function observed(check: PassiveCheck, given: Given, row: Endpoint = endpoints[given.endpoint ?? 'patch-gate']) {
  const { proved, violations } = check.observe(givenAnswer(given), row);
  return proved ? violations.map(({ requirement, pointer }) => `${requirement} ${pointer}`) : 'not judged';
}
