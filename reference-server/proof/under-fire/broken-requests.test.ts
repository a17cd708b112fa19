import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { held } from '../testing/held.ts';
import { started } from '../testing/started.ts';
import { opened } from './connection.fixture.ts';
import { requestText } from './request.fixture.ts';

const { url, send } = await started();
const port = Number(new URL(url).port);

const list = requestText({ method: 'GET', target: '/console/v1/segments?limit=1' });

/** Sends bytes, ends the connection, and returns the responses. */
const answersTo = async (bytes: string, on = port) => {
  const connection = await opened(on);
  connection.write(bytes);
  const closed = connection.end();
  const answers = [];
  for (let answer = await connection.answer('GET'); answer !== undefined; answer = await connection.answer('GET'))
    answers.push(answer);
  await closed;
  return answers;
};

const key = 'SERVICE-API-KEY: reference-key\r\n';

describe('HTTP that node:http lets pass', () => {
  // biome-ignore format: a table
  it.each([
    ['without a Host',            `GET /console/v1/segments HTTP/1.1\r\n${key}\r\n`],
    ['with two Hosts',            `GET /console/v1/segments HTTP/1.1\r\nHost: x\r\nhost: y\r\n${key}\r\n`],
    ['of another scheme',         `GET a://b HTTP/1.1\r\nHost: x\r\n${key}\r\n`],
    ['of a URL without a host',   `GET http:// HTTP/1.1\r\nHost: x\r\n${key}\r\n`],
  ])('is refused in JSON: %s', async (_what, text) => {
    const [answer, ...more] = await answersTo(text);
    expect([answer?.status, answer?.headers.get('connection'), more]).toEqual([400, 'close', []]);
    expect(JSON.parse(answer?.body ?? '')).toEqual({ status: 400, message: 'This is not a valid HTTP request.' });
  });

  // biome-ignore format: a table
  it.each([
    ['http://127.0.0.1/console/v1/segments?limit=1', 200],
    ['HTTPS://x.example:99999/console/v1/segments?limit=1', 200],
    ['http://[::1/console/v1/nothing',               404],
    ['http://x?limit=1',                             404],
    ['http://x',                                     404],
  ])('is a whole URL: %s (%d)', async (target, status) => {
    const [answer] = await answersTo(requestText({ method: 'GET', target }));
    expect(answer?.status).toBe(status);
  });

  it('may come by HTTP/1.0 without a Host', async () => {
    const [answer] = await answersTo(`GET /console/v1/segments HTTP/1.0\r\n${key}\r\n`);
    expect(answer?.status).toBe(200);
  });

  it('offers another protocol: nobody takes the offer, and nothing is read behind it', async () => {
    const headers = { Upgrade: 'websocket', Connection: 'Upgrade' };
    const answers = await answersTo(requestText({ method: 'GET', target: '/console/v1/segments', headers }) + list);
    expect(answers.map(({ status, headers: given }) => [status, given.get('connection')])).toEqual([[200, 'close']]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['garbage', 'what is this\r\n\r\n', 400],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ])('is answered after the requests before it: %s', async (_what, text, status) => {
    const { decorate, inHandler, go } = held();
    const { url } = await started({ decorate });
    const connection = await opened(Number(new URL(url).port));
    connection.write(list + text);
    await inHandler;
    go();
    expect((await connection.answer('GET'))?.status).toBe(200);
    expect((await connection.answer('GET'))?.status).toBe(status);
    await connection.end();
  });

  it('is answered though the client goes on for long', async () => {
    const connection = await opened(port);
    connection.write(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(8_000_000)}`);
    expect((await connection.answer('GET'))?.status).toBe(431);
    await connection.end();
  });

  it('keeps no connection open whose client does not close it', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
    socket.resume().write('what is this\r\n\r\n');
    await once(socket, 'end');
    const poke = (): void => void (socket.destroyed || socket.write('x', () => setImmediate(poke)));
    poke();
    await closed;
  });

  it('does no harm where its client is gone already', async () => {
    for (const text of ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'what is this\r\n\r\n', list.repeat(50)]) {
      const many = await Promise.all(Array.from({ length: 20 }, () => opened(port)));
      for (const connection of many) connection.write(text);
      await Promise.all(many.map(connection => connection.reset()));
    }
    expect((await send('/console/v1/segments')).status).toBe(200);
  });
});
