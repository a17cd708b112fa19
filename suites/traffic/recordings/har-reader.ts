import { isObject, type Members, membersOf } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { tool } from '../../../contracts/report/tool.ts';
import { type ObservedExchange, type ObservedMessage, valuesOf } from '../exchange/exchange.ts';
import { BrokenRecording, type RecordedExchange, recordedBody } from './recorded.ts';

/** Recordings may come from any tool: a value of another type counts as absent. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Returns the headers of a message; an empty list counts as not recorded. Skips the pseudo-headers of HTTP/2. */
function headersOf(value: unknown): ObservedMessage['headers'] {
  if (!Array.isArray(value) || value.length === 0) return 'not recorded';
  return value.filter(isObject).flatMap(one => {
    const [name, text] = [textOf(one.name), textOf(one.value)];
    return name === undefined || text === undefined || name.startsWith(':') ? [] : [[name, text] as const];
  });
}

/** True if the comment of an entry that the suite wrote says that the body was cut. */
const isCutBy = (comment: unknown, what: 'request' | 'response'): boolean =>
  textOf(comment)?.includes(`the ${what} body is cut`) === true;

function requestBody(request: Members, headers: ObservedMessage['headers'], comment: unknown): ObservedMessage['body'] {
  const post = membersOf(request.postData);
  const size = numberOf(request.bodySize) ?? -1;
  const text = textOf(post.text);
  const encoding = post.encoding ?? post._encoding ?? request._bodyEncoding;
  if (text !== undefined && (text !== '' || size <= 0))
    return text === '' ? null : recordedBody(text, { encoding, size, isCut: isCutBy(comment, 'request') });
  if (size > 0 || request.postData !== undefined) return 'not recorded';
  if (size === 0) return null;
  const [length] = valuesOf(headers, 'content-length');
  const isNone = length === undefined ? valuesOf(headers, 'transfer-encoding').length === 0 : Number(length) === 0;
  const mayHaveNone = headers !== 'not recorded' && isNone;
  return /^(GET|HEAD|DELETE|OPTIONS)$/i.test(textOf(request.method) ?? '') || mayHaveNone ? null : 'not recorded';
}

const hasNoBody = (status: number, method: string): boolean =>
  status === 204 || status === 304 || method.toUpperCase() === 'HEAD';

function responseOf(entry: Members, method: string): ObservedExchange['response'] {
  const response = membersOf(entry.response);
  const status = numberOf(response.status) ?? Number(/^\d{3}$/.exec(textOf(response.status) ?? '')?.[0] ?? 0);
  if (status < 100 || status > 599) {
    const why = textOf(response._error) ?? textOf(response.statusText) ?? '';
    return { failure: why === '' ? 'the recording has no answer' : clip(why, 200) };
  }
  const headers = headersOf(response.headers);
  const content = membersOf(response.content);
  const text = textOf(content.text);
  const size = numberOf(content.size) ?? -1;
  const [coding = ''] = valuesOf(headers, 'content-encoding');
  const isCut = isCutBy(entry.comment, 'response');
  const isEmpty = hasNoBody(status, method) || size === 0 || valuesOf(headers, 'content-length')[0] === '0';
  const body =
    text !== undefined && text !== ''
      ? recordedBody(text, { encoding: content.encoding, coding, size: coding === '' ? size : -1, isCut })
      : isEmpty
        ? null
        : 'not recorded';
  return { status, headers, body };
}

/** Returns the URL with its query, which some recorders only list separately. */
function wholeUrl(url: string, query: unknown): string {
  if (url.includes('?') || !Array.isArray(query)) return url;
  const pairs = query
    .filter(isObject)
    .map(({ name, value }): [string, string] => [textOf(name) ?? '', textOf(value) ?? '']);
  return pairs.length === 0 ? url : `${url.split('#')[0]}?${new URLSearchParams(pairs)}`;
}

function recordedEntry(entry: Members, source: string): RecordedExchange | undefined {
  const request = membersOf(entry.request);
  const [url, method] = [textOf(request.url), textOf(request.method)];
  if (url === undefined || method === undefined) return undefined;
  const headers = headersOf(request.headers);
  const began = Date.parse(textOf(entry.startedDateTime) ?? '');
  const isCached = entry._fromCache !== undefined || entry._fromDiskCache === true;
  return {
    source,
    url: wholeUrl(url, request.queryString),
    method,
    headers,
    body: requestBody(request, headers, entry.comment),
    response: responseOf(entry, method),
    startedAtMs: Number.isNaN(began) ? undefined : began,
    durationMs: Math.max(0, numberOf(entry.time) ?? 0),
    ...(isCached ? { aside: 'an answer from the cache of a browser' } : {}),
  };
}

/**
 * Reads a HAR (1.1 or 1.2) of a browser, Playwright, mitmproxy or a gateway. `value` is the parsed JSON. Throws
 * `BrokenRecording` for anything else.
 */
export function readHar(file: string, value: unknown): readonly RecordedExchange[] {
  const { entries, creator } = membersOf(membersOf(value).log);
  const isOwn = membersOf(creator).name === tool.name;
  if (!Array.isArray(entries)) throw new BrokenRecording(`${file} is no HAR: it has no list log.entries`);
  return entries.map((entry: unknown, index) => {
    const read = isObject(entry) ? recordedEntry(entry, `${file} entry ${index + 1}`) : undefined;
    if (!read)
      throw new BrokenRecording(`${file} is no HAR: entry ${index + 1} has no request with a method and a URL`);
    return isOwn ? { ...read, marksKeys: true } : read;
  });
}
