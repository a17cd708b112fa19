import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bytesDouble, closedPort, httpDouble, jsonBytes } from '../proof/testing/doubles.ts';
import { heldLimits } from '../proof/testing/held-limits.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import { mostValues } from './body.ts';
import { type ClientOptions, createHttpClient, type HttpClient } from './client.ts';
import { retryAfterMs } from './deferral.ts';
import { failureOf } from './failure.ts';

const get = (path = '/x') => ({ method: 'GET', path, headers: {} });
/** Unlike a read that was answered, it is not sent again to see whether the target is there. */
const post = { ...get(), method: 'POST' };

function client(baseUrl: URL, more: Partial<ClientOptions> = {}): HttpClient {
  const made = createHttpClient({ baseUrl, timeoutMs: longest, connections: 4, ...more });
  onTestFinished(() => made.close());
  return made;
}

test('brings a whole answer: status, headers, parsed body, bytes on the wire', async () => {
  const { url } = await bytesDouble(socket => socket.write(jsonBytes({ a: 1 }, ['x-one: 1', 'x-one: 2'])));
  const reply = await client(url).send(get());
  expect(reply).toMatchObject({ status: 200, failure: null, bytes: 7, body: { kind: 'json', value: { a: 1 } } });
  expect(reply.headers['x-one']).toEqual(['1', '2']);
});

test('puts the path of the base URL before every path, with or without a slash at its end', async () => {
  const seen: string[] = [];
  const { url } = await httpDouble((request, response) => {
    seen.push(request.url ?? '');
    response.end('{}');
  });
  await client(new URL('/below', url)).send(get('/console/v1/segments?page=1'));
  await client(new URL('/below/', url)).send(get('/console/v1/segments?page=1'));
  expect(seen).toEqual(['/below/console/v1/segments?page=1', '/below/console/v1/segments?page=1']);
});

test('an answer that never comes is a timeout', async () => {
  const { url } = await bytesDouble(() => {});
  const reply = await client(url, { timeoutMs: 40 }).send(get());
  expect(reply).toMatchObject({ status: 0, failure: { kind: 'timeout', message: 'no complete answer within 40 ms' } });
});

test('an answer that begins and never ends is a timeout too, and the client works afterwards', async () => {
  const { timeoutMs, hold, release } = heldLimits();
  onTestFinished(release);
  const { url } = await bytesDouble((socket, connection) => {
    if (connection > 1) socket.write(jsonBytes({}));
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{', hold);
  });
  const http = client(url, { timeoutMs, connections: 1 });
  expect((await http.send(get())).failure?.kind).toBe('timeout');
  expect((await http.send(get())).status).toBe(200);
});

test('an endless body is cut off at the cap', async () => {
  const { url } = await httpDouble((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  const reply = await client(url, { maxBodyBytes: 1_000_000 }).send(get());
  expect(reply.failure).toEqual({ kind: 'too-large', message: 'the answer is longer than 1000000 bytes' });
});

test('a gzip bomb is not unpacked beyond the cap', async () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000, 0x20));
  const { url } = await httpDouble((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const reply = await client(url, { maxBodyBytes: 1_000_000 }).send(get());
  expect(reply.failure).toEqual({ kind: 'too-large', message: 'the answer is longer than 1000000 bytes unpacked' });
});

test('many long answers at once all come, and one that breaks off keeps nobody waiting', async () => {
  const long = JSON.stringify('x'.repeat(3_000_000));
  const { url } = await httpDouble((request, response) => {
    response.writeHead(200, { 'content-length': long.length });
    if (request.url !== '/broken') response.end(long);
    else response.write(long.slice(0, 2_000_000), () => response.destroy());
  });
  const http = client(url);
  const paths = ['/a', '/broken', '/b', '/broken', '/c', '/d'];
  const replies = await Promise.all(paths.map(path => http.send(get(path))));
  expect(replies.map(({ bytes, failure }) => failure?.kind ?? bytes)).toEqual(
    paths.map(path => (path === '/broken' ? 'dropped' : long.length)),
  );
});

test('an answer that holds more values than anybody judges is not parsed', async () => {
  const { url } = await httpDouble((_request, response) => void response.end(`[${'{},'.repeat(mostValues)}{}]`));
  const reply = await client(url).send(get());
  expect(reply.failure).toEqual({ kind: 'too-large', message: 'the answer holds more than 100000 values' });
});

test.each([
  ['in order', (socket: import('node:net').Socket) => socket.end()],
  ['by a reset', (socket: import('node:net').Socket) => socket.resetAndDestroy()],
])('a fresh connection closed %s without an answer is dropped, and not tried again', async (_how, close) => {
  const double = await bytesDouble(socket => close(socket));
  const reply = await client(double.url).send(get());
  expect(reply.failure?.kind).toBe('dropped');
  expect(double.connections()).toBe(1);
});

test.each([
  ['in order', (socket: import('node:net').Socket) => socket.end()],
  ['by a reset', (socket: import('node:net').Socket) => socket.resetAndDestroy()],
])('a reused connection closed %s before the first byte is tried once more on a fresh one', async (_how, close) => {
  const seen: string[] = [];
  const double = await bytesDouble((socket, connection, request) => {
    seen.push(`${connection}.${request}`);
    if (connection === 1 && request === 2) close(socket);
    else socket.write(jsonBytes({ connection }));
  });
  const http = client(double.url, { connections: 1 });
  await http.send(get());
  expect((await http.send(get())).body).toMatchObject({ value: { connection: 2 } });
  expect(seen).toEqual(['1.1', '1.2', '2.1']);
});

test('the second try is made anew, and counted', async () => {
  const double = await bytesDouble((socket, connection, request) => {
    if (connection === 1 && request === 2) socket.end();
    else socket.write(jsonBytes({ connection }));
  });
  const http = client(double.url, { connections: 1 });
  await http.send(get());
  const reply = await http.send(get('/first'), { anew: () => get('/second') });
  expect(reply).toMatchObject({ request: { path: '/second' }, body: { value: { connection: 2 } } });
  expect(http.retries()).toEqual({ closed: 1, gateway: 0 });
  expect(http.sent()).toBe(3);
});

test('what works only once goes over a fresh connection, so that none can close under it', async () => {
  const seen: string[] = [];
  const double = await bytesDouble((socket, connection, request) => {
    seen.push(`${connection}.${request}`);
    if (request === 2) socket.end();
    else socket.write(jsonBytes({}));
  });
  const http = client(double.url, { connections: 1 });
  await http.send(get());
  expect((await http.send(get(), { once: true })).status).toBe(200);
  expect(seen).toEqual(['1.1', '2.1']);
  expect(http.retries().closed).toBe(0);
});

test.each([
  [18, { status: 200, failure: null }],
  [63, { status: 200, failure: null }],
  [70, { status: 0, failure: { kind: 'too-large', message: 'the answer has more than 64 KiB of headers' } }],
])(
  'of an answer with %i KiB of headers, as gateways send them, as much is read as is civil',
  async (kilobytes, came) => {
    const headers = Array.from({ length: kilobytes }, (_, index) => `x-${index}: ${'y'.repeat(1_010)}`);
    const { url } = await bytesDouble(socket => socket.write(jsonBytes({}, headers)));
    expect(await client(url).send(get())).toMatchObject(came);
  },
);

test('the second try is the last', async () => {
  const seen: string[] = [];
  const double = await bytesDouble((socket, connection, request) => {
    seen.push(`${connection}.${request}`);
    if (connection === 1 && request === 1) socket.write(jsonBytes({}));
    else socket.end();
  });
  const http = client(double.url, { connections: 1 });
  await http.send(post);
  expect((await http.send(get())).failure?.kind).toBe('dropped');
  expect(seen).toEqual(['1.1', '1.2', '2.1']);
});

test('a reused connection that closes after the first byte is not tried again', async () => {
  const seen: string[] = [];
  const double = await bytesDouble((socket, connection, request) => {
    seen.push(`${connection}.${request}`);
    if (request === 1) socket.write(jsonBytes({}));
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{');
  });
  const http = client(double.url, { connections: 1 });
  await http.send(post);
  expect((await http.send(get())).failure?.kind).toBe('dropped');
  expect(seen).toEqual(['1.1', '1.2']);
});

test('half a status line on a reused connection is no silence: it is not tried again', async () => {
  const seen: string[] = [];
  const double = await bytesDouble((socket, connection, request) => {
    seen.push(`${connection}.${request}`);
    if (request === 1) socket.write(jsonBytes({}));
    else socket.end('HTTP/1.1 200');
  });
  const http = client(double.url, { connections: 1 });
  await http.send(post);
  expect((await http.send(get())).failure?.kind).toBe('dropped');
  expect(seen).toEqual(['1.1', '1.2']);
});

test.each([
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ['a broken header', 'HTTP/1.1 200 OK\r\nbroken header\u0000: 1\r\n\r\n'],
  ['two lengths that differ', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ['a chunk size that is none', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n'],
])('%s is garbage', async (_what, bytes) => {
  const { url } = await bytesDouble(socket => socket.end(bytes));
  expect((await client(url).send(get())).failure?.kind).toBe('garbage');
});

test.each([
  ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
  ['102 Processing, twice', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'],
])('%s is passed over (RFC 9110 section 15.2)', async (_what, interim) => {
  const { url } = await bytesDouble(socket => socket.write(interim + jsonBytes({ final: true })));
  expect(await client(url).send(get())).toMatchObject({ status: 200, body: { value: { final: true } } });
});

test('a redirect is not followed, so the key stays where it was sent', async () => {
  let elsewhere = 0;
  const other = await httpDouble((_request, response) => {
    elsewhere += 1;
    response.end('{}');
  });
  const { url } = await httpDouble((_request, response) => {
    response.writeHead(307, { location: other.url.href }).end();
  });
  const reply = await client(url).send({ ...get(), headers: { 'SERVICE-API-KEY': 'secret' } });
  expect(reply.status).toBe(307);
  expect(elsewhere).toBe(0);
});

test('nobody there is a refused connection', async () => {
  const reply = await client(await closedPort()).send(get());
  expect(reply.failure).toEqual({ kind: 'refused', message: 'no connection (ECONNREFUSED)', obstacle: 'nobody' });
});

test('a target that is being restarted is waited for', async () => {
  const server = createServer((_request, response) => void response.end('{}'));
  const listen = (port: number): Promise<void> => new Promise(done => server.listen(port, '127.0.0.1', done));
  await listen(0);
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/`);
  const known = client(url);
  expect((await known.send(get())).status).toBe(200);
  await new Promise(done => {
    server.close(done);
    server.closeAllConnections();
  });
  const waiting = known.send(get());
  // A client that knows nothing of the target does not wait.
  expect((await client(url).send(get())).failure).toMatchObject({ obstacle: 'nobody' });
  await listen(port);
  expect((await waiting).status).toBe(200);
});

test.each([
  [429, '0'],
  [429, undefined],
  [409, '0'],
  [409, undefined],
  [423, '0'],
  [423, undefined],
  [425, '0'],
  [503, '0'],
])('status %i with Retry-After %s is waited out', async (status, after) => {
  onTestFinished(skipWaits());
  let requests = 0;
  const { url } = await httpDouble((_request, response) => {
    requests += 1;
    if (requests > 2) response.end('{}');
    else response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end();
  });
  const http = client(url);
  expect(await http.send(get())).toMatchObject({ status: 200, deferrals: 2 });
  expect(requests).toBe(3);
  expect(http.sent()).toBe(3);
});

test.each([
  [409, '0', 3],
  [423, '5', 3],
  [423, '6', 1],
  [409, '3600', 1],
  [409, undefined, 5],
  [425, undefined, 1],
])(
  'a conflict or a lock that stays (%i with Retry-After %s) is the answer after %i tries',
  async (status, after, tries) => {
    onTestFinished(skipWaits());
    const { url } = await httpDouble((request, response) => {
      const isFree = request.url === '/free';
      response.writeHead(isFree ? 200 : status, after === undefined ? {} : { 'retry-after': after }).end('{}');
    });
    const http = client(url);
    expect((await http.send(get())).status).toBe(status);
    expect(http.sent()).toBe(tries);
    expect((await http.send(get('/free'))).status).toBe(200);
  },
);

test('a service that says with every refusal when to come again is waited for a minute, and again after one that ends', async () => {
  onTestFinished(skipWaits());
  let isHeld = true;
  const { url } = await httpDouble((_request, response) => {
    response.writeHead(isHeld ? 423 : 200, { 'retry-after': '5' }).end('{}');
  });
  const http = client(url);
  for (let number = 0; number < 10; number += 1) await http.send(get());
  expect(http.sent()).toBe(6 * 3 + 4);
  isHeld = false;
  await http.send(get());
  isHeld = true;
  expect((await http.send(get())).status).toBe(423);
  expect(http.sent()).toBe(6 * 3 + 6);
});

test('a service whose conflicts stay is soon waited for no more', async () => {
  onTestFinished(skipWaits());
  const { url } = await httpDouble((_request, response) => void response.writeHead(409).end('{}'));
  const http = client(url);
  for (let number = 0; number < 10; number += 1) expect((await http.send(get())).status).toBe(409);
  expect(http.sent()).toBe(4 * 5 + 6);
});

describe('502, 503 and 504 are tried three times', () => {
  /** A server that answers the first `often` requests with `status`, then accepts all. */
  async function gateway(status: number, often: number, more: Partial<ClientOptions> = {}) {
    onTestFinished(skipWaits());
    const seen: string[] = [];
    const { url } = await httpDouble((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(seen.length <= often ? status : 200).end('{}');
    });
    return { http: client(url, more), seen };
  }

  test.each([
    [502, 1],
    [503, 2],
    [504, 2],
  ])('status %i, seen %i times, is not the answer, but counted', async (status, often) => {
    const { http } = await gateway(status, often);
    expect((await http.send(get())).status).toBe(200);
    expect(http.sent()).toBe(often + 1);
    expect(http.retries()).toEqual({ closed: 0, gateway: 1 });
  });

  test.each([502, 503, 504])('status %i, seen each time, is the answer', async status => {
    const { http } = await gateway(status, 3);
    expect((await http.send(get())).status).toBe(status);
    expect(http.sent()).toBe(3);
    expect(http.retries()).toEqual({ closed: 0, gateway: 0 });
  });

  test.each([500, 501, 505])('status %i is the answer at once', async status => {
    const { http } = await gateway(status, 1);
    expect((await http.send(get())).status).toBe(status);
    expect(http.sent()).toBe(1);
  });

  test('each try is made anew, and the reply says which was answered', async () => {
    const { http, seen } = await gateway(502, 2);
    let number = 1;
    const anew = () => get(`/${++number}`);
    const reply = await http.send(get('/1'), { anew });
    expect(reply).toMatchObject({ status: 200, request: { path: '/3' } });
    expect(seen).toEqual(['/1', '/2', '/3']);
  });

  test('what works only once is not tried again, nor is anything for an impatient client', async () => {
    const { http } = await gateway(502, 3);
    expect((await http.send(get(), { once: true })).status).toBe(502);
    expect(http.sent()).toBe(1);
    const { http: impatient } = await gateway(503, 3, { impatient: true });
    expect((await impatient.send(get())).status).toBe(503);
    expect(impatient.sent()).toBe(1);
  });

  test('nothing is waited for any more once it was in vain three times in a row', async () => {
    const { http } = await gateway(502, 100);
    const waits: number[] = [];
    const skipping = globalThis.setTimeout;
    const noting = (act: () => void, after = 0, ...given: []) => {
      if (after < longest && given.length === 0) waits.push(after);
      return skipping(act, after, ...given);
    };
    Object.assign(globalThis, { setTimeout: noting });
    for (let request = 0; request < 4; request += 1) await http.send(get());
    expect(waits).toEqual([250, 1000, 250, 1000, 250, 1000]);
    expect(http.sent()).toBe(12);
  });
});

test('a target that asks for an hour, or for ever again, gets no more requests and its answer is handed on', async () => {
  onTestFinished(skipWaits());
  const { url } = await httpDouble((request, response) => {
    response.writeHead(429, { 'retry-after': request.url === '/hour' ? '3600' : '0' }).end();
  });
  const patient = client(url);
  expect((await patient.send(get('/hour'))).status).toBe(429);
  expect(patient.sent()).toBe(1);
  const stubborn = client(url);
  expect((await stubborn.send(get())).status).toBe(429);
  expect(stubborn.sent()).toBe(9);
});

test('once a wait did not help, others are not kept waiting until a request is taken again', async () => {
  onTestFinished(skipWaits());
  let taken = false;
  const { url } = await httpDouble((_request, response) => {
    if (taken) response.end('{}');
    else response.writeHead(429, { 'retry-after': '0' }).end();
  });
  const http = client(url);
  await http.send(get());
  expect(http.sent()).toBe(9);
  expect((await http.send(get())).status).toBe(429);
  expect(http.sent()).toBe(10);
  taken = true;
  await http.send(get());
  taken = false;
  await http.send(get());
  expect(http.sent()).toBe(11 + 9);
});

test('once too long went by in vain, nothing is waited for any more, even if others are taken', async () => {
  onTestFinished(skipWaits());
  const { url } = await httpDouble((request, response) => {
    if (request.url === '/') response.end('{}');
    else response.writeHead(503, { 'retry-after': '50' }).end();
  });
  const http = client(url);
  const triesOf = async (path: string): Promise<number> => {
    const before = http.sent();
    await http.send(get(path));
    return http.sent() - before;
  };
  expect(await triesOf('/a')).toBe(3);
  expect(await triesOf('/')).toBe(1);
  expect(await triesOf('/b')).toBe(3);
  expect(await triesOf('/')).toBe(1);
  expect(await triesOf('/c')).toBe(1);
});

test('an abort ends a wait: what the target puts off is handed on', async () => {
  const controller = new AbortController();
  const { url } = await httpDouble((_request, response) => {
    response.writeHead(429, { 'retry-after': '50' }).end(() => controller.abort());
  });
  const http = client(url, { signal: controller.signal });
  expect((await http.send(get())).status).toBe(429);
  expect(http.sent()).toBe(1);
});

test('an abort sends nothing of what waits for its turn', async () => {
  const controller = new AbortController();
  const { url } = await httpDouble((_request, response) => {
    response.writeHead(429, { 'retry-after': '50' }).end();
  });
  const http = client(url, { signal: controller.signal, connections: 1, rate: 0.01 });
  const replies = Promise.all(Array.from({ length: 8 }, () => http.send(get())));
  await vi.waitUntil(() => http.sent() === 1);
  controller.abort();
  expect((await replies).map(({ cutShort }) => cutShort)).toEqual(Array.from({ length: 8 }, () => 'interrupted'));
  expect(http.sent()).toBe(1);
});

test('never more requests in flight than connections', async () => {
  let inFlight = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const double = await httpDouble((_request, response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    waiting.push(() => {
      inFlight -= 1;
      response.end('{}');
    });
    // Answer only when the client has its maximum number of requests in flight.
    if (waiting.length === 3) for (const answer of waiting.splice(0)) answer();
  });
  const http = client(double.url, { connections: 3 });
  const replies = await Promise.all(Array.from({ length: 12 }, () => http.send(get())));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(most).toBe(3);
  expect(double.connections()).toBe(3);
});

test('a request that failed gives its place back', async () => {
  let requests = 0;
  const { url } = await bytesDouble(socket => {
    requests += 1;
    if (requests <= 3) socket.end();
    else socket.write(jsonBytes({}));
  });
  const http = client(url, { connections: 1 });
  const replies = await Promise.all(Array.from({ length: 5 }, () => http.send(get())));
  expect(replies.map(({ status }) => status).sort()).toEqual([0, 0, 0, 200, 200]);
});

test('paced requests all arrive', async () => {
  const seen: string[] = [];
  const { url } = await httpDouble((request, response) => {
    seen.push(request.url ?? '');
    response.end('{}');
  });
  const http = client(url, { rate: 500, connections: 1 });
  const paths = Array.from({ length: 10 }, (_, index) => `/${index}`);
  await Promise.all(paths.map(path => http.send(get(path))));
  // Timers that are due at once on a busy machine fire in any order.
  expect(seen.sort()).toEqual(paths);
});

test.each([
  ['0', 0],
  ['2', 2000],
  [' 3 ', 3000],
  [['1', '9'], 1000],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 6000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ['soon', null],
  ['1.5', null],
  ['"2"', null],
  ['-1', null],
  [undefined, null],
])('Retry-After %j is %s ms', (value, expected) => {
  expect(retryAfterMs({ 'retry-after': value }, 4000)).toBe(expected);
});

test.each([
  ['an hour ahead', 'Thu, 01 Jan 1970 01:00:08 GMT', 2000],
  ['an hour behind', 'Thu, 01 Jan 1970 02:00:00 GMT', 0],
  ['unreadable', 'now', 3_606_000],
])('Retry-After is a date of the clock of the target: %s', (_what, date, expected) => {
  expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 1970 01:00:10 GMT', date }, 4000)).toBe(expected);
});

test.each([
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'refused'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['HPE_INVALID_CONSTANT', 'garbage'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
  ['UND_ERR_SOCKET', 'dropped'],
  ['ECONNRESET', 'dropped'],
])('the transport error %s is kind %s', (code, kind) => {
  expect(failureOf(Object.assign(new Error('x'), { code }), 5).kind).toBe(kind);
});
