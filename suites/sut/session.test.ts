import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { tool } from '../../contracts/report/tool.ts';
import { createHttpClient } from '../client/client.ts';
import { bytesDouble, httpDouble } from '../proof/testing/doubles.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import type { ApiRequest, KeyUse } from '../protocol/answer.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import { GivenUp, MetItself } from '../protocol/stop.ts';
import type { Access, KeySource } from '../protocol/sut.ts';
import type { Observer } from './observer.ts';
import { createWire, openSession } from './session.ts';
import { fixedKey, renewableKey, targetOf } from './target.ts';
import { secretsOf } from './target-secrets.ts';

const direct: Access = { headers: {}, tls: {}, proxy: null };

function opened(url: URL, keys: KeySource = fixedKey('a-key-of-tests'), access = direct, observers: Observer[] = []) {
  const target = targetOf({}, url, keys, access);
  const client = createHttpClient({ baseUrl: url, access: target.access, timeoutMs: longest, connections: 1 });
  onTestFinished(() => client.close());
  const secrets = secretsOf(target);
  const wire = createWire({ client, target, secrets, token: 'test', observers, clock: () => 7, admit: () => {} });
  return { session: openSession(wire, 'a-session'), secrets, client };
}

const list: ApiRequest = { endpoint: 'list-segments' };
const metric = { name: namePlaceholder, type: 'event_user' };
const create: ApiRequest = { endpoint: 'create-metric', body: metric };

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A server that answers by request number, and records what it was sent. */
async function answering(statusOf: (number: number, request: IncomingMessage) => number) {
  const bodies: string[] = [];
  const heads: IncomingMessage['headers'][] = [];
  const listener: RequestListener = async (request, response) => {
    bodies.push(await bodyOf(request));
    heads.push(request.headers);
    response.writeHead(statusOf(bodies.length, request)).end('{}');
  };
  return { ...(await httpDouble(listener)), bodies, heads };
}

/** A server that records the bodies it was sent, and puts off the first `often` requests by `status`. */
async function puttingOff(status: number, often: number, last = 200) {
  const bodies: string[] = [];
  const listener: RequestListener = async (request, response) => {
    bodies.push(await bodyOf(request));
    if (bodies.length <= often) response.writeHead(status, { 'retry-after': '0' }).end('{}');
    else response.writeHead(last).end('{}');
  };
  return { ...(await httpDouble(listener)), bodies };
}

const named = (number: number): string => JSON.stringify({ ...metric, name: `conform_test_${number}` });

describe('what has to be sent again', () => {
  test('proves nothing where it is a sound creation under a given name, and is refused the second time', async () => {
    onTestFinished(skipWaits());
    const { url } = await answering(number => (number % 2 === 1 ? 502 : 409));
    const { session } = opened(url);
    const given = {
      name: 'a given name',
      type: 'event_count_custom',
      metricEvents: [{ name: 'page_view', type: 'count' }],
    };
    await expect(session.send({ ...create, body: given })).rejects.toThrow(MetItself);
    // What is refused for what it breaks is no meeting.
    await expect(session.send({ ...create, body: { ...given, name: 5 } })).resolves.toMatchObject({ status: 409 });
    await expect(session.send(create)).resolves.toMatchObject({ status: 409 });
    // Nor is one that comes after a limit: that try was answered.
    const limited = await answering(number => (number % 2 === 1 ? 429 : 409));
    await expect(opened(limited.url).session.send({ ...create, body: given })).resolves.toMatchObject({ status: 409 });
  });

  test('gets a name of its own after a gateway failed, and the answer knows which was sent', async () => {
    onTestFinished(skipWaits());
    const { url, bodies } = await answering(number => (number < 3 ? 502 : 200));
    const answer = await opened(url).session.send(create);
    expect(bodies).toEqual([named(1), named(2), named(3)]);
    expect(answer).toMatchObject({
      status: 200,
      sent: { name: 'conform_test_3' },
      reply: { request: { body: named(3) } },
    });
  });

  test('gets a name of its own after 503 with Retry-After, and keeps it after 429, which was not carried out', async () => {
    onTestFinished(skipWaits());
    const unavailable = await puttingOff(503, 2);
    expect(await opened(unavailable.url).session.send(create)).toMatchObject({
      status: 200,
      sent: { name: 'conform_test_3' },
      reply: { attempts: 3 },
    });
    expect(unavailable.bodies).toEqual([named(1), named(2), named(3)]);
    const limited = await puttingOff(429, 2);
    await opened(limited.url).session.send(create);
    expect(limited.bodies).toEqual([named(1), named(1), named(1)]);
  });

  test('proves nothing where it is put off with 503, and refused the second time, if it may have met itself', async () => {
    onTestFinished(skipWaits());
    const body = { ...metric, name: 'a given name' };
    const taken = await puttingOff(503, 1, 409);
    await expect(opened(taken.url).session.send({ ...create, body })).rejects.toThrow(MetItself);
    const archive: ApiRequest = { endpoint: 'archive-config', param: 'a', body: {} };
    const archived = await puttingOff(503, 1, 404);
    await expect(opened(archived.url).session.send(archive)).rejects.toThrow(
      /^archive-config was put off with 503, and refused when it was sent again \(status 404/,
    );
    const limited = await puttingOff(429, 1, 404);
    await expect(opened(limited.url).session.send(archive)).resolves.toMatchObject({ status: 404 });
  });

  test('gets a name of its own on a fresh connection: the first may have been carried out', async () => {
    const seen: string[] = [];
    const { url } = await bytesDouble((socket, connection, request) => {
      seen.push(`${connection}.${request}`);
      if (connection === 1 && request === 2) socket.end();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    const { session } = opened(url);
    await session.send(list);
    const answer = await session.send(create);
    expect(seen).toEqual(['1.1', '1.2', '2.1']);
    expect(answer.sent).toMatchObject({ name: 'conform_test_2' });
  });

  test('is told to who watches, try by try, each with its body, and the answer with the tries that were lost', async () => {
    onTestFinished(skipWaits());
    const { url } = await answering(number => (number === 1 ? 502 : 200));
    const told: unknown[] = [];
    const watching: Observer = {
      begun: ({ number, id, sent, atMs }) => told.push({ number, id, sent, atMs }),
      note: () => {},
      answered: ({ id }, arrival) => void told.push({ id, ...arrival }),
    };
    const { session } = opened(url, fixedKey('a-key-of-tests'), direct, [watching]);
    await session.send(create);
    await session.send(list);
    expect(told).toEqual([
      { number: 1, id: 'a-session', sent: { ...metric, name: 'conform_test_1' }, atMs: 7 },
      { number: 2, id: 'a-session', sent: { ...metric, name: 'conform_test_2' }, atMs: 7 },
      { id: 'a-session', number: 2, lost: [1], atMs: 7 },
      { number: 3, id: 'a-session.2', sent: undefined, atMs: 7 },
      { id: 'a-session.2', number: 3, lost: [], atMs: 7 },
    ]);
  });

  test('is the same where nothing is created, raw bodies too', async () => {
    onTestFinished(skipWaits());
    const { url, bodies } = await answering(number => (number === 1 || number === 3 ? 503 : 200));
    const { session } = opened(url);
    await session.send({ endpoint: 'patch-gate', param: 'a', body: { description: 'x' } });
    await session.send({ endpoint: 'create-metric', raw: JSON.stringify(metric) });
    expect(bodies).toEqual(['{"description":"x"}', '{"description":"x"}', named(1), named(2)]);
  });

  test('is not what works only once: what came of it cannot be known, unless it is so each time', async () => {
    const { url, bodies } = await answering(() => 502);
    const { session } = opened(url);
    const archive: ApiRequest = { endpoint: 'archive-config', param: 'a', body: {} };
    const why = 'a gateway answered for the target (status 502), and archive-config cannot be sent twice';
    await expect(session.send(archive)).rejects.toThrow(new GivenUp(why));
    await expect(session.send(archive)).rejects.toThrow(new GivenUp(why));
    expect((await session.send(archive)).status).toBe(502);
    expect(bodies).toHaveLength(3);
  });

  test('nor is it judged while errors of other requests pass: it may be one of them', async () => {
    onTestFinished(skipWaits());
    const { url } = await answering(number => (number % 2 === 1 ? 502 : 200));
    const { session } = opened(url);
    const archive: ApiRequest = { endpoint: 'archive-config', param: 'a', body: {} };
    for (let times = 0; times < 4; times += 1) {
      await session.send(list);
      await expect(session.send(archive)).rejects.toThrow('cannot be sent twice');
      await session.send({ endpoint: 'patch-gate', param: 'a', body: {} });
    }
  });
});

describe('every request', () => {
  test('says who sends it, and carries the added headers', async () => {
    const { url, heads } = await answering(() => 200);
    const access = { ...direct, headers: { 'x-tenant': 'acme', accept: 'application/vnd.acme+json' } };
    const { session, secrets } = opened(url, fixedKey('a-key-of-tests'), access);
    await session.send(list);
    await session.send({ ...create, key: { kind: 'none' } });
    for (const head of heads)
      expect(head).toMatchObject({ 'user-agent': `console-conformance/${tool.version}`, ...access.headers });
    expect(heads.map(head => head['service-api-key'])).toEqual(['a-key-of-tests', undefined]);
    expect(secrets.redact('acme')).toBe('«the value of an added header»');
  });
});

test.each([
  [400, undefined],
  [500, ['description']],
  [504, ['description']],
])('a write that ends with %i leaves its value to another that it met: %j', async (status, contested) => {
  const gate: ApiRequest = { endpoint: 'patch-gate', param: 'a_gate' };
  const ends: Record<string, () => void> = {};
  const { url } = await httpDouble(async (request, response) => {
    const body = await bodyOf(request);
    const isFirst = body.includes('first');
    ends[isFirst ? 'first' : 'second'] = () => response.writeHead(isFirst ? status : 200).end('{}');
  });
  const target = targetOf({}, url, 'a-key-of-tests', direct);
  const client = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 2, impatient: true });
  onTestFinished(() => client.close());
  const session = openSession(createWire({ client, target, token: 'test' }), 'a-session');
  const first = session.send({ ...gate, body: { description: 'first' } });
  const second = session.send({ ...gate, body: { description: 'second' } });
  await vi.waitUntil(() => Object.keys(ends).length === 2);
  ends.first?.();
  await first;
  ends.second?.();
  expect((await second).request.contested).toEqual(contested);
});

describe('a key that lives for a while only', () => {
  const keysFrom = (...keys: readonly (string | null)[]) => {
    const ask = vi.fn(async () => keys[ask.mock.calls.length - 1] ?? null);
    return { ask, source: renewableKey('the-first-key', ask) };
  };
  const taking = (right: string) =>
    answering((_number, { headers }) => (headers['service-api-key'] === right ? 200 : 401));

  test('is asked for again when it is refused, the request is sent again, and both keys are secrets', async () => {
    const { url, heads } = await taking('the-second-key');
    const { ask, source } = keysFrom('the-second-key');
    const { session, secrets } = opened(url, source);
    expect((await session.send(list)).status).toBe(200);
    expect(session.apiKey).toBe('the-second-key');
    expect(heads).toHaveLength(2);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(secrets.redact('the-first-key the-second-key THE-SECOND-KEY')).toBe(
      '«the API key» «the API key» «the API key in another letter case»',
    );
  });

  test('is asked for once, however many are refused at once', async () => {
    const { url, heads } = await taking('the-second-key');
    const { ask, source } = keysFrom('the-second-key', 'the-third-key');
    const { session } = opened(url, source);
    const answers = await Promise.all([list, list, list].map(request => session.send(request)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(heads.length).toBeLessThanOrEqual(6);
  });

  test('is not asked for again at once where the new one is refused too, or where there is none', async () => {
    const { url, heads } = await taking('another');
    const { ask, source } = keysFrom('the-second-key', 'another');
    const { session } = opened(url, source);
    expect((await session.send(list)).status).toBe(401);
    expect((await session.send(list)).status).toBe(401);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(heads).toHaveLength(3);
    const none = keysFrom(null);
    expect((await opened(url, none.source).session.send(list)).status).toBe(401);
    expect(heads).toHaveLength(4);
  });

  test('gives way to the one that was taken, where the new one never is', async () => {
    const refused = new Set([2]);
    const { url, heads } = await answering((number, { headers }) =>
      headers['service-api-key'] === 'the-first-key' && !refused.has(number) ? 200 : 401,
    );
    const { ask, source } = keysFrom('the-second-key');
    const { session } = opened(url, source);
    const statuses = [];
    for (let times = 0; times < 4; times += 1) statuses.push((await session.send(list)).status);
    expect(statuses).toEqual([200, 401, 200, 200]);
    expect(heads.map(head => head['service-api-key'])).toEqual(
      ['first', 'first', 'second', 'second', 'first', 'first'].map(which => `the-${which}-key`),
    );
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test.each<[string, KeyUse]>([
    ['without a key', { kind: 'none' }],
    ['with a wrong key', { kind: 'value', value: 'wrong' }],
  ])('is not asked for where a request %s is refused', async (_what, key) => {
    const { url } = await taking('the-second-key');
    const { ask, source } = keysFrom('the-second-key');
    expect((await opened(url, source).session.send({ ...list, key })).status).toBe(401);
    expect(ask).not.toHaveBeenCalled();
  });
});
