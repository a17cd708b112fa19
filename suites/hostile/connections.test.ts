import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bytesDouble, httpDouble } from '../testing/doubles.ts';
import { expectSound, hostileRun } from './hostile.fixture.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Says something again and again for as long as the other side listens. */
function forEver(socket: Socket, bytes: string): void {
  const again = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', again);
  again();
}

/** Says a byte every few milliseconds. */
function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.destroyed || socket.write(bytes), 5);
  socket.on('close', () => clearInterval(timer));
  onTestFinished(() => clearInterval(timer));
}

/** A list of 100 MB, valid to its last byte, made while it is sent. */
function longList(socket: Socket): void {
  const item = `${JSON.stringify({ id: 'x', description: 'y'.repeat(10_000) })},`;
  const [first, last] = ['{"message":"Listed.","data":[', '{}],"pagination":{}}'];
  let left = Math.floor(100_000_000 / item.length);
  socket.write(`${head}content-length: ${first.length + left * item.length + last.length}\r\n\r\n${first}`);
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(item)) return;
    }
    if (left === 0) {
      left = -1;
      socket.write(last);
    }
  };
  socket.on('drain', more);
  more();
}

// biome-ignore format: a table
const targets: readonly [what: string, outcome: string, says: string, onRequest: (socket: Socket) => void][] = [
  ['never answers',                                     'unreachable', 'no complete answer within',     () => {}],
  ['answers a byte at a time',                          'unreachable', 'no complete answer within',     socket => { socket.write(`${head}\r\n`); drip(socket, ' '); }],
  ['drips its status line',                             'unreachable', 'no complete answer within',     socket => { socket.write('HTTP/1.1 200 '); drip(socket, 'O'); }],
  ['says 102 Processing for ever',                      'unreachable', 'no complete answer within',     socket => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
  ['sends headers for ever',                            'unreachable', 'not HTTP',                      socket => { socket.write('HTTP/1.1 200 OK\r\n'); forEver(socket, `x: ${'y'.repeat(1_000)}\r\n`); }],
  ['speaks no HTTP',                                    'unreachable', 'not HTTP',                      socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ['closes every connection',                           'unreachable', 'closed without an answer',      socket => socket.end()],
  ['resets every connection',                           'unreachable', 'closed without an answer',      socket => socket.resetAndDestroy()],
  ['resets in the middle of the answer',                'unreachable', 'closed without an answer',      socket => { socket.write(`${head}content-length: 100\r\n\r\n{"message"`, () => socket.resetAndDestroy()); }],
  ['promises more than it sends',                       'unreachable', 'closed without an answer',      socket => socket.end(`${head}content-length: 1000\r\n\r\n{}`)],
  ['promises more than it sends, and stays',            'unreachable', 'no complete answer within',     socket => socket.write(`${head}content-length: 1000\r\n\r\n{}`)],
  ['sends more than it promises',                       'complete',    '',                              socket => socket.write(`${head}content-length: 2\r\n\r\n{}{"more":true}`)],
  ['has an endless body',                               'complete',    'could not be judged: the answer is longer than', socket => { socket.write(`${head}\r\n[`); forEver(socket, ' '.repeat(65_536)); }],
  ['has valid lists of 100 MB',                         'complete',    'could not be judged: the answer is longer than', longList],
];

describe('a target that', () => {
  test.each(targets)('%s', async (_what, outcome, says, onRequest) => {
    let requests = 0;
    const { url } = await bytesDouble(socket => {
      requests += 1;
      onRequest(socket);
    });
    // Whoever says something is given the time to say it, however busy this machine is.
    const run = await hostileRun(url, outcome === 'complete' ? { timeoutMs: 10_000 } : {});
    expectSound(run);
    expect(run.end.outcome).toBe(outcome);
    expect(run.journal.includes(says)).toBe(true);
    // A target that is not there costs the few requests that find it out; one that cannot be judged a few of each check.
    expect(requests).toBeLessThan(outcome === 'unreachable' ? 20 : 2_500);
  });
});

describe('a target that puts requests off', () => {
  test.each([
    [429, '3600', 3],
    [503, '3600', 3],
    [429, 'Fri, 01 Jan 2999 00:00:00 GMT', 3],
  ])('with status %i and Retry-After %s is not waited for, and nothing is its fault', async (status, after, most) => {
    let requests = 0;
    const { url } = await httpDouble((_request, response) => {
      requests += 1;
      response.writeHead(status, { 'retry-after': after }).end();
    });
    const run = await hostileRun(url);
    expectSound(run);
    expect(run.verdict).toBe('incomplete');
    expect(run.end).toMatchObject({ outcome: 'unreachable', because: expect.stringContaining(`status ${status}`) });
    expect(run.events.find(({ event }) => event === 'notice')).toMatchObject({
      text: expect.stringContaining('Retry-After'),
      remedy: expect.stringContaining('--rate'),
    });
    expect(requests).toBe(most);
  });
});
