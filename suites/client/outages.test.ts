import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { httpDouble } from '../proof/testing/doubles.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import { type ClientOptions, createHttpClient } from './client.ts';
import { createOutages } from './outages.ts';

const get = (path: string) => ({ method: 'GET', path, headers: {} });

/** A client, and its server: of each path it answers the given number of requests with 503, after the first to `/known`. */
async function behindGateway(errors: Readonly<Record<string, number>>, more: Partial<ClientOptions> = {}) {
  onTestFinished(skipWaits());
  const left = new Map(Object.entries(errors));
  const seen: string[] = [];
  const { url } = await httpDouble((request, response) => {
    const path = request.url ?? '';
    const errors = seen.length === 0 ? 0 : (left.get(path) ?? 0);
    if (errors > 0) left.set(path, errors - 1);
    seen.push(path);
    response.writeHead(errors > 0 ? 503 : 200).end('{}');
  });
  const http = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 3, ...more });
  onTestFinished(() => http.close());
  await http.send(get('/known'));
  return { http, seen };
}
const forEver = Number.POSITIVE_INFINITY;

test('a gateway error that stays is the answer where a read is answered as before', async () => {
  const { http, seen } = await behindGateway({ '/a': forEver });
  // It is sent once more, alone, after the look: the target may have been away, for itself or because of another request.
  expect(await http.send(get('/a'))).toMatchObject({ status: 503, attempts: 4 });
  expect(await http.send(get('/a'))).not.toHaveProperty('cutShort');
  const first = ['/a', '/a', '/a', '/known', '/a'];
  expect(seen).toEqual(['/known', ...first, ...first]);
  expect(http.sent()).toBe(seen.length);
  expect(http.departures()).toBe(0);
});

test('a target that is away is waited for with one read, and what was asked meanwhile is sent again, alone', async () => {
  const { http, seen } = await behindGateway({ '/a': 3, '/b': 3, '/known': 4 });
  const replies = await Promise.all([http.send(get('/a')), http.send(get('/b'))]);
  expect(replies).toMatchObject([
    { status: 200, attempts: 4 },
    { status: 200, attempts: 4 },
  ]);
  // The second looks once itself if its last error came after the first was answered.
  expect([6, 7]).toContain(seen.filter(path => path === '/known').length);
  expect([http.departures(), http.outages()]).toEqual([1, 1]);
});

test('while some servers behind a gateway are away, an error that stays is none of the request', async () => {
  const { http } = await behindGateway({ '/a': 2, '/b': 4 });
  expect(await http.send(get('/a'))).toMatchObject({ status: 200, attempts: 3 });
  expect(await http.send(get('/b'))).toMatchObject({ status: 200, attempts: 5 });
  expect(http.outages()).toBe(0);
});

test('a 503 that keeps passing is taken for a limit on the rate, and put off like one, even for what works only once', async () => {
  const { http } = await behindGateway({ '/a': 1, '/b': 1, '/c': 1, '/d': 1, '/e': 1 });
  expect(await http.send(get('/d'), { once: true })).toMatchObject({ status: 503 });
  for (const path of ['/a', '/b', '/c']) expect(await http.send(get(path))).toMatchObject({ status: 200, attempts: 2 });
  expect(await http.send(get('/e'), { once: true })).toMatchObject({ status: 200, attempts: 2, deferrals: 1 });
  expect(http.retries().gateway).toBe(4);
});

test('a target that stays away is waited for once, and no answer of its gateway counts', async () => {
  const { http, seen } = await behindGateway({ '/a': forEver, '/b': forEver, '/known': 50 });
  expect(await http.send(get('/a'))).toMatchObject({ status: 503, cutShort: 'away' });
  const looks = seen.filter(path => path === '/known').length;
  expect(looks).toBeLessThan(20);
  expect(await http.send(get('/b'))).toMatchObject({ status: 503, cutShort: 'away' });
  expect(seen.filter(path => path === '/known')).toHaveLength(looks);
});

test('a request that brings the target down each time has its own answer in the end', async () => {
  onTestFinished(skipWaits());
  let down = 0;
  let killed = 0;
  const { url } = await httpDouble((request, response) => {
    if (down === 0 && request.url === '/deadly') {
      down = 6;
      killed += 1;
    } else down = Math.max(down - 1, 0);
    response.writeHead(down > 0 ? 502 : 200).end('{}');
  });
  const http = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 1 });
  onTestFinished(() => http.close());
  await http.send(get('/known'));
  for (const deaths of [2, 4, 6, 8]) {
    const reply = await http.send(get('/deadly'));
    expect(reply.status).toBe(502);
    expect(reply).not.toHaveProperty('cutShort');
    expect(killed).toBe(deaths);
    while ((await http.send(get('/known'))).status !== 200);
  }
});

test('a request that brings the target down behind its gateway is told from those beside it', async () => {
  onTestFinished(skipWaits());
  let down = 0;
  const open = new Set<ServerResponse>();
  const { url } = await httpDouble((request, response) => {
    open.add(response);
    if (down === 0 && request.url === '/deadly') {
      down = 6;
      for (const one of open) one.writeHead(502).end('{}');
      open.clear();
    } else if (down > 0) {
      down -= 1;
      open.delete(response);
      response.writeHead(502).end('{}');
    } else
      setTimeout(() => {
        if (open.delete(response)) response.writeHead(200).end('{}');
      }, 5);
  });
  const http = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 4 });
  onTestFinished(() => http.close());
  await http.send(get('/known'));
  for (let round = 0; round < 4; round += 1) {
    const replies = await Promise.all(['/a', '/deadly', '/b', '/c'].map(path => http.send(get(path))));
    expect(replies.map(({ status }) => status)).toEqual([200, 502, 200, 200]);
    expect(replies.filter(({ cutShort }) => cutShort !== undefined)).toEqual([]);
  }
});

test('an operation that fails for good is told, although its own read was answered before', async () => {
  const { http } = await behindGateway({ '/a?page=2': forEver, '/known?page=2': forEver });
  await http.send(get('/a'));
  for (const path of ['/a?page=2', '/known?page=2']) {
    const reply = await http.send(get(path));
    expect(reply.status).toBe(503);
    expect(reply).not.toHaveProperty('cutShort');
  }
});

test('a request that met an outage which was over when it was looked is sent again', async () => {
  const { http } = await behindGateway({ '/a': 3 });
  expect(await http.send(get('/a'))).toMatchObject({ status: 200, attempts: 4 });
  expect(http.outages()).toBe(0);
});

test('a read that hangs is not looked at again', async () => {
  const outages = createOutages(async () => 'silent', { readsBefore: [get('/known')] });
  expect(await outages.whenThere(get('/a'), performance.now())).toBe('there');
  expect(outages.reads()).toEqual([]);
});

test('a look ends when another request that was sent since is answered', async () => {
  const looks = { left: 3 };
  const outages = createOutages(
    async () => {
      looks.left -= 1;
      if (looks.left === 0) outages.answered(get('/b'), { status: 404, bytes: 2 }, performance.now());
      return 'away';
    },
    { readsBefore: [get('/known')] },
  );
  expect(await outages.whenThere(get('/a'), performance.now())).toBe('was-away');
  expect(looks.left).toBe(0);
});

test('a target that answered nothing before is not waited for', async () => {
  onTestFinished(skipWaits());
  const { url } = await httpDouble((_request, response) => void response.writeHead(503).end('{}'));
  const http = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 1 });
  onTestFinished(() => http.close());
  expect(await http.send(get('/a'))).not.toHaveProperty('cutShort');
  expect(http.sent()).toBe(3);
});

test('what only works once is not sent again when the target is back', async () => {
  const { http, seen } = await behindGateway({ '/a': 1, '/known': 3 });
  expect((await http.send(get('/a'), { once: true })).status).toBe(503);
  expect(seen.filter(path => path === '/a')).toHaveLength(1);
});

test.each([
  ['answered by a gateway', 503],
  ['locked', 423],
  ['put off', 429],
])('after an abort nothing that was %s counts', async (_how, status) => {
  const controller = new AbortController();
  const { url } = await httpDouble((_request, response) => {
    controller.abort();
    response.writeHead(status).end('{}');
  });
  const http = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 1, signal: controller.signal });
  onTestFinished(() => http.close());
  expect(await http.send(get('/a'))).toMatchObject({ status, cutShort: 'interrupted' });
  expect(http.sent()).toBe(1);
});

test('after an abort an ordinary answer counts', async () => {
  const controller = new AbortController();
  const { url } = await httpDouble((_request, response) => {
    controller.abort();
    response.writeHead(400).end('{}');
  });
  const http = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 1, signal: controller.signal });
  onTestFinished(() => http.close());
  expect(await http.send(get('/a'))).not.toHaveProperty('cutShort');
});
