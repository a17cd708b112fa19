import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { onLoopback } from '../../proof/testing/loopback.ts';
import { longest } from '../../proof/testing/skip-waits.ts';
import type { SeenBreach } from '../exchange/breach.ts';
import type { ObservedExchange } from '../exchange/exchange.ts';
import { startEnforcingProxy } from './enforce.ts';
import { bodyText } from './proxy.fixture.ts';

const breach = (side: SeenBreach['side']): SeenBreach => ({
  side,
  requirement: `${side}.rule`,
  level: 'MUST',
  number: 1,
  text: 'it is wrong',
});

const eventually = { timeout: longest };

/** Starts an enforcing proxy before a server; a request or answer that contains "bad" breaks a rule. */
async function wall(listener: RequestListener, bounds = { each: 1_000_000, together: 10_000_000 }) {
  let asked = 0;
  const target = await onLoopback(
    createServer((request, response) => {
      asked += 1;
      listener(request, response);
    }),
  );
  onTestFinished(target.close);
  const seen: ObservedExchange[] = [];
  const gate = {
    request: ({ body }: ObservedExchange['request']) => ({
      breaches: bodyText(body).includes('bad') ? [breach('client')] : [],
      ...(bodyText(body).includes('odd') ? { unjudged: 'it is odd' } : {}),
    }),
    exchange(exchange: ObservedExchange) {
      seen.push(exchange);
      const text = 'body' in exchange.response ? bodyText(exchange.response.body) : '';
      return {
        breaches: text.includes('bad') ? [breach('server')] : [],
        ...(text.includes('odd') ? { unjudged: 'it is odd' } : {}),
      };
    },
  };
  const proxy = await startEnforcingProxy(
    { target: new URL('/base/', target.url), gate, bounds },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(proxy.close);
  const post = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(new URL('/a?b=c', proxy.url), { method: 'POST', body, headers });
  return { target, proxy, post, seen, asked: () => asked };
}

/** Answers with the request that it received. */
const echo: RequestListener = (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', part => void parts.push(part));
  request.on('end', () => {
    response.setHeader('X-Asked', `${request.method} ${request.headers.host} ${request.url}`);
    response.end(Buffer.concat(parts));
  });
};

test('what is right passes as it is, to the host and below the path of the target', async () => {
  const { post, target, seen, proxy } = await wall(echo);
  const answer = await post('{"a":1}');
  expect(await answer.text()).toBe('{"a":1}');
  expect(answer.headers.get('x-asked')).toBe(`POST ${target.url.host} /base/a?b=c`);
  expect(seen).toMatchObject([{ number: 1, request: { method: 'POST', target: '/a?b=c' }, response: { status: 200 } }]);
  expect(proxy.keptBytes()).toBe(0);
});

test('a coded answer is judged by what it means, and passes as it came', async () => {
  const packed = gzipSync('{"packed":true}');
  const { post, seen } = await wall((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
  );
  expect(await (await post('x')).json()).toEqual({ packed: true });
  expect(seen.map(({ response }) => 'body' in response && bodyText(response.body))).toEqual(['{"packed":true}']);
});

test('a request that breaks a rule is not passed on, and is told to the judge', async () => {
  const { post, seen, asked } = await wall(echo);
  const answer = await post('bad');
  expect([answer.status, asked()]).toEqual([400, 0]);
  expect(await answer.json()).toMatchObject({ violations: [{ requirement: 'client.rule', text: 'it is wrong' }] });
  expect(seen).toMatchObject([{ response: { failure: 'the request was not passed on' } }]);
});

test('an answer that breaks a rule is not passed on', async () => {
  const { post, asked } = await wall((_request, response) => void response.end('bad'));
  const answer = await post('good');
  expect([answer.status, asked()]).toEqual([502, 1]);
  expect(await answer.json()).toMatchObject({ violations: [{ requirement: 'server.rule' }] });
});

test('what could not be judged is not passed on, and why is told', async () => {
  const { post, asked } = await wall((_request, response) => void response.end('odd'));
  const unasked = await post('odd');
  expect([unasked.status, asked()]).toEqual([400, 0]);
  expect(await unasked.json()).toEqual({
    message: 'conform proxy: the request cannot be judged and was not passed on: it is odd',
    violations: [],
  });
  expect((await post('x')).status).toBe(502);
  expect(asked()).toBe(1);
});

test('what is too long to be held back does not pass', async () => {
  const { post, asked } = await wall((_request, response) => void response.end('y'.repeat(101)), {
    each: 100,
    together: 1_000,
  });
  expect([(await post('x'.repeat(101))).status, asked()]).toEqual([413, 0]);
  expect([(await post('x')).status, asked()]).toEqual([502, 1]);
});

test('a body that its sender breaks off leaves room for others, and is said to be incomplete', async () => {
  const { post, proxy, seen, asked } = await wall((_request, response) => {
    if (asked() > 1) return void response.writeHead(101).end();
    response.writeHead(200, { 'content-length': 10 }).write('part', () => void response.destroy());
  });
  for (const why of ['aborted', 'it turned to another protocol']) {
    const answer = await post('x');
    const message = expect.stringMatching(`no complete answer came from http://127.0.0.1:\\d+: ${why}$`);
    expect([answer.status, await answer.json()]).toEqual([502, { message, violations: [] }]);
  }
  expect(proxy.keptBytes()).toBe(0);
  const client = connect(Number(proxy.url.port), proxy.url.hostname);
  client.write('PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab');
  await expect.poll(proxy.keptBytes, eventually).toBe(2);
  client.destroy();
  await expect.poll(proxy.keptBytes, eventually).toBe(0);
  expect([seen.length, asked()]).toEqual([2, 2]);
});

test('a target that is gone, or drops a connection, is said to be so', async () => {
  const { post, target, seen } = await wall(request => void request.socket.destroy());
  expect((await post('x')).status).toBe(502);
  await target.close();
  const answer = await post('x');
  expect([answer.status, (await answer.json()) as unknown]).toEqual([
    502,
    { message: `conform proxy: ${target.url.origin} cannot be reached: no connection (ECONNREFUSED)`, violations: [] },
  ]);
  expect(seen.map(({ response }) => 'failure' in response)).toEqual([true, true]);
});
