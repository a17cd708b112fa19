import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { jsonBytes } from '../proof/testing/doubles.ts';
import { onLoopback } from '../proof/testing/loopback.ts';
import { longest } from '../proof/testing/skip-waits.ts';
import { type ClientOptions, createHttpClient, type HttpClient } from './client.ts';

function client(baseUrl: URL, more: Partial<ClientOptions> = {}): HttpClient {
  const made = createHttpClient({ baseUrl, timeoutMs: longest, connections: 4, ...more });
  onTestFinished(() => made.close());
  return made;
}

const patch = (body: string) => ({ method: 'PATCH', path: '/x', headers: {}, body });
const read = { method: 'GET', path: '/x', headers: {} };

/** Sends requests together, the way a session does. */
const together = (http: HttpClient, requests: readonly Parameters<HttpClient['send']>[0][]) => {
  const companions = http.gather(requests.length);
  return Promise.all(
    requests.map((request, index) =>
      http.send(request, { companion: companions[index] }).finally(() => companions[index]?.leave()),
    ),
  );
};

/** Returns what a server had received on each connection when the first request was complete. */
async function watched(isComplete: (text: string) => boolean) {
  const texts = new Map<Socket, string>();
  const atFirst: string[] = [];
  const server = createServer(socket => {
    texts.set(socket, '');
    socket.on('data', chunk => {
      const text = texts.get(socket) + chunk.toString('latin1');
      texts.set(socket, text);
      if (!isComplete(text)) return;
      if (atFirst.length === 0) atFirst.push(...texts.values());
      texts.set(socket, '');
      socket.write(jsonBytes({}));
    });
  });
  const { url, close } = await onLoopback(server);
  onTestFinished(close);
  return { url, atFirst };
}

test('requests with a body are complete only when all others stand on the wire but for a byte', async () => {
  const { url, atFirst } = await watched(text => text.endsWith('"last"}'));
  const http = client(url);
  const replies = await together(
    http,
    [1, 2, 3, 4].map(one => patch(`{"number":${one},"text":"last"}`)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(atFirst).toHaveLength(4);
  for (const text of atFirst) expect(text).toMatch(/"text":"last"\}?$/);
  expect(http.sent()).toBe(4);
});

test('requests without a body hold back the last byte of their head, on connections that are open too', async () => {
  const { url, atFirst } = await watched(text => text.endsWith('\r\n\r\n'));
  const http = client(url);
  await http.send(read);
  atFirst.length = 0;
  await together(http, [read, read]);
  expect(atFirst).toHaveLength(2);
  for (const text of atFirst) expect(text).toMatch(/\r\n\r\n?$/);
  expect((await http.send(read)).status).toBe(200);
});

test('two crowds that need every connection come one after the other', async () => {
  const { url } = await watched(text => text.endsWith('\r\n\r\n'));
  const http = client(url, { connections: 3 });
  const four = [together(http, [read, read, read]), together(http, [read, read]), http.send(read), http.send(read)];
  expect((await Promise.all(four)).flat().map(({ status }) => status)).toEqual(Array(7).fill(200));
});

test('who leaves is not waited for', async () => {
  const { url } = await watched(text => text.endsWith('\r\n\r\n'));
  const http = client(url);
  const [first, second] = http.gather(2);
  second?.leave();
  expect((await http.send(read, { companion: first })).status).toBe(200);
});

test('a request whose connection cannot be made does not hold up the others', async () => {
  const { url } = await watched(text => text.endsWith('\r\n\r\n'));
  const http = client(url, { connections: 2 });
  const [first, second] = http.gather(2);
  const gone = { ...read, headers: { 'not a header name': '' } };
  const [good, bad] = await Promise.all([
    http.send(read, { companion: first }),
    http.send(gone, { companion: second }),
  ]);
  expect([good.status, bad.status]).toEqual([200, 0]);
});

test('more than the client has connections are not gathered', () => {
  expect(() => client(new URL('http://127.0.0.1:9')).gather(5)).toThrow(RangeError);
});
