import type { Entry, Header } from 'har-format';
import { compact } from '../../../contracts/present.ts';
import { type Shown, vouched } from '../../../contracts/redaction/shown.ts';
import { knownIn, type ObservedBody, type ObservedExchange, type ObservedMessage } from '../exchange/exchange.ts';
import { contentType, type TextRedaction } from '../exchange/redaction.ts';

/** Options for the entries of a recording. */
export interface HarOptions {
  /** The base URL of the target. */
  readonly baseUrl: URL;
  /** When the observation began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Removes secrets; it must have seen this exchange and all earlier ones. */
  readonly redaction: TextRedaction;
}

/** Members that requests and answers share. */
const frame = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

/**
 * Returns an exchange as an entry of HAR 1.2 without secrets. Redacted are the key header, cookies, everything named as
 * a credential, and known secrets anywhere. Bodies have their codings undone; a body that may hold hidden secrets is
 * left out. The comment says so, and says if a body was cut; its size is always the full one.
 */
export function harEntry(exchange: ObservedExchange, options: HarOptions): Shown<Entry & { readonly comment: string }> {
  const { request, response, sentAtMs, answeredAtMs, source, number } = exchange;
  const { redaction, baseUrl, startedAt } = options;
  const time = Math.max(0, answeredAtMs - sentAtMs);
  const base = baseUrl.href.replace(/\/+$/, '');
  const isFull = redaction.isFull();
  const target = isFull ? '/' : redaction.url(request.target);
  const url = `${base}${target.startsWith('/') ? target : `/${target}`}`;
  const { headers, mimeType, size, text, remarks } = shownMessage(request, redaction);
  const answered = answerOf(response, redaction);
  // `vouched` is safe: every text was redacted above.
  return vouched({
    startedDateTime: new Date(startedAt + sentAtMs).toISOString(),
    time,
    request: {
      ...frame,
      method: isFull ? '-' : redaction.text(request.method),
      url,
      headers,
      queryString: [...new URLSearchParams(/\?.*/s.exec(url)?.[0])].map(([name, value]) => ({ name, value })),
      ...(text && { postData: { mimeType, ...text } }),
      bodySize: size,
    },
    response: answered.response,
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: compact([
      `exchange ${number}, ${source}`,
      isFull && 'its values are left out: more secrets passed than can be taken out',
      ...remarks.map(remark => `the request body is ${remark}`),
      ...answered.remarks.map(remark => `the response body is ${remark}`),
    ]).join('; '),
  });
}

/** Returns a message without secrets: headers, body text, full body size, and remarks. */
function shownMessage({ headers: all, body }: ObservedMessage, redaction: TextRedaction) {
  const headers: Header[] = redaction.isFull()
    ? []
    : knownIn(all).map(([name, value]) => ({ name: redaction.text(name), value: redaction.header(name, value) }));
  const mimeType = valueIn(headers, 'content-type') ?? 'x-unknown';
  if (!body || body === 'not recorded') return { headers, mimeType, size: 0, remarks: [] };
  const kept = redaction.isFull() ? undefined : keptText(body, contentType(all), redaction);
  const remarks = compact([body.isCut && 'cut', !kept && 'left out: it may hold secrets']);
  return { headers, mimeType, size: body.length, text: kept ?? { text: '' }, remarks };
}

const valueIn = (headers: readonly Header[], name: string): string | undefined =>
  headers.find(field => field.name.toLowerCase() === name)?.value;

/** Returns the text of bytes; undefined if they are not UTF-8. A cut body may end within a character. */
function textOf({ bytes, isCut }: ObservedBody): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

/**
 * Returns a body without secrets; undefined if it must be left out. Bytes that are not UTF-8 become Base64 if the body
 * is complete, claims to be text, and shows no secret. Other bytes cannot be checked for secrets.
 */
function keptText(body: ObservedBody, type: string, redaction: TextRedaction) {
  const written = textOf(body);
  if (written !== undefined) {
    const text = redaction.body(written, type, body.isCut);
    return text === undefined ? undefined : { text };
  }
  if (body.isCut || !/json|^text\//i.test(type)) return undefined;
  const bytes = Buffer.from(body.bytes);
  const readings = [bytes.toString('latin1'), bytes.toString(), bytes.toString('latin1').replaceAll('\0', '')];
  const isClean = readings.every(one => redaction.body(one, type, false) === one);
  return isClean ? { text: bytes.toString('base64'), encoding: 'base64' } : undefined;
}

/**
 * Returns an answer and the remarks on it. A missing one has status 0 and the reason, as the developer tools of Chromium
 * write it.
 */
function answerOf(response: ObservedExchange['response'], redaction: TextRedaction) {
  if ('failure' in response) {
    const why = redaction.isFull() ? 'left out' : redaction.text(response.failure);
    const empty = { status: 0, statusText: '', headers: [], redirectURL: '', bodySize: -1, _error: why };
    return { response: { ...frame, ...empty, content: { size: 0, mimeType: 'x-unknown' } }, remarks: [] };
  }
  const { headers, mimeType, size, text, remarks } = shownMessage(response, redaction);
  const redirectURL = valueIn(headers, 'location') ?? '';
  const { status } = response;
  const content = { size, mimeType, ...text };
  return { response: { ...frame, status, statusText: '', headers, content, redirectURL, bodySize: size }, remarks };
}
