import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { httpDouble } from '../testing/doubles.ts';
import { testKey } from '../testing/reference-run.ts';
import { expectSound, hostileRun } from './hostile.fixture.ts';

const json = { 'content-type': 'application/json' };
const say = (response: ServerResponse, status: number, body: string | Buffer = '', headers = {}): void =>
  void response.writeHead(status, headers).end(body);

/** A page of a list that has no end. */
const page = (items: unknown, more: object = {}): string =>
  JSON.stringify({
    message: 'Listed.',
    data: items,
    pagination: {
      itemsPerPage: 10,
      pageNumber: 1,
      totalItems: 10,
      nextPage: null,
      previousPage: null,
      all: '',
      ...more,
    },
  });

const ten = Array.from({ length: 10 }, (_, index) => ({ id: `s${index}`, name: `n${index}` }));
const deep = `{"message":"m","data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
// 1 MB on the wire, 1 GB unpacked: a gzip file may consist of several members (RFC 1952 section 2.2).
const bomb = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(16_777_216, 0x20))));
const everyItem = `[${'{},'.repeat(500_000)}{}]`;

// biome-ignore format: a table
const targets: readonly [what: string, outcome: string, listener: RequestListener][] = [
  ['404 for everything',                      'complete',    (_request, response) => say(response, 404)],
  ['500 for everything',                      'complete',    (_request, response) => say(response, 500, '{"error":"boom"}', json)],
  ['503 for everything',                      'complete',    (_request, response) => say(response, 503)],
  ['401 for everything',                      'unreachable', (_request, response) => say(response, 401)],
  ['200 and {} for everything',               'complete',    (_request, response) => say(response, 200, '{}', json)],
  ['200 and null for everything',             'complete',    (_request, response) => say(response, 200, 'null', json)],
  ['204 for everything',                      'complete',    (_request, response) => say(response, 204)],
  ['304 for everything',                      'complete',    (_request, response) => say(response, 304)],
  ['HTML for everything',                     'complete',    (_request, response) => say(response, 200, '<h1>It works!</h1>', { 'content-type': 'text/html' })],
  ['invalid UTF-8',                           'complete',    (_request, response) => say(response, 200, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), json)],
  ['JSON nested 200,000 deep',                'complete',    (_request, response) => say(response, 200, deep, json)],
  ['half a million empty items on a page',        'complete',    (_request, response) => say(response, 200, `{"message":"m","data":${everyItem},"pagination":{}}`, json)],
  ['a gzip of 1 MB that unpacks to 1 GB',     'complete',    (_request, response) => say(response, 200, bomb, { ...json, 'content-encoding': 'gzip' })],
  ['a content coding that is a lie',          'complete',    (_request, response) => say(response, 200, '{}', { ...json, 'content-encoding': 'gzip' })],
  ['names of the prototype',                  'complete',    (_request, response) => say(response, 200, '{"message":"m","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"data":{"__proto__":{"polluted":1},"constructor":null,"toString":1,"hasOwnProperty":2}}', json)],
  ['lists without end',                       'complete',    (_request, response) => say(response, 200, page(ten, { totalItems: 1_000_000_000, nextPage: '/x?page=2&limit=10' }), json)],
  ['a total beyond every list',               'complete',    (_request, response) => say(response, 200, page(ten, { totalItems: 9_007_199_254_740_881, nextPage: '?page=2&limit=10' }), json)],
  ['totals that change with every answer',    'complete',    changingTotals()],
  ['pages of no size',                        'complete',    (_request, response) => say(response, 200, page(ten, { itemsPerPage: 0, nextPage: '?page=2' }), json)],
  ['numbers beyond every type',               'complete',    (_request, response) => say(response, 200, '{"message":1e999,"data":[1e999],"pagination":{"itemsPerPage":1e999,"totalItems":1e999,"pageNumber":-1e999,"nextPage":null,"previousPage":null,"all":""}}', json)],
  ['thousands of headers',                    'complete',    (_request, response) => manyHeaders(response)],
];

function changingTotals(): RequestListener {
  let total = 10;
  return (_request, response) => {
    total += 1;
    say(response, 200, page(ten, { totalItems: total, nextPage: '?page=2&limit=10' }), json);
  };
}

/** As many as fit into the 16 KB that clients take by default. */
function manyHeaders(response: ServerResponse): void {
  for (let index = 0; index < 1_000; index += 1) response.setHeader(`x-${index}`, 'y');
  say(response, 200, '{}', json);
}

describe('a target that answers everything in one wrong way', () => {
  test.each(targets)(
    '%s',
    async (_what, outcome, listener) => {
      let requests = 0;
      const { url } = await httpDouble((request, response) => {
        requests += 1;
        listener(request, response);
      });
      const run = await hostileRun(url, { timeoutMs: 10_000 });
      expectSound(run);
      expect(run.end.outcome).toBe(outcome);
      expect(requests).toBeLessThan(12_000);
      expect(requests).toBe(run.end.stats.requests);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
    120_000,
  );
});

test('links to other hosts are not followed, and neither are redirects: the key stays with its origin', async () => {
  let strayed = 0;
  const elsewhere = await httpDouble((_request, response) => {
    strayed += 1;
    say(response, 200, page([]), json);
  });
  const link = `${elsewhere.url.href}console/v1/segments?page=2&limit=10`;
  const keys = new Set<unknown>();
  const { url } = await httpDouble((request, response) => {
    keys.add(request.headers['service-api-key']);
    if (request.method === 'GET') say(response, 200, page(ten, { totalItems: 30, nextPage: link, all: link }), json);
    else say(response, 308, '', { location: `${elsewhere.url.href}console/v1/gates` });
  });
  const run = await hostileRun(url, { timeoutMs: 10_000 });
  expectSound(run);
  expect(keys).toContain(testKey);
  expect(strayed).toBe(0);
  expect(run.journal).toContain('status 308');
});

describe('a target that echoes the key', () => {
  // biome-ignore format: a table
  test.each<[how: string, echo: (key: string) => string]>([
    ['as it is',               key => key],
    ['in the query of a link', key => encodeURIComponent(key)],
    ['in Base64',              key => Buffer.from(key).toString('base64')],
    ['in URL-safe Base64',     key => Buffer.from(key).toString('base64url')],
    ['in HTML',                key => key.replaceAll('/', '&#47;').replaceAll('+', '&#43;')],
    ['as \\u escapes',         key => [...key].map(sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ])('%s, in bodies, headers and messages, sees it in no event', async (_how, echo) => {
    const { url } = await httpDouble((request, response) => {
      const said = echo(String(request.headers['service-api-key'] ?? ''));
      const body = `{"message":"no key like ${said}","data":{"name":"${said}","id":"${said}${'x'.repeat(4_000)}${said}"},"error":"${said}"}`;
      const good = request.method === 'GET' ? 200 : 400;
      say(response, good, body, { ...json, 'x-key': said.replaceAll('\\', ''), link: `</x?key=${said.replaceAll('\\', '')}>` });
    });
    const run = await hostileRun(url, { timeoutMs: 10_000 });
    expectSound(run);
    expect(run.end.outcome).toBe('complete');
    for (const secret of [testKey, encodeURIComponent(testKey), echo(testKey), JSON.stringify(echo(testKey)).slice(1, -1)]) {
      expect(run.journal.includes(secret)).toBe(false);
    }
  });
});
