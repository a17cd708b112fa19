import { expect, test } from 'vitest';
import { hidden, redactions } from '../../../contracts/report/evidence.ts';
import type { ObservedExchange } from '../exchange.ts';
import { harEntry } from './har.ts';

const body = (text: string | Buffer, length?: number) => {
  const bytes = Buffer.from(text as string);
  return { bytes, length: length ?? bytes.length, isCut: length !== undefined };
};

const exchange: ObservedExchange = {
  number: 7,
  source: 'connection 2',
  request: {
    method: 'PATCH',
    target: '/console/v1/gates/a?key=sesame-open&x=1',
    headers: [
      ['service-api-KEY', 'sesame-open'],
      ['Cookie', 'session=1'],
      ['Authorization', 'Bearer abc'],
      ['X-Copy', 'a sesame-open b'],
      ['Content-Type', 'application/json'],
    ],
    body: body('{"name":"sesame-open"}'),
  },
  response: {
    status: 200,
    headers: [
      ['Set-Cookie', 'session=2'],
      ['Content-Encoding', 'gzip'],
    ],
    body: body('{"a":1}'),
  },
  sentAtMs: 1_000,
  answeredAtMs: 1_012,
};

const options = {
  baseUrl: new URL('http://target.test/base/'),
  startedAt: Date.UTC(2026, 0, 1),
  keyHeader: 'SERVICE-API-KEY',
  redact: (text: string) => text.replaceAll('sesame-open', redactions.key),
};

test('an entry shows what passed below the base URL, and no secret of it', () => {
  const entry = harEntry(exchange, options);
  expect(JSON.stringify(entry)).not.toMatch(/sesame|session=|Bearer/);
  expect(entry).toMatchObject({
    startedDateTime: '2026-01-01T00:00:01.000Z',
    time: 12,
    request: {
      method: 'PATCH',
      url: `http://target.test/base/console/v1/gates/a?key=${redactions.key}&x=1`,
      postData: { mimeType: 'application/json', text: `{"name":"${redactions.key}"}` },
    },
    response: { status: 200, content: { text: '{"a":1}', size: 7 } },
  });
  expect(entry.request.headers.map(({ value }) => value)).toEqual([
    redactions.key,
    hidden.header,
    hidden.header,
    `a ${redactions.key} b`,
    'application/json',
  ]);
});

test('a body that is no text is in Base64, and left out where the key stands in it', () => {
  const binary = (text: string) => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)]);
    return harEntry({ ...exchange, response: { status: 200, headers: [], body: body(bytes) } }, options);
  };
  expect(binary('x').response.content).toEqual({ size: 3, mimeType: 'x-unknown', text: '//54', encoding: 'base64' });
  expect(binary('sesame-open').response.content).toEqual({ size: 13, mimeType: 'x-unknown', text: '' });
  expect(binary('sesame-open').comment).toContain('the response body is cut');
});

test('a body that is cut, and an answer that never came, are said to be so', () => {
  const { request } = exchange;
  const cut = harEntry(
    { ...exchange, request: { ...request, body: body('{"a', 9_000) }, response: { failure: 'gone' } },
    options,
  );
  expect(cut.comment).toBe('exchange 7, connection 2; the request body is cut');
  expect(cut.request.bodySize).toBe(9_000);
  expect(cut.response).toMatchObject({ status: 0, _error: 'gone' });
});
