import { expect, test } from 'vitest';
import { hidden, redactions } from '../../../contracts/report/evidence.ts';
import type { ObservedExchange, ObservedHeaders } from '../exchange/exchange.ts';
import { createRedaction } from '../exchange/redaction.ts';
import { harEntry } from './har-entry.ts';

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

/** Returns the entry of an exchange, after earlier exchanges have revealed their secrets. */
function entryOf(given: ObservedExchange, before: readonly ObservedExchange[] = []) {
  const redaction = createRedaction('SERVICE-API-KEY', undefined);
  for (const one of [...before, given]) redaction.learn(one);
  const options = {
    baseUrl: new URL('http://target.test/base/'),
    startedAt: Date.UTC(2026, 0, 1),
    redaction: redaction.texts,
  };
  return harEntry(given, options);
}

test('an entry shows what passed below the base URL, and no secret of it', () => {
  const entry = entryOf(exchange);
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

const answering = (bytes: Buffer | string, type = 'application/json', more: object = {}): ObservedExchange => ({
  ...exchange,
  response: { status: 200, headers: [['Content-Type', type]], body: { ...body(bytes), ...more } },
});

test('a body that is meant for text and is none is in Base64, and any other is left out', () => {
  const binary = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)]);
  expect(entryOf(answering(binary('x'))).response.content).toMatchObject({ size: 3, text: '//54', encoding: 'base64' });
  for (const [bytes, type] of [
    [binary('sesame-open'), 'application/json'],
    [binary('"password":"x"'), 'application/json'],
    [Buffer.from('password', 'utf16le'), 'text/plain'],
    [binary('x'), 'application/octet-stream'],
  ] as const) {
    const entry = entryOf(answering(Buffer.concat([Buffer.from([0xff]), bytes]), type));
    expect(entry.response.content).toEqual({ size: bytes.length + 1, mimeType: type, text: '' });
    expect(entry.comment).toContain('the response body is left out: it may hold secrets');
  }
});

test('a body that is cut, and an answer that never came, are said to be so', () => {
  const { request } = exchange;
  const cut = entryOf({
    ...exchange,
    request: { ...request, body: body('{"a', 9_000) },
    response: { failure: 'gone' },
  });
  expect(cut.comment).toBe('exchange 7, connection 2; the request body is cut');
  expect(cut.request.bodySize).toBe(9_000);
  expect(cut.response).toMatchObject({ status: 0, _error: 'gone' });
});

const secret = 'hunter2-Zq7w';
const json = JSON.stringify;
const form = 'application/x-www-form-urlencoded';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

// biome-ignore format: a table
const bodies: readonly (readonly [what: string, type: string, text: string])[] = [
  ['a member',                         'application/json', json({ a: 1, password: secret })],
  ['a member, deep down',              'application/json', json({ a: [{ b: { accessToken: secret } }] })],
  ['what is below such a member',      'application/json', json({ secrets: [secret, { a: secret }] })],
  ['a member that is there twice',     'application/json', `{"token":"${secret}","token":""}`],
  ['a member with an escaped name',    'application/json', `{"pass\\u0077ord":"${secret}"}`],
  ['a pair of name and value',         'application/json', json([{ name: 'X-Signature', value: secret }])],
  ['JSON within JSON',                 'application/json', json({ text: json({ text: json({ client_secret: secret }) }) })],
  ['a form within JSON',               'application/json', json({ text: `a=b&refresh_token=${secret}` })],
  ['a URL within JSON',                'application/json', json({ next: `https://x.test/a?to=${encodeURIComponent(`/b?token=${secret}`)}` })],
  ['user information of a URL',        'application/json', json({ next: `https://me:${secret}@x.test/` })],
  ['a fragment of a URL',              'application/json', json({ next: `https://x.test/#a=b&id_token=${secret}` })],
  ['a header within JSON',             'application/json', json({ text: `Authorization: Bearer ${secret}` })],
  ['markup within JSON',               'application/json', json({ text: `<password>${secret}</password>` })],
  ['a JSON text that is one string',   'application/json', json(`session_token=${secret}`)],
  ['lines of JSON',                    'application/x-ndjson', `{"a":1}\n{"api_key":"${secret}"}\n`],
  ['JSON that is called something else', 'text/plain', json({ jwt: secret })],
  ['JSON that is cut',                 'application/json', `{"a":{"password":"${secret}"},"b":[1,2`],
  ['JSON that is cut in the secret',   'application/json', `{"a":1,"password":"${secret}`],
  ['JSON that is broken',              'application/json', `{"a":1,"password":"${secret}",}`],
  ['a form',                           form,               `a=b&user%5Bpassword%5D=${secret}&c=d`],
  ['a form with JSON in it',           form,               `payload=${encodeURIComponent(json({ pwd: secret }))}`],
  ['a form that is not called one',    'text/plain',       `a=b&csrf_token=${secret}`],
  ['parts',                            'multipart/form-data; boundary=x', `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--x--`],
  ['XML',                              'application/xml',  `<a><passwd>${secret}</passwd></a>`],
  ['HTML',                             'text/html',        `<input type="hidden" name="csrf-token" value="${secret}">`],
  ['YAML',                             'application/yaml', `db:\n  password: ${secret}\n`],
  ['a table',                          'text/csv',         `user,password\nbob,${secret}\n`],
  ['a script',                         'text/javascript',  `window.apiKey = '${secret}'`],
];

test.each(bodies)('neither a request nor an answer shows a secret in a body: %s', (_what, type, text) => {
  const cut = { length: 9_000, isCut: /cut/.test(_what) };
  const more = cut.isCut ? cut : {};
  const request = { ...exchange.request, headers: [['Content-Type', type]] as const, body: { ...body(text), ...more } };
  expect(json(entryOf({ ...exchange, request }))).not.toContain('hunter2');
  const entry = entryOf(answering(text, type, more));
  expect(json(entry)).not.toContain('hunter2');
  expect([entry.response.content.text !== '', entry.comment.includes('left out')]).toContain(true);
});

test('the rest of a body whose secrets can be named stays as it was', () => {
  const text = '{ "a" : [1.50, "x=y"],  "password":"hunter2-Zq7w", "b":"tokens are counted", "max_tokens": 512 }';
  expect(entryOf(answering(text)).response.content.text).toBe(text.replace('hunter2-Zq7w', hidden.named));
  expect(entryOf(answering('{"message":"the token is wrong"}')).response.content.text).toBe(
    '{"message":"the token is wrong"}',
  );
});

// biome-ignore format: a table
const heads: readonly (readonly [what: string, headers: ObservedHeaders, target?: string])[] = [
  ['Location',                  [['Location', `https://x.test/cb?code=1&access_token=${secret}`]]],
  ['a fragment of Location',    [['Location', `/cb#state=1&id_token=${secret}`]]],
  ['a route in a fragment',     [['Location', `/cb#/done?token=${secret}`]]],
  ['user information',          [['Referer', `https://me:${secret}@x.test/`]]],
  ['a cookie',                  [['Cookie', `a=b; session=${secret}`]]],
  ['a cookie that is set',      [['Set-Cookie', `session=${secret}; Path=/`]]],
  ['a password of Basic',       [['Authorization', `Basic ${base64(`me:${secret}`)}`]]],
  ['a scheme in any header',    [['X-Forwarded-Auth-Info', `Bearer ${secret}`]]],
  ['a header named so',         [['X-Amz-Security-Token', secret], ['X-Hub-Signature-256', secret]]],
  ['the key header',            [['Service-Api-Key', secret]]],
  ['the query',                 [], `/elsewhere?a=b&X-Amz-Signature=${secret}`],
  ['a nested query',            [], `/elsewhere?to=${encodeURIComponent(`https://x.test/?password=${secret}`)}`],
  ['a parameter of a path',     [], `/elsewhere;jsessionid=${secret}/a`],
  ['a fragment',                [], `/elsewhere#token=${secret}`],
];

test.each(heads.map(([what, headers, target = '/elsewhere']) => ({ what, headers, target })))(
  'no head shows a secret, and where it was seen it is known: $what',
  ({ headers, target }) => {
    const seen: ObservedExchange = {
      ...exchange,
      request: { ...exchange.request, headers, target, body: null },
      response: { status: 302, headers, body: null },
    };
    expect(json(entryOf(seen))).not.toMatch(/hunter2|aHVudGVy|odW50ZXI|h1bnRlc/);
    // Another exchange repeats the secret where no name reveals it.
    const later = answering(
      json({ note: `it was ${secret}!`, packed: base64(`me:${secret}`), turned: [...secret].reverse().join('') }),
    );
    expect(json(entryOf(later, [seen]))).not.toMatch(/hunter2|aHVudGVy|odW50ZXI|h1bnRlc|2retnuh/);
  },
);
