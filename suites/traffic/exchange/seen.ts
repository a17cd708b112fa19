import { decoded } from '../../../contracts/decoded.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { parseBody } from '../../client/body.ts';
import type { Translation } from '../../client/naming.ts';
import { plain } from '../../client/secret-names.ts';
import { type Answer, type ApiRequest, replied } from '../../protocol/answer.ts';
import type { ParsedBody, Reply } from '../../protocol/reply.ts';
import { isFilled, type ObservedExchange, type ObservedMessage, valuesOf } from './exchange.ts';
import { opennessOf } from './open-body.ts';
import { isMeantForApi, nearestOperation, partsOf } from './paths.ts';
import { someText } from './values.ts';

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

/** The places in which a client put its key. */
export type KeyUse = Readonly<ReturnType<typeof keyUseOf>>;

/** Names under which clients send an API key in the wrong place. */
const keyNames = new Set(['apikey', 'key', 'token', 'accesstoken', 'authtoken', 'accesskey', 'authkey', 'auth', 'jwt']);

/** True if a name always means the key of this API; `header` is the key header. */
const namesKey = (name: string, header: string): boolean => plain(name) === plain(header) || plain(name) === 'apikey';

/** True if a name means the key of this API when the key header is missing. */
const namesSomeKey = (name: string, header: string): boolean => namesKey(name, header) || keyNames.has(plain(name));

/** Other headers in which clients send the key by mistake. */
const otherCarriers = ['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'statsig-api-key'];

/** Minimum length of a key that is searched within texts; a shorter one may occur by accident. */
const longKey = 12;
/** Maximum number of body values searched for the key. */
const mostValues = 2_000;

/**
 * Finds where a request carries a key.
 *
 * @param header the name of the key header
 * @param key the key, if known
 * @param seen false if the recording leaves keys out
 */
export function keyUseOf(
  { exchange, query, answer, row, body, path }: SeenExchange,
  header: string,
  key: string | undefined,
  seen: boolean,
) {
  const { headers } = exchange.request;
  const keyHeader = header.toLowerCase();
  const own = valuesOf(headers, keyHeader);
  const filled = own.filter(value => value.trim() !== '');
  const inHeader = filled.length > 0;
  const secrets = [...filled, key ?? ''].filter(value => value.length >= 4);
  const isKnown = headers !== 'not recorded' && seen;
  const isKeyless = isKnown && !inHeader;
  const holdsKey = (text: string): boolean =>
    secrets.some(secret => text === secret || (secret.length >= longKey && text.includes(secret)));
  const isKey = (name: string, value: Json): boolean =>
    (typeof value === 'string' &&
      value !== '' &&
      (namesKey(name, header) || (isKeyless && namesSomeKey(name, header)))) ||
    someText(value, mostValues, holdsKey);
  const [parameter, asked = ''] = [...query].find(([name, value]) => isKey(name, value) || holdsKey(name)) ?? [];
  const documented = row.body?.properties ?? {};
  const members = Object.entries(isObject(answer.sent) ? answer.sent : {});
  const [member, inMember] =
    members.find(([name, value]) => !Object.hasOwn(documented, name) && isKey(name, value)) ?? [];
  const inText = body?.kind === 'broken' && holdsKey(body.text) ? '' : undefined;
  const carrier = otherCarriers.find(name => name !== keyHeader && valuesOf(headers, name).length > 0);
  const sent = typeof inMember === 'string' ? inMember : '';
  return {
    /** False if it is unknown whether there is a key, because a recording may leave it out. */
    isKnown,
    /** True if the key header is present and not blank. */
    inHeader,
    /** True if the key header is present but blank. */
    isEmpty: own.length > 0 && !inHeader,
    /** The query parameter that holds a key; empty if its name contains the key. */
    inQuery: parameter && (holdsKey(parameter) ? '' : parameter),
    /** True if the path holds the key. */
    inPath: path.split('/').some(part => holdsKey(decoded(part))),
    /** The body member that holds a key; empty if the key stands in a broken body. */
    inBody: member ?? inText,
    /** Another header that carries a key. */
    inOther: inHeader ? undefined : carrier,
    /** The key that distinguishes clients; empty if none is known. */
    key: filled[0] ?? (parameter === undefined ? sent : asked),
    /** All secrets found: the values of the key header and of the wrong places. */
    values: [...filled, ...(asked === '' ? [] : [asked]), ...(typeof inMember === 'string' ? [inMember] : [])],
  };
}
