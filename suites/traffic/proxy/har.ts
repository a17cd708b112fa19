import type { Entry, Header } from 'har-format';
import { hidden, redactions } from '../../../contracts/report/evidence.ts';
import { namesCredential, withoutCredentials } from '../credential-names.ts';
import type { ObservedBody, ObservedExchange, ObservedHeaders, ObservedResponse, Unknown } from '../exchange.ts';

/** What the entries of a recording are made with. */
export interface HarOptions {
  /** The base URL of the target. */
  readonly baseUrl: URL;
  /** When the observation began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The name of the key header. */
  readonly keyHeader: string;
  /** Takes the secrets that are known out of a text. */
  readonly redact: (text: string) => string;
}

const httpVersion = 'HTTP/1.1';

/**
 * An exchange as an entry of HAR 1.2, without its secrets: the values of the key header, of cookies and of credentials,
 * and the key wherever it stands. Bodies stand as they were meant, their codings undone; where not all of one was kept
 * the comment says so, and its size is that of all of it.
 */
export function harEntry(exchange: ObservedExchange, options: HarOptions): Entry & { readonly comment: string } {
  const { request, response, sentAtMs, answeredAtMs, source, number } = exchange;
  const { redact, baseUrl, startedAt } = options;
  const time = Math.max(0, answeredAtMs - sentAtMs);
  const headers = (fields: ObservedHeaders | Unknown) => redactedHeaders(fields, options);
  const path = request.target.startsWith('/') ? request.target : `/${request.target}`;
  const url = withoutCredentials(redact(`${baseUrl.href.replace(/\/+$/, '')}${path}`), hidden.header);
  const sent = contentOf(request.body, redact);
  const answered = 'failure' in response ? null : contentOf(response.body, redact);
  const fields = headers(request.headers);
  return {
    startedDateTime: new Date(startedAt + sentAtMs).toISOString(),
    time,
    request: {
      method: request.method,
      url,
      httpVersion,
      cookies: [],
      headers: fields,
      queryString: queryOf(url),
      ...(sent === null ? {} : { postData: { mimeType: mediaType(fields), text: sent.text, ...encodingOf(sent) } }),
      headersSize: -1,
      bodySize: sent?.size ?? 0,
    },
    response: 'failure' in response ? noResponse(redact(response.failure)) : responseOf(response, headers, answered),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: [
      `exchange ${number}, ${source}`,
      ...(sent?.isCut === true ? ['the request body is cut'] : []),
      ...(answered?.isCut === true ? ['the response body is cut'] : []),
    ].join('; '),
  };
}

interface Content {
  readonly text: string;
  readonly size: number;
  readonly isBase64: boolean;
  readonly isCut: boolean;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body. One that is no text is written in Base64, and then a key in it stays unread: it is left out. */
function contentOf(body: ObservedBody | Unknown | null, redact: (text: string) => string): Content | null {
  if (body === null || body === 'not recorded') return null;
  const { bytes, length: size, isCut } = body;
  try {
    return { text: redact(strict.decode(bytes)), size, isBase64: false, isCut };
  } catch {
    const asText = Buffer.from(bytes).toString('latin1');
    const text = redact(asText) === asText ? Buffer.from(bytes).toString('base64') : '';
    return { text, size, isBase64: text !== '', isCut: isCut || text === '' };
  }
}

const encodingOf = ({ isBase64 }: Content) => (isBase64 ? { encoding: 'base64' } : {});

function redactedHeaders(fields: ObservedHeaders | Unknown, { keyHeader, redact }: HarOptions): Header[] {
  if (fields === 'not recorded') return [];
  return fields.map(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === keyHeader.toLowerCase() && value.trim() !== '') return { name, value: redactions.key };
    return { name, value: namesCredential(lower) ? hidden.header : redact(value) };
  });
}

const none = { httpVersion, cookies: [], redirectURL: '', headersSize: -1 };

function responseOf(
  { status, headers }: ObservedResponse,
  shown: (fields: ObservedHeaders | Unknown) => Header[],
  content: Content | null,
): Entry['response'] {
  const fields = shown(headers);
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
