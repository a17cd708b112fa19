import { endpointRow } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { parseBody } from '../../client/body.ts';
import type { Translation } from '../../client/naming.ts';
import { type Answer, type ApiRequest, replied } from '../../protocol/answer.ts';
import type { ParsedBody, Reply } from '../../protocol/reply.ts';
import { isFilled, type ObservedExchange, type ObservedMessage, valuesOf } from './exchange.ts';
import { opennessOf } from './open-body.ts';
import { isMeantForApi, nearestOperation, partsOf } from './paths.ts';

/** An observed exchange, read in terms of the specification. */
export type SeenExchange = Readonly<ReturnType<typeof seenExchange>>;

type Body = ObservedMessage['body'];

/** Reasons for which an exchange does not belong to the API. */
export const outsideReasons = {
  path: 'a path outside the API',
  preflight: 'a question of a browser before the request itself (CORS, OPTIONS)',
  upgrade: 'a connection that turned to another protocol',
} as const;

/** Returns why an exchange is outside the API; undefined if it is not. `keyHeader`: the name of the key header. */
export function outsideOf({ request, response }: ObservedExchange, keyHeader: string): string | undefined {
  const { target, headers, method } = request;
  if (!isMeantForApi(partsOf(target).path, () => isFilled(headers, keyHeader))) return outsideReasons.path;
  if ('status' in response && response.status === 101) return outsideReasons.upgrade;
  const asks = headers === 'not recorded' || valuesOf(headers, 'access-control-request-method').length > 0;
  return method === 'OPTIONS' && asks ? outsideReasons.preflight : undefined;
}

/** Returns the parsed body; undefined if it is unknown or incomplete. */
function wholeBody(body: Body): ParsedBody | undefined {
  if (!body) return { kind: 'empty' };
  if (body === 'not recorded' || body.isCut) return undefined;
  const { buffer, byteOffset, byteLength } = body.bytes;
  return parseBody(Buffer.from(buffer, byteOffset, byteLength), undefined, Number.POSITIVE_INFINITY);
}

/** Reads a request body: undefined if too large or of unstated meaning; `isOpenBody` if servers may differ. */
function requestBody(given: Body): { body: ParsedBody | undefined; isOpenBody: boolean } {
  const body = wholeBody(given);
  const isBeyond = body?.kind === 'broken' && (body.tooLarge === true || body.tooDeep === true);
  const open = !body || isBeyond ? undefined : opennessOf(body);
  if (open?.kind === 'reason' && body && body.kind !== 'empty')
    return { body: { kind: 'broken', why: open.why, text: body.text }, isOpenBody: true };
  return { body: isBeyond || open ? undefined : body, isOpenBody: false };
}

/** Maximum number of body bytes kept for evidence, which shows even fewer. */
export const longestShown = 16_384;

const shownBody = (body: Body): Buffer | undefined =>
  !body || body === 'not recorded' ? undefined : Buffer.from(body.bytes.subarray(0, longestShown));

/** Returns why only the status of an answer, or nothing, can be judged; undefined if it is complete. */
function whyUnreadable(response: ObservedExchange['response'], body: ParsedBody | undefined): string | undefined {
  if ('failure' in response) return `there was no answer: ${clip(response.failure, 200)}`;
  if (response.status === 206) return 'a part of an answer, as it was asked for (Range)';
  if (body?.kind === 'broken' && body.tooLarge) return 'the body of the answer holds too much to be parsed';
  if (body) return undefined;
  return response.body === 'not recorded'
    ? 'the body of the answer was not recorded'
    : 'the body of the answer is not whole: it was too long to be kept, or its coding is broken';
}

/** Returns the answer as a reply of the suite's own client. `createRedaction` adds the headers. */
function replyOf({ request, response, sentAtMs, answeredAtMs }: ObservedExchange, read: ParsedBody | undefined): Reply {
  const { method, target: path } = request;
  const common = {
    request: { method, path, headers: {}, body: shownBody(request.body) },
    headers: {},
    durationMs: Math.max(0, answeredAtMs - sentAtMs),
  };
  if ('failure' in response) {
    const failure = { kind: 'dropped' as const, message: clip(response.failure, 200) };
    return { ...common, status: 0, body: { kind: 'empty' }, bytes: 0, failure };
  }
  const { status, body } = response;
  return {
    ...common,
    status,
    body: read ?? { kind: 'broken', why: 'is not known', text: shownBody(body)?.toString() ?? '' },
    bytes: !body || body === 'not recorded' ? 0 : body.length,
    failure: null,
  };
}

/** Reads an exchange of the API in terms of the specification. */
export function seenExchange(exchange: ObservedExchange, translation: Translation) {
  const { request, response, number, source } = exchange;
  const { path, query } = partsOf(request.target);
  const operation = operationAt(request.method, path);
  const endpoint = operation?.endpoint ?? nearestOperation(request.method, path);
  const { body, isOpenBody } = requestBody(request.body);
  const asked: ApiRequest = {
    endpoint,
    ...(operation?.param === undefined ? {} : { param: operation.param }),
    ...(query.size === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(operation ? {} : { rawPath: path, method: request.method }),
    ...(body?.kind === 'broken' ? { raw: shownBody(request.body) ?? '' } : {}),
  };
  const read = 'failure' in response ? undefined : wholeBody(response.body);
  const reply = replyOf(exchange, read);
  const value = reply.body.kind === 'json' ? translation.fromTarget(reply.body.value) : undefined;
  /** The answer in the form that checks take; its status is 0 if there was none. */
  const answer: Answer = {
    id: `exchange ${number} (${source})`,
    request: asked,
    sent: body?.kind === 'json' ? (translation.fromTarget(body.value) as Json) : undefined,
    ...replied(reply, value),
    own: operation !== undefined,
  };
  return {
    exchange,
    path,
    query,
    /** The operation that the request matches; undefined if it matches none. */
    operation,
    /** The matched operation, or the nearest one: the exchange is filed under it. */
    endpoint,
    row: endpointRow(endpoint),
    /** The body of the request; undefined if it is unknown, incomplete or too large. */
    body,
    /** True if servers may treat the body as they like; then `body` is a broken one. */
    isOpenBody,
    answer,
    /** Why only the status of the answer, or nothing, can be judged; undefined if it is complete. */
    unreadable: whyUnreadable(response, read),
  };
}
