import type { Socket } from 'node:net';
import { type Behaviour, onTheWire, patient } from './behaviour.fixture.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Repeats bytes until the other side closes. */
function forEver(socket: Socket, bytes: string): void {
  const again = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', again);
  again();
}

/** Sends bytes every few milliseconds. */
function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.destroyed || socket.write(bytes), 5);
  socket.on('close', () => clearInterval(timer));
}

/** Sends a valid list of 100 MB, generated on the fly. */
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

const manyHeaders = Array.from({ length: 12_000 }, (_, index) => `x-${index}: y\r\n`).join('');

const silence = 'no complete answer within';
/** Time limit in milliseconds for an answer that never ends. */
const moment = 300;
const noHttp = 'not HTTP';
const closed = 'closed without an answer';
const heads = 'could not be judged: the answer has more than 64 KiB of headers';
const tooLong = 'could not be judged: the answer is longer than';

// biome-ignore format: a table
const rows: readonly (readonly [does: string, outcome: Behaviour['outcome'], says: string, onRequest: (socket: Socket) => void])[] = [
  ['never answers',                        'unreachable', silence, () => {}],
  ['answers a byte at a time',             'unreachable', silence, socket => { socket.write(`${head}\r\n`); drip(socket, ' '); }],
  ['drips its status line',                'unreachable', silence, socket => { socket.write('HTTP/1.1 200 '); drip(socket, 'O'); }],
  ['says 102 Processing for ever',         'unreachable', silence, socket => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
  ['floods with 103 Early Hints',          'unreachable', silence, socket => forEver(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1_000))],
  ['sends headers for ever',               'complete',    heads,   socket => { socket.write('HTTP/1.1 200 OK\r\n'); forEver(socket, `x: ${'y'.repeat(1_000)}\r\n`); }],
  ['sends twelve thousand headers',         'complete',    heads,   socket => socket.write(`${head}${manyHeaders}content-length: 2\r\n\r\n{}`)],
  ['speaks no HTTP',                       'unreachable', noHttp,  socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ['closes every connection',              'unreachable', closed,  socket => socket.end()],
  ['resets every connection',              'unreachable', closed,  socket => socket.resetAndDestroy()],
  ['resets in the middle of the answer',   'unreachable', closed,  socket => { socket.write(`${head}content-length: 100\r\n\r\n{"message"`, () => socket.resetAndDestroy()); }],
  ['promises more than it sends',          'unreachable', closed,  socket => socket.end(`${head}content-length: 1000\r\n\r\n{}`)],
  ['promises more than it sends, and stays', 'unreachable', silence, socket => socket.write(`${head}content-length: 1000\r\n\r\n{}`)],
  ['sends more than it promises',          'complete',    '',      socket => socket.write(`${head}content-length: 2\r\n\r\n{}{"more":true}`)],
  ['has an endless body',                  'complete',    tooLong, socket => { socket.write(`${head}\r\n[`); forEver(socket, ' '.repeat(65_536)); }],
  ['has valid lists of 100 MB',            'complete',    tooLong, longList],
];

/**
 * Misbehaviour below HTTP or in its framing. An unreachable target gets only the few requests that detect it; an
 * unjudgeable one gets some of each check.
 */
export const wireBehaviours: readonly Behaviour[] = rows.map(([does, outcome, says, onRequest]) =>
  onTheWire(
    outcome === 'unreachable'
      ? { does, outcome, says, atMost: 20, timeoutMs: says === silence ? moment : patient }
      : { does, outcome, says, atMost: 2_500, timeoutMs: patient },
    onRequest,
  ),
);
