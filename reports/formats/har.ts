import type { Entry, Har, QueryString, Response } from 'har-format';
import { compact, present } from '../../contracts/present.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import { causeIds } from '../journal/causes.ts';
import { atEnd } from '../journal/reporter.ts';
import { namedFindings } from '../journal/selections.ts';
import { type HeaderFields, stepsOf } from '../text/finding-text.ts';
import { safeJson } from '../text/safe-text.ts';
import { symptomOf } from '../text/symptom.ts';
/**
 * Writes `failures.har`: the exchanges of failing checks' findings, as HAR 1.2 for the developer tools of browsers. As
 * in the evidence, the API key is redacted and long bodies are cut (the comment says so). The evidence has no clock
 * times, so every entry begins at the start of the run.
 */
export const har = atEnd(report => {
  const ids = causeIds(report);
  const failing = namedFindings(report).filter(({ check }) => check.verdict === 'fail');
  const entries = failing.flatMap(({ check, finding, name }) => {
    const title = compact([ids.get(name), check.id]).join(' ');
    return stepsOf(finding).map(({ exchange, number }) => {
      const step = number === undefined ? '' : `, step ${number}`;
      return entryOf(`${title}${step}: ${symptomOf(finding)}`, exchange, report.startedAt);
    });
  });
  const { name, version } = report.tool;
  return safeJson({ log: { version: '1.2', creator: { name, version }, pages: [], entries } } satisfies Har);
});

function entryOf(title: string, exchange: Exchange, startedDateTime: string): Entry {
  const { durationMs } = exchange;
  return {
    startedDateTime,
    time: durationMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: commentOf(title, exchange),
  };
}

function commentOf(title: string, { request, response }: Exchange): string {
  const cut = compact([
    request.body?.truncated && 'the request body is cut',
    response?.body.truncated && 'the response body is cut',
  ]);
  return [title, ...cut].join('; ');
}

/** The protocol of every exchange: the client of the suite speaks no other. */
const httpVersion = 'HTTP/1.1';

function requestOf({ request }: Exchange): Entry['request'] {
  const { method, url, headers, body } = request;
  return {
    method,
    url,
    httpVersion,
    cookies: [],
    headers: [...headers],
    queryString: queryParameters(url),
    ...present({ postData: body && { mimeType: mediaType(headers), text: body.text } }),
    headersSize: -1,
    bodySize: body?.bytes ?? 0,
  };
}

/** Returns the response. Without an answer the status is 0 and `_error` says why, as in Chromium's developer tools. */
function responseOf({ response, failure }: Exchange): Response & { readonly _error?: string } {
  const { status = 0, headers = [], body } = response ?? {};
  return {
    status,
    statusText: '',
    httpVersion,
    cookies: [],
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: -1,
    headers: [...headers],
    content: { size: body?.bytes ?? 0, mimeType: mediaType(headers), ...present({ text: body?.text }) },
    bodySize: body?.bytes ?? -1,
    ...(!response && { _error: failure ?? 'no answer' }),
  };
}

function headerValue(headers: HeaderFields, name: string): string | undefined {
  return headers.find(header => header.name.toLowerCase() === name)?.value;
}

function mediaType(headers: HeaderFields): string {
  return headerValue(headers, 'content-type') ?? 'x-unknown';
}

function queryParameters(url: string): QueryString[] {
  return [...new URLSearchParams(url.replace(/^[^?]*\??/, ''))].map(([name, value]) => ({ name, value }));
}
