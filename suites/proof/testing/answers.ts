import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import { type Answer, type ApiRequest, replied } from '../../protocol/answer.ts';
import type { PassiveCheck } from '../../protocol/check.ts';
import type { Failure, ParsedBody, Reply } from '../../protocol/reply.ts';

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
  /** The body of the answer, where it is no JSON. */
  readonly body?: ParsedBody;
  readonly headers?: Reply['headers'];
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
      // Texts are written for who asks: most checks look at values alone.
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

/** The body of the answer of a list whose items stand on one page. */
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

/** What a passive check found in an answer (`requirement pointer`, in order), or `not judged`. */
export function observed(check: PassiveCheck, given: Given, row: Endpoint = endpoints[given.endpoint ?? 'patch-gate']) {
  const { proved, violations } = check.observe(givenAnswer(given), row);
  return proved ? violations.map(({ requirement, pointer }) => `${requirement} ${pointer}`) : 'not judged';
}
