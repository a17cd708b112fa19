import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import { type OperationAt, operationAt } from '../../../contracts/operation-at.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { parseBody } from '../../client/body.ts';
import type { Translation } from '../../client/naming.ts';
import { type Answer, type ApiRequest, replied } from '../../protocol/answer.ts';
import type { ParsedBody, Reply } from '../../protocol/reply.ts';
import type { ObservedBody, ObservedExchange, ObservedHeaders, Unknown } from './exchange.ts';
import { opennessOf } from './open-body.ts';
import { isMeantForApi, nearestOperation, partsOf } from './paths.ts';

/** An exchange in the terms in which it is judged. */
export interface SeenExchange {
  readonly exchange: ObservedExchange;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The operation that the request asks for; undefined where it asks for none. */
  readonly operation: OperationAt | undefined;
  /** That operation, or the nearest one: under it the exchange is filed. */
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  /** The headers of the request, by names in lower case; undefined where they are not known. */
  readonly headers: ReadonlyMap<string, readonly string[]> | undefined;
  /** The body of the request; undefined where it is not known, not whole, or more than is read. */
  readonly body: ParsedBody | undefined;
  /** The body is one of which servers may make what they like; `body` is then a broken one. */
  readonly isOpenBody: boolean;
  /** The answer, as checks take it, without headers until `createRedaction` adds them; its status is 0 where there was none. */
  readonly answer: Answer;
  /** Why the answer says nothing, or no more than its status; undefined where it is whole. */
  readonly unreadable: string | undefined;
}

/** The reasons for which an exchange is none of the API's. */
export const outsideReasons = {
  path: 'a path outside the API',
  preflight: 'a question of a browser before the request itself (CORS, OPTIONS)',
  upgrade: 'a connection that turned to another protocol',
} as const;

/** Headers by their names in lower case. */
export function byName(headers: ObservedHeaders): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = found.get(key);
    if (known === undefined) found.set(key, [value]);
    else known.push(value);
  }
  return found;
}

/** Why an exchange is none of the API's; undefined where it is one. `keyHeader`: the name of the key header. */
export function outsideOf({ request, response }: ObservedExchange, keyHeader: string): string | undefined {
  const hasKey = (): boolean =>
    request.headers !== 'not recorded' &&
    (byName(request.headers)
      .get(keyHeader.toLowerCase())
      ?.some(value => value.trim() !== '') ??
      false);
  if (!isMeantForApi(partsOf(request.target).path, hasKey)) return outsideReasons.path;
  if ('status' in response && response.status === 101) return outsideReasons.upgrade;
  const asks = request.headers === 'not recorded' || byName(request.headers).has('access-control-request-method');
  return request.method === 'OPTIONS' && asks ? outsideReasons.preflight : undefined;
}

/** A body that is whole; undefined where it is not known, or not whole. */
function wholeBody(body: ObservedBody | Unknown | null): ParsedBody | undefined {
  if (body === null) return { kind: 'empty' };
  if (body === 'not recorded' || body.isCut) return undefined;
  const { buffer, byteOffset, byteLength } = body.bytes;
  return parseBody(Buffer.from(buffer, byteOffset, byteLength), undefined, Number.POSITIVE_INFINITY);
}

/** The body of a request: unknown where it holds more than is read or what nobody states, and open where servers may differ about it. */
function requestBody(given: ObservedBody | Unknown | null): { body: ParsedBody | undefined; isOpen: boolean } {
  const body = wholeBody(given);
  const isBeyond = body?.kind === 'broken' && (body.tooLarge === true || body.tooDeep === true);
  if (body === undefined || body.kind === 'empty' || isBeyond)
    return { body: isBeyond ? undefined : body, isOpen: false };
  const open = opennessOf(body);
  if (open?.kind === 'reason') return { body: { kind: 'broken', why: open.why, text: body.text }, isOpen: true };
  return { body: open === undefined ? body : undefined, isOpen: false };
}

/** So much of a body of a request is kept for evidence, which shows less of it. */
const longestShown = 16_384;

const shownBody = (body: ObservedBody | Unknown | null): Buffer | undefined =>
  body === null || body === 'not recorded' ? undefined : Buffer.from(body.bytes.subarray(0, longestShown));

/**
 * The answer as a reply of the suite's own client would be, but for the headers (`createRedaction` adds them), and why
 * it does not say everything.
 */
function replyOf(exchange: ObservedExchange): { reply: Reply; unreadable: string | undefined } {
  const { request, response } = exchange;
  const common = {
    request: {
      method: request.method,
      path: request.target,
      headers: {},
      body: shownBody(request.body),
    },
    durationMs: Math.max(0, exchange.answeredAtMs - exchange.sentAtMs),
  };
  if ('failure' in response) {
    const message = clip(response.failure, 200);
    const none = { status: 0, headers: {}, body: { kind: 'empty' as const }, bytes: 0 };
    return {
      reply: { ...common, ...none, failure: { kind: 'dropped', message } },
      unreadable: `there was no answer: ${message}`,
    };
  }
  const body = wholeBody(response.body);
  const text = body === undefined ? (shownBody(response.body)?.toString() ?? '') : '';
  const isCut = response.body !== null && response.body !== 'not recorded' && response.body.isCut;
  return {
    reply: {
      ...common,
      status: response.status,
      headers: {},
      body: body ?? { kind: 'broken', why: 'is not known', text },
      bytes: response.body === null || response.body === 'not recorded' ? 0 : response.body.length,
      failure: null,
    },
    unreadable:
      response.status === 206
        ? 'a part of an answer, as it was asked for (Range)'
        : isCut
          ? 'the body of the answer is not whole: it was too long to be kept, or its coding is broken'
          : body === undefined
            ? 'the body of the answer was not recorded'
            : body.kind === 'broken' && body.tooLarge === true
              ? 'the body of the answer holds too much to be parsed'
              : undefined,
  };
}

/** Reads an exchange of the API in the terms of the specification. */
export function seenExchange(exchange: ObservedExchange, translation: Translation): SeenExchange {
  const { request } = exchange;
  const { path, query } = partsOf(request.target);
  const operation = operationAt(request.method, path);
  const endpoint = operation?.endpoint ?? nearestOperation(request.method, path);
  const { body, isOpen: isOpenBody } = requestBody(request.body);
  const sent = body?.kind === 'json' ? (translation.fromTarget(body.value) as Json) : undefined;
  const asked: ApiRequest = {
    endpoint,
    ...(operation?.param === undefined ? {} : { param: operation.param }),
    ...(query.size === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(operation === undefined ? { rawPath: path, method: request.method } : {}),
    ...(body?.kind === 'broken' ? { raw: shownBody(request.body) ?? '' } : {}),
  };
  const { reply, unreadable } = replyOf(exchange);
  const value = reply.body.kind === 'json' ? translation.fromTarget(reply.body.value) : undefined;
  return {
    exchange,
    path,
    query,
    operation,
    endpoint,
    row: endpointRow(endpoint),
    headers: request.headers === 'not recorded' ? undefined : byName(request.headers),
    body,
    isOpenBody,
    answer: {
      id: `exchange ${exchange.number} (${exchange.source})`,
      request: asked,
      sent,
      ...replied(reply, value),
      own: operation !== undefined,
    },
    unreadable,
  };
}
