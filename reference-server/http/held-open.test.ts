import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { started } from '../proof/testing/started.ts';

let held: (() => void)[] = [];
const wait = (): Promise<void> => new Promise(resolve => held.push(resolve));
/** Resolves when the latest response is over, or its client has left. */
let over: Promise<unknown>;
const { server, url, call } = await started({
  idleTimeout: 1000,
  wait,
  decorateListener: inner => (request, response) => {
    over = once(response, 'close');
    inner(request, response);
  },
});
const { behaviours, requests } = server.control;
beforeEach(async () => {
  await server.control.reset();
  held = [];
});

const opened = (): Socket => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
};

const head = (...more: readonly string[]): string =>
  ['PATCH /console/v1/gates/dark_mode HTTP/1.1', 'Host: x', `SERVICE-API-KEY: ${server.apiKey}`, ...more, '', ''].join(
    '\r\n',
  );

/** Resolves when the server has dropped a client that came after all others. */
const idledOut = async (): Promise<void> => {
  const socket = opened();
  socket.write('PATCH /con');
  socket.resume();
  await once(socket, 'close');
};

it('a request that is held back is answered, however long the server drops idle clients after', async () => {
  await behaviours.add({ latency: { ms: 600_000 } });
  const answer = call('patch-gate', 'dark_mode', { description: 'held' });
  await expect.poll(() => held).toHaveLength(1);
  await idledOut();
  held[0]?.();
  expect((await answer).status).toBe(200);
});

it('a request whose client left before its answer has no status in the log', async () => {
  await behaviours.add({ match: { operation: 'patch-gate' }, latency: { ms: 600_000 } });
  const since = requests.last();
  const socket = opened();
  socket.write(head('Content-Length: 0'));
  await expect.poll(() => held).toHaveLength(1);
  socket.resetAndDestroy();
  await over;
  held[0]?.();
  expect((await requests.wait({ since })).requests).toMatchObject([{ status: null, answer: '', refused: null }]);
});

it('a stalled request, and one on a dead connection, are left open, and take no place of a stream', async () => {
  await behaviours.add({
    match: { operation: 'patch-gate' },
    then: [{ wire: 'dead-connection' }, { wire: 'stall' }],
    after: 'repeat',
  });
  const since = requests.last();
  const sockets = Array.from({ length: 51 }, opened);
  const request = head('Content-Length: 0');
  sockets[0]?.write(request);
  await once(sockets[0] as Socket, 'data');
  for (const socket of sockets) socket.write(request);
  await requests.wait({ since, status: 'none', count: 50 });
  await idledOut();
  expect(sockets.filter(socket => socket.readyState === 'open')).toHaveLength(51);
  const stream = await fetch(`${url}/_reference/v1/requests/stream`);
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

it('a client that waits with its body for 100 Continue gets it where a behaviour matches on the body', async () => {
  await behaviours.add({ match: { body: { '/description': 'sent' } }, then: [{ status: 418 }] });
  const socket = opened();
  const body = '{"description":"sent"}';
  socket.write(head('Expect: 100-continue', 'Content-Type: application/json', `Content-Length: ${body.length}`));
  expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(body);
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 418 /);
});

it('a preferred answer has no body where its status allows none', async () => {
  const open = await started({ prefer: true });
  for (const code of [204, 205, 304]) {
    const headers = { Prefer: `code=${code}` };
    const answer = await open.send('/console/v1/segments', { headers });
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([code, '', undefined]);
  }
});
