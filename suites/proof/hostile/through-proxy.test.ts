import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bytesTarget, dial, proxyBefore, type Speaker, speaker } from '../../traffic/wire/proxy.fixture.ts';
import { onLoopback } from '../testing/loopback.ts';
import { answerBehaviours, echoes, echoing } from './answers.fixture.ts';
import { served } from './served.fixture.ts';
import { wireBehaviours } from './wire.fixture.ts';

/** Number of bytes that are compared of an endless answer. */
const enough = 2 * 1024 * 1024;

/** Records both directions of each connection between the proxy and a target. */
async function wireTap(target: URL) {
  const ways: { fromProxy: Speaker; fromTarget: Speaker }[] = [];
  const server = createServer({ allowHalfOpen: true }, proxy => {
    const socket = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    ways.push({ fromProxy: speaker(proxy), fromTarget: speaker(socket) });
    proxy.pipe(socket);
    socket.pipe(proxy);
    socket.on('error', () => proxy.end());
    proxy.on('close', () => socket.destroy());
  });
  const { url, close } = await onLoopback(server);
  onTestFinished(close);
  return { url, ways };
}

/** Yields once, so that data that has arrived is read. */
const turn = (): Promise<void> => new Promise(setImmediate);

const asked =
  'GET /console/v1/segments?page=1&limit=10 HTTP/1.1\r\nHost: x\r\nSERVICE-API-KEY: key\r\nX-Own: \tvalue \r\n\r\n';

describe('the bytes that a proxy passes on are the bytes that came, where a target', () => {
  const echoed = echoes.map(([how, echo]) => echoing(how, echo));
  test.each([...wireBehaviours, ...answerBehaviours, ...echoed])('$does', async behaviour => {
    const hostile = await served(behaviour);
    const tap = await wireTap(hostile.url);
    const { proxy, sink } = await proxyBefore(tap.url, { preserveHost: true });
    const client = dial(proxy.url);
    client.socket.write(asked);
    let isOver = false;
    void Promise.race([client.ended(), sink.until(1)]).then(() => {
      isOver = true;
    });
    const way = (): Speaker | undefined => tap.ways[0]?.fromTarget;
    const hasAll = (): boolean => isOver && client.socket.bytesRead === way()?.socket.bytesRead;
    const isSilent = behaviour.does === 'never answers';
    if (isSilent) while (hostile.requests() === 0) await turn();
    else if (behaviour.timeoutMs === 'held' || behaviour.says.startsWith('no complete answer'))
      await client.until(text => text.length > 0);
    else while (!hasAll() && client.socket.bytesRead < enough) await turn();
    const [got, sent] = [client.bytes(), way()?.bytes() ?? Buffer.alloc(0)];
    expect(got.equals(sent.subarray(0, got.length))).toBe(true);
    expect(got.length > 0 || isSilent || behaviour.says === 'closed without an answer').toBe(true);
    expect(tap.ways[0]?.fromProxy.text()).toBe(asked);
    // The proxy survives: it serves the next connection.
    const next = dial(proxy.url);
    next.socket.write(asked);
    while (tap.ways[1]?.fromProxy.text() !== asked) await turn();
  });
});

/** Returns bytes that no client should send, from a deterministic sequence. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let index = 0; index < length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[index] = (state >> 16) & 0xff;
  }
  return bytes;
}

const head = 'PUT /console/v1/gates/x/disable HTTP/1.1\r\nHost: x\r\n';

// biome-ignore format: a table
const clients: readonly (readonly [sends: string, bytes: Buffer])[] = [
  ['noise',                               noise(300_000)],
  ['a request and then noise',            Buffer.concat([Buffer.from(`${head}\r\n`), noise(300_000)])],
  ['a header without end',                Buffer.from(`${head}x: ${'y'.repeat(1_000_000)}\r\n\r\n`)],
  ['a target without end',                Buffer.from(`GET /${'y'.repeat(1_000_000)} HTTP/1.1\r\n\r\n`)],
  ['a hundred thousand headers',          Buffer.from(`${head}${'x: y\r\n'.repeat(100_000)}\r\n`)],
  ['blanks without end',                  Buffer.from(`${head} ${' '.repeat(60_000)}\r\n\r\n`)],
  ['a chunk of negative size',            Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n-6\r\n\r\n0\r\n\r\n`)],
  ['a chunk beyond every number',         Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\nabc`)],
  ['a body of 20 MB',                     Buffer.concat([Buffer.from(`${head}Content-Length: 20000000\r\n\r\n`), noise(20_000_000)])],
  ['lines that only feed',                Buffer.from('\n'.repeat(200_000))],
  ['lengths that differ',                 Buffer.from(`${head}Content-Length: 4\r\nContent-Length: 40\r\n\r\nGET /a HTTP/1.1\r\nHost: y\r\n\r\n`)],
  ['a request in another',                Buffer.from(`${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /a HTTP/1.1\r\nHost: y\r\n\r\n`)],
  ['NUL, and a lone carriage return',     Buffer.from(`${head}x: a\0b\rc\r\n\r\n`)],
  ['five thousand requests at once',      Buffer.from(`${head}\r\n`.repeat(5_000))],
];

test.each(clients)('the bytes that leave are the bytes that came, where a client sends %s', async (_sends, bytes) => {
  const target = await bytesTarget();
  const { dial: open, proxy } = await proxyBefore(target.url, { preserveHost: true });
  const client = open();
  client.socket.end(bytes);
  const came = await target.connection(0);
  await came.ended();
  expect(came.bytes().equals(bytes)).toBe(true);
  came.socket.end();
  await client.ended();
  expect(proxy.keptBytes()).toBe(0);
});
