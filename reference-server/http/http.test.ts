import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { pathOf, started } from '../proof/testing/started.ts';
import { createReferenceServer } from '../server.ts';
import type { Backend } from '../store/backend.ts';
import { createMemoryBackend } from '../store/memory.ts';
import { StoreOutage } from '../store/store-error.ts';
import { bodyLimit } from './read-body.ts';

const { url, send } = await started();
/** A server that times out at once. */
const impatient = await started({ headersTimeout: 1 });

/** Sends raw bytes. Returns everything received until the server closes. */
const raw = async (text: string, { end = true, to = url } = {}): Promise<string> => {
  const socket = connect(Number(new URL(to).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', chunk => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  if (end) socket.end(text);
  else socket.write(text);
  await once(socket, 'close');
  return answer;
};

const parts = (answer: string) => {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), json: JSON.parse(body) };
};

describe('methods and paths', () => {
  it.each(endpointIds)('%s: other methods are refused with the list of those there are', async id => {
    const path = pathOf(id, 'x');
    const own = endpointIds.filter(other => pathOf(other, 'x') === path).map(other => endpoints[other].method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE', 'REPORT', 'TRACE'].filter(
      name => !own.includes(name as 'GET'),
    )) {
      const { status, headers, json } = await send(path, { method });
      if (status !== 405)
        expect([path, method, status]).toEqual(['/console/v1/experiments/qualifying_events', 'POST', 400]);
      else {
        expect(String(headers.allow).split(', ')).toEqual(expect.arrayContaining([...own, 'OPTIONS']));
        expect(json).toEqual({ status: 405, message: 'This path has no such method.' });
      }
    }
  });

  it('asks for the key before it says that there is nothing', async () => {
    expect((await send('/console/v1/nothing', { key: null })).status).toBe(401);
    expect((await send('/console/v1/segments', { method: 'DELETE', key: 'x' })).status).toBe(401);
    expect((await send('/console/v1/nothing')).json).toEqual({ status: 404, message: 'There is no such path.' });
    expect((await send('/', { key: null })).status).toBe(404);
  });

  it('answers HEAD without and OPTIONS with the methods', async () => {
    const head = await send('/console/v1/segments', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await send('/console/v1/segments', { method: 'HEAD', key: null })).status).toBe(401);
    const options = await send('/console/v1/segments', { method: 'OPTIONS', key: null });
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each([
    '/console/v1/gates/%',
    '/console/v1/gates/%zz',
    '/console/v1/gates/a%2Fb',
    '/console/v1/gates/%2e%2e',
    '/console/v1/gates/%00',
    '/console/v1/gates//',
    '/console/v1/segments/',
    '/Console/v1/segments',
    '//',
    '/console/v1/gates/%ff%fe',
  ])('finds nothing at %s', async path => {
    const { status, json } = await send(path, { method: 'PATCH', body: {} });
    expect([status, json.status]).toEqual([404, 404]);
  });
});

/** A store that fails before its first use. */
const outOfUse: Backend = {
  ...createMemoryBackend(),
  world: async () => {
    throw new StoreOutage('somewhere', 'nobody answers');
  },
};

describe('web pages of other origins', () => {
  it('may use the API with the key, and may not use the tool paths', async () => {
    const origin = 'https://app.example.com';
    const preflight = await send('/console/v1/gates/x', {
      method: 'OPTIONS',
      key: null,
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'service-api-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-headers']).toBe('Content-Type,SERVICE-API-KEY');
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH');
    expect((await send('/console/v1/segments', { headers: { origin } })).headers['access-control-allow-origin']).toBe(
      '*',
    );
    expect(
      (await send('/console/v1/segments', { key: null, headers: { origin } })).headers['access-control-allow-origin'],
    ).toBe('*');
    expect((await send('/_reference/health', { headers: { origin } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  it('may send whatever headers the browser asks for, and read every header of an answer', async () => {
    const other = await started({ corsHeaders: ['X-Trace'] });
    const origin = 'https://app.example.com';
    const allowed = async (asked: string): Promise<unknown> => {
      const headers = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': asked };
      const answer = await other.send('/console/v1/segments', { method: 'OPTIONS', key: null, headers });
      expect(answer.status).toBe(204);
      return answer.headers['access-control-allow-headers'];
    };
    const always = 'Content-Type,SERVICE-API-KEY,X-Trace';
    expect(await allowed('x-trace, content-type')).toBe(always);
    expect(await allowed('x-sdk-version,x-other')).toBe(`${always},x-sdk-version,x-other`);
    expect(await allowed('a b, <x>, ,x-fine')).toBe(`${always},x-fine`);
    const { headers } = await other.send('/console/v1/segments', { headers: { origin } });
    expect(headers['access-control-expose-headers']).toBe('*');
  });

  it.each([
    ['a dialect', { dialects: ['rate-limit'] }, 40],
    ['a store that cannot be used', { backend: outOfUse }, 1],
  ])('may read when to come again: refused by %s', async (_what, options, nth) => {
    const other = await started(options);
    const headers = { origin: 'https://app.example.com' };
    const ask = () => other.send('/console/v1/segments', { headers });
    for (let count = 1; count < nth; count += 1) await ask();
    expect((await ask()).headers).toMatchObject({
      'retry-after': expect.any(String),
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
    });
  });
});

describe('connections', () => {
  it.each([
    ['too large, length known', Buffer.alloc(bodyLimit * 3, 0x20), 'application/json', 413],
    ['of another type', Buffer.alloc(bodyLimit * 3, 0x20), 'text/plain', 415],
  ])('carry the next request after a body that is %s', async (_, body, type, status) => {
    const one = new Agent({ connections: 1, pipelining: 1 });
    const connected: unknown[] = [];
    one.on('connect', origin => connected.push(origin));
    const headers = { 'SERVICE-API-KEY': 'reference-key', 'content-type': type };
    for (let round = 0; round < 3; round++) {
      const refused = await request(`${url}/console/v1/gates/dark_mode`, {
        method: 'PATCH',
        headers,
        body,
        dispatcher: one,
      });
      expect([refused.statusCode, ((await refused.body.json()) as { status: number }).status]).toEqual([
        status,
        status,
      ]);
      const next = await request(`${url}/console/v1/segments`, { headers, dispatcher: one });
      expect(next.statusCode).toBe(200);
      await next.body.dump();
    }
    expect(connected).toHaveLength(1);
    await one.close();
  });

  it('refuse a chunked body that grows too large', async () => {
    const chunks = async function* () {
      for (let sent = 0; sent <= bodyLimit; sent += 65_536) yield Buffer.alloc(65_536, 0x20);
    };
    const headers = { 'SERVICE-API-KEY': 'reference-key', 'content-type': 'application/json' };
    const answer = await request(`${url}/console/v1/gates/dark_mode`, {
      method: 'PATCH',
      headers,
      body: Readable.from(chunks()),
    });
    expect([answer.statusCode, ((await answer.body.json()) as { status: number }).status]).toEqual([413, 413]);
  });

  it('are answered in JSON when they carry no HTTP, headers too large, CONNECT, or nothing more', async () => {
    expect(parts(await raw('what is this\r\n\r\n'))).toMatchObject({ status: 400, json: { status: 400 } });
    expect(parts(await raw(`GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`))).toMatchObject({
      status: 431,
      json: { status: 431 },
    });
    expect(parts(await raw('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatchObject({
      status: 405,
      json: { status: 405 },
    });
    expect(parts(await raw('GET / HTTP/1.1\r\nHost:', { end: false, to: impatient.url }))).toMatchObject({
      status: 408,
      json: { status: 408 },
    });
  });

  it('that close in the middle of a body do no harm', async () => {
    await raw(
      'PATCH /console/v1/gates/dark_mode HTTP/1.1\r\nHost: x\r\nSERVICE-API-KEY: reference-key\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    );
    expect((await send('/console/v1/segments')).status).toBe(200);
  });
});

describe('an error that nobody expected', () => {
  it('is a JSON 500 that says nothing, and changes nothing', async () => {
    const errors: unknown[] = [];
    const server = createReferenceServer({
      onError: error => errors.push(error),
      decorateOperation: (_id, handler) => async (call, store, settings) => {
        await store.transaction(async transaction => {
          await handler(call, { ...store, transaction: work => work(transaction) }, settings);
          throw new Error(`secret in ${import.meta.filename}`);
        });
        throw new Error('never');
      },
    });
    const before = await server.store.snapshot();
    const broken = await server.listen();
    const answer = await request(`${broken.url}/console/v1/gates/dark_mode/disable`, {
      method: 'PUT',
      headers: { 'SERVICE-API-KEY': 'reference-key' },
    });
    expect(answer.statusCode).toBe(500);
    expect(await answer.body.json()).toEqual({ status: 500, message: 'Internal error.' });
    expect(errors).toHaveLength(1);
    expect(await server.store.snapshot()).toEqual(before);
    await server.close();
  });
});
