import type { Entry, Header } from 'har-format';
import { type Shown, vouched } from '../../../contracts/redaction/shown.ts';
import type {
  ObservedBody,
  ObservedExchange,
  ObservedHeaders,
  ObservedResponse,
  Unknown,
} from '../exchange/exchange.ts';
import { headerOf, type TextRedaction } from '../exchange/redaction.ts';

/** What the entries of a recording are made with. */
export interface HarOptions {
  /** The base URL of the target. */
  readonly baseUrl: URL;
  /** When the observation began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Takes secrets out; it has seen the exchange, and all before. */
  readonly redaction: TextRedaction;
}

const httpVersion = 'HTTP/1.1';

/**
 * An exchange as an entry of HAR 1.2, without secrets: the values of the key header, of cookies and of whatever is named
 * as a credential, and those that are known wherever they stand. Bodies stand as they were meant, their codings undone;
 * one that may hold secrets that cannot be found is left out. The comment says so, and where not all of one was kept; its
 * size is that of all of it.
 */
export function harEntry(exchange: ObservedExchange, options: HarOptions): Shown<Entry & { readonly comment: string }> {
  const { request, response, sentAtMs, answeredAtMs, source, number } = exchange;
  const { redaction, baseUrl, startedAt } = options;
  const time = Math.max(0, answeredAtMs - sentAtMs);
  const base = baseUrl.href.replace(/\/+$/, '');
  const isFull = redaction.isFull();
  const target = isFull ? '/' : redaction.url(request.target);
  const url = `${base}${target.startsWith('/') ? target : `/${target}`}`;
  const sent = contentOf(request, redaction);
  const answered = 'failure' in response ? null : contentOf(response, redaction);
  const fields = shownHeaders(request.headers, redaction);
  // Each text of it comes from the redaction above.
  return vouched({
    startedDateTime: new Date(startedAt + sentAtMs).toISOString(),
    time,
    request: {
      method: isFull ? '-' : redaction.text(request.method),
      url,
      httpVersion,
      cookies: [],
      headers: fields,
      queryString: queryOf(url),
      ...(sent === null ? {} : { postData: { mimeType: mediaType(fields), text: sent.text, ...encodingOf(sent) } }),
      headersSize: -1,
      bodySize: sent?.size ?? 0,
    },
    response:
      'failure' in response
        ? noResponse(isFull ? leftOut : redaction.text(response.failure))
        : responseOf(response, shownHeaders(response.headers, redaction), answered),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: [
      `exchange ${number}, ${source}`,
      ...(isFull ? ['its values are left out: more secrets passed than can be taken out'] : []),
      ...remarksOn('request', sent),
      ...remarksOn('response', answered),
    ].join('; '),
  });
}

const leftOut = 'left out';

interface Content {
  readonly text: string;
  readonly size: number;
  readonly isBase64: boolean;
  readonly isCut: boolean;
  /** There was a text, and it may hold secrets. */
  readonly isLeftOut: boolean;
}

const remarksOn = (what: 'request' | 'response', content: Content | null): string[] => [
  ...(content?.isCut === true ? [`the ${what} body is cut`] : []),
  ...(content?.isLeftOut === true ? [`the ${what} body is left out: it may hold secrets`] : []),
];

/** The text of bytes; undefined where they are none. What was cut may end within a character. */
function textOf({ bytes, isCut }: ObservedBody): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

/**
 * The text of a body. One that is no text is written in Base64 where it was meant for one, is whole, and nothing in it
 * sounds like a secret: of other bytes nobody can tell.
 */
function contentOf(
  { body, headers }: Pick<ObservedResponse, 'body' | 'headers'>,
  redaction: TextRedaction,
): Content | null {
  if (body === null || body === 'not recorded') return null;
  const { length: size, isCut } = body;
  const type = headerOf(headers, 'content-type');
  const text = textOf(body);
  const kept = redaction.isFull()
    ? undefined
    : text === undefined
      ? bytesKept(body, type, redaction)
      : redaction.body(text, type, isCut);
  const isBase64 = text === undefined && kept !== undefined;
  return { text: kept ?? '', size, isBase64, isCut, isLeftOut: kept === undefined };
}

function bytesKept({ bytes, isCut }: ObservedBody, type: string, redaction: TextRedaction): string | undefined {
  if (isCut || !/json|^text\//i.test(type)) return undefined;
  const all = Buffer.from(bytes);
  const readings = [all.toString('latin1'), all.toString(), all.toString('latin1').replaceAll('\0', '')];
  return readings.every(one => redaction.body(one, type, false) === one) ? all.toString('base64') : undefined;
}

const encodingOf = ({ isBase64 }: Content) => (isBase64 ? { encoding: 'base64' } : {});

const shownHeaders = (fields: ObservedHeaders | Unknown, redaction: TextRedaction): Header[] =>
  fields === 'not recorded' || redaction.isFull()
    ? []
    : fields.map(([name, value]) => ({ name: redaction.text(name), value: redaction.header(name, value) }));

const none = { httpVersion, cookies: [], redirectURL: '', headersSize: -1 };

function responseOf({ status }: ObservedResponse, fields: Header[], content: Content | null): Entry['response'] {
  return {
    ...none,
    status,
    statusText: '',
    headers: fields,
    content: {
      size: content?.size ?? 0,
      mimeType: mediaType(fields),
      ...(content === null ? {} : { text: content.text, ...encodingOf(content) }),
    },
    redirectURL: headerValue(fields, 'location') ?? '',
    bodySize: content?.size ?? 0,
  };
}

/** No answer is status 0 with its reason, as the developer tools of Chromium write it. */
function noResponse(why: string): Entry['response'] & { readonly _error: string } {
  return {
    ...none,
    status: 0,
    statusText: '',
    headers: [],
    content: { size: 0, mimeType: 'x-unknown' },
    bodySize: -1,
    _error: why,
  };
}

const headerValue = (fields: readonly Header[], name: string): string | undefined =>
  fields.find(field => field.name.toLowerCase() === name)?.value;

const mediaType = (fields: readonly Header[]): string => headerValue(fields, 'content-type') ?? 'x-unknown';

function queryOf(url: string): { name: string; value: string }[] {
  const at = url.indexOf('?');
  return at < 0 ? [] : [...new URLSearchParams(url.slice(at + 1))].map(([name, value]) => ({ name, value }));
}
