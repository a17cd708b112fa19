import { hash } from 'node:crypto';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { endpointRow, endpoints } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { tool } from '../../contracts/report/tool.ts';
import { urlText } from '../../contracts/url-text.ts';
import type { ApiRequest, KeyUse } from '../protocol/answer.ts';
import { withNewName } from '../protocol/created-names.ts';
import type { WireRequest } from '../protocol/reply.ts';
import type { Target } from '../protocol/sut.ts';
import type { Wire } from './session.ts';

/** Controls whether requests carry the id of their case, to be found in the target's log. */
export interface Trace {
  on: boolean;
  /** The token of the run. */
  readonly token: string;
}

const digits = (text: string): string => hash('sha256', text, 'hex');

/**
 * Returns the header `traceparent` of a request (W3C Trace Context): the trace id is of its case in this run, the span
 * id its own.
 *
 * @param id `endpoint/check#path`, with `.n` from the second request of a case on
 */
export function traceparent(token: string, id: string): string {
  const ofCase = id.replace(/\.\d+$/, '');
  const trace = digits(`${token} ${ofCase}`);
  const span = ofCase === id ? trace : digits(`${token} ${id}`);
  return `00-${trace.slice(0, 32)}-${span.slice(0, 16)}-01`;
}

type Wiring = Pick<Wire, 'target' | 'translation' | 'token' | 'nextName'>;

/** Stamps a new name into a raw body; binary bytes stay unchanged. */
function stampRaw(raw: string | Buffer, { token, nextName }: Wiring): string | Buffer {
  return typeof raw === 'string'
    ? withNewName(raw, token, nextName)
    : Buffer.from(withNewName(raw.toString('latin1'), token, nextName), 'latin1');
}

function keyHeaders(key: KeyUse, target: Target): Record<string, string> {
  if (key.kind === 'none') return {};
  const header = key.kind === 'spelled' ? key.header : target.naming.apiKeyHeader;
  return { [header]: key.kind === 'value' ? key.value : target.apiKey };
}

/** Firewalls refuse clients without a user agent (RFC 9110 section 10.1.5). */
const userAgent = `${tool.name}/${tool.version}`;

/** Returns an operation's path before and after its parameter, if it has one. */
const aroundParam = memoized(({ path }: Endpoint) => path.split(/\{[A-Za-z]+\}/));

const percent = (one: string): string => `%${one.charCodeAt(0).toString(16)}`;

/**
 * Percent-encodes a character that is not part of an encoded one: the first letter or digit, in upper case; or the first
 * character whose code has a hexadecimal letter, in lower case.
 */
const encodedMore = (text: string, digits: 'upper' | 'lower'): string =>
  digits === 'upper'
    ? text.replace(/(?<!%.?)[A-Za-z\d]/, one => percent(one).toUpperCase())
    : text.replace(/(?<!%.?)[J-OZj-oz_.~-]/, percent);

/** Returns the encoded path of a request (RFC 3986 section 2.1), with its query. */
function pathOf(request: ApiRequest): string {
  const [before = '', after] = aroundParam(endpointRow(request.endpoint));
  const encoded = urlText(request.param ?? '');
  const { encodesMore } = request.spelling ?? {};
  const param = encodesMore === undefined ? encoded : encodedMore(encoded, encodesMore);
  const path = request.rawPath ?? (after === undefined ? before : `${before}${param}${after}`);
  if (request.query === undefined) return path;
  const query = Object.entries(request.query).map(([key, value]) => `${urlText(key)}=${urlText(String(value))}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** Returns a request as it goes on the wire. `sent` is the body with stamped names, `besides` adds headers. */
export function wireRequest(
  wire: Wiring,
  request: ApiRequest,
  sent: Json | undefined,
  besides: Readonly<Record<string, string>> = {},
): WireRequest {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...besides,
    ...wire.target.access.headers,
    ...keyHeaders(request.key ?? { kind: 'valid' }, wire.target),
    ...request.headers,
  };
  const { write = JSON.stringify, header, noAccept, chunked } = request.spelling ?? {};
  if (noAccept === true) delete headers.accept;
  const written = sent === undefined ? undefined : write(wire.translation.toTarget(sent));
  const body = request.raw === undefined ? written : stampRaw(request.raw, wire);
  const contentType = request.contentType === undefined ? 'application/json' : request.contentType;
  if (body !== undefined && contentType !== null) headers['content-type'] = contentType;
  return {
    method: request.method ?? endpoints[request.endpoint].method,
    path: pathOf(request),
    headers:
      header === undefined
        ? headers
        : Object.fromEntries(Object.entries(headers).map(([name, value]) => [header(name), value])),
    body,
    ...(chunked === true && body !== undefined ? { chunked } : {}),
  };
}
