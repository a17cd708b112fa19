import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { started } from '../testing/started.ts';
import { type Connection, opened } from './connection.fixture.ts';
import { requestText } from './request.fixture.ts';

/** Servers that do not wait long; what is tested is that connections end, not when. */
const portOf = ({ url }: { readonly url: string }): number => Number(new URL(url).port);
const impatient = portOf(await started({ headersTimeout: 100, requestTimeout: 200 }));
let waits = (_for: number): void => undefined;
/** Where whatever comes is waited for until the test says for how many milliseconds. */
const patient = await started({
  decorateListener: listener => (request, response) => {
    const { server } = request.socket as unknown as { readonly server: Server };
    waits = milliseconds => void Object.assign(server, { headersTimeout: milliseconds, requestTimeout: milliseconds });
    listener(request, response);
  },
});
const longest = 600_000;
/** Where only the next request is waited for. */
const idle = portOf(await started({ keepAliveTimeout: 100 }));
/** Where only the reading of answers is waited for. */
const unread = portOf(await started({ idleTimeout: 300 }));

const path = '/console/v1/gates/dark_mode';
const patch = (headers = {}) =>
  requestText(
    { method: 'PATCH', target: path, headers: { 'Content-Type': 'application/json', ...headers } },
    1_000_000,
  );

/**
 * Sends the bytes one at a time, each once the one before has gone, until there are no more or the connection is
 * closed.
 */
const trickle = async (connection: Connection, text: string): Promise<void> => {
  for (const byte of text) {
    if (!connection.socket.writable) return;
    await new Promise<void>(resolve => connection.socket.write(byte, () => setImmediate(resolve)));
  }
};

/** More bytes than a client can send one at a time before it is dropped. */
const endless = 'x'.repeat(10_000_000);

// biome-ignore format: a table
const slow: readonly (readonly [what: string, begin: string, then: string, status: number])[] = [
  ['says nothing',                                  '',                                                            '',      408],
  ['stops in the request line',                     'GET /console/v1/segm',                                        '',      408],
  ['stops in a header',                             'GET / HTTP/1.1\r\nHost: x\r\nA',                              '',      408],
  ['sends its request line a byte at a time',       'GET /',                                                       endless, 431],
  ['sends its headers a byte at a time',            'GET / HTTP/1.1\r\nHost: x\r\nA: ',                            endless, 431],
  ['stops before its body',                         patch(),                                                       '',      408],
  ['stops in its body',                             `${patch()}{"description":"`,                                  '',      408],
  ['stops in a chunk',                              `${patch({ 'Transfer-Encoding': 'chunked' })}ff\r\n{"a`,       '',      408],
  ['sends its body a byte at a time',               patch(),                                                       endless, 408],
  ['sends its chunks a byte at a time',             `${patch({ 'Transfer-Encoding': 'chunked' })}fffffff\r\n`,     endless, 408],
];

describe('a client that', () => {
  it.each(slow)('%s is dropped', async (_what, begin, then, status) => {
    const connection = await opened(impatient);
    connection.write(begin);
    const trickling = trickle(connection, then);
    const answer = await connection.answer('GET');
    // A head that arrives slowly may grow too large before its time is over.
    expect([status, 408]).toContain(answer?.status);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ status: answer?.status });
    expect(answer?.headers.get('connection')).toBe('close');
    expect((await connection.closed).toString()).toBe('');
    await trickling;
  });

  it('leaves its connection open after an answer is dropped', async () => {
    const connection = await opened(idle);
    connection.write(requestText({ method: 'GET', target: '/console/v1/segments' }));
    expect((await connection.answer('GET'))?.status).toBe(200);
    expect((await connection.closed).toString()).toBe('');
  });

  it('stops in a body that was refused already is dropped without a second answer', async () => {
    const connection = await opened(portOf(patient));
    connection.write(`${patch({ 'Content-Type': 'text/plain' })}half`);
    expect((await connection.answer('PATCH'))?.status).toBe(415);
    waits(1);
    expect((await connection.closed).toString()).toBe('');
  });

  it('never reads its answers is dropped', async () => {
    const connection = await opened(unread);
    connection.socket.pause();
    const list = requestText({ method: 'GET', target: '/console/v1/experiments/qualifying_events?limit=100' });
    connection.write(list.repeat(2000));
    // A socket that is not read notices the end only by the error of the next write.
    const dropped = new Promise<void>(resolve => connection.socket.once('close', () => resolve()));
    const poke = (): void => {
      if (connection.socket.destroyed) return;
      connection.socket.write(list, () => setImmediate(poke));
    };
    poke();
    await dropped;
  });

  it('is dropped keeps nobody else waiting, and changes nothing', async () => {
    const { server, send } = patient;
    waits(longest);
    const before = await server.store.snapshot();
    const many = await Promise.all(Array.from({ length: 50 }, () => opened(portOf(patient))));
    for (const connection of many) connection.write(`${patch()}{"description":"Changed."`);
    expect((await send('/console/v1/segments')).status).toBe(200);
    waits(1);
    await Promise.all(many.map(connection => connection.closed));
    waits(longest);
    expect((await send('/console/v1/segments')).status).toBe(200);
    expect(await server.store.snapshot()).toEqual(before);
  });
});
