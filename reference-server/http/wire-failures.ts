import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { WireFailure } from '../../contracts/behaviour.ts';
import { jsonText } from '../api/json-text.ts';
import { behaviourHeader, type PlannedAnswer } from '../api/planned.ts';
import type { HandlerResponse } from '../api/response.ts';
import { jsonType, write } from './send.ts';

/** Answers that fail on their way, as a behaviour plans it. */

/** What sending needs of the server. */
export interface Wires {
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Leaves a response open that will never come. */
  readonly stall: (response: ServerResponse) => void;
}

/** An answer on its way. */
interface Leaving {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly answer: HandlerResponse;
  readonly bytes: Buffer;
  readonly wires: Wires;
}

/** The bytes of an answer's body. */
const bytesOf = ({ body }: HandlerResponse): Buffer =>
  body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(body === undefined ? '' : jsonText(body));

/** Writes the head of an answer that promises so many bytes. */
const promise = ({ response, answer }: Leaving, length: number): void =>
  response.writeHead(answer.status, { 'Content-Length': length }).flushHeaders();

/** Writes an answer with other bytes for a body. */
const writeBytes = ({ response, answer: { status } }: Leaving, bytes: Buffer): void =>
  void write(response, { status, body: bytes });

/** The first half of some bytes, which ends where a character of UTF-8 does. */
const half = (bytes: Buffer): Buffer => {
  let end = bytes.length >> 1;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
};

/** Connections on which nothing is answered any more. */
const dead = new WeakSet<object>();

/** Whether nothing is answered any more on a connection. */
export const isDead = (socket: object): boolean => dead.has(socket);

/** How many more bytes are promised than come, and the first two of the three bytes of a character. */
const missing = 16;
const cutCharacter = Buffer.from([0xe2, 0x82]);

// biome-ignore format: a table
const ways: Readonly<Record<WireFailure, (leaving: Leaving) => void>> = {
  'reset':            ({ socket }) => {
    // Only a plain connection of TCP can be reset.
    try { socket.resetAndDestroy(); } catch { socket.destroy(); }
  },
  'close':            ({ socket }) => void socket.destroy(),
  'close-in-head':    ({ socket, answer }) => {
    socket.write(`HTTP/1.1 ${answer.status} Cut\r\nContent-Type: application/js`);
    socket.destroySoon();
  },
  'close-in-body':    leaving => {
    promise(leaving, Math.max(1, leaving.bytes.length));
    leaving.response.write(half(leaving.bytes), () => leaving.socket.destroySoon());
  },
  'length-too-long':  leaving => {
    promise(leaving, leaving.bytes.length + missing);
    leaving.response.write(leaving.bytes, () => leaving.socket.destroySoon());
  },
  'length-too-short': leaving => {
    promise(leaving, half(leaving.bytes).length);
    leaving.response.end(leaving.bytes);
  },
  'garbage':          ({ socket }) => {
    socket.write(Buffer.from('\x00\x01SMTP? 220 \xff\xfe this is no HTTP\r\n\r\n', 'latin1'));
    socket.destroySoon();
  },
  'cut-utf8':         leaving => writeBytes(leaving, Buffer.concat([half(leaving.bytes), cutCharacter])),
  'cut-gzip':         leaving => {
    const packed = gzipSync(leaving.bytes);
    leaving.response.setHeader('Content-Encoding', 'gzip');
    writeBytes(leaving, packed.subarray(0, packed.length >> 1));
  },
  'early-answer':     ({ response, answer }) => void write(response, answer),
  'dead-connection':  ({ response, answer, socket }) => {
    dead.add(socket);
    response.once('finish', () => setImmediate(() => socket.setTimeout(0)));
    write(response, answer);
  },
  'no-continue':      ({ response, answer }) => void write(response, answer),
  'stall':            ({ response, wires }) => wires.stall(response),
};

/** How many pieces a second a body drips in. */
const pieces = 10;

const drip = async (leaving: Leaving, bytesPerSecond: number): Promise<void> => {
  const { response, bytes, wires } = leaving;
  promise(leaving, bytes.length);
  const size = Math.max(1, Math.round(bytesPerSecond / pieces));
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await wires.wait((1000 * size) / bytesPerSecond);
    response.write(bytes.subarray(at, at + size));
  }
  response.end();
};

/** Failures of which a client sees no status. */
const unseen: ReadonlySet<WireFailure | undefined> = new Set(['reset', 'close', 'close-in-head', 'garbage', 'stall']);

/** Whether the client sees no status of an answer that is planned so. */
export const isUnseen = ({ wire }: PlannedAnswer): boolean => unseen.has(wire);

/** Sends an answer as it is planned. Returns the text of its body. */
export const sendPlanned = async (
  response: ServerResponse,
  answer: HandlerResponse,
  { behaviour, wire, bytesPerSecond }: PlannedAnswer,
  wires: Wires,
): Promise<string> => {
  if (response.destroyed) return '';
  response.setHeader(behaviourHeader, behaviour);
  if (wire === undefined && bytesPerSecond === undefined) return write(response, answer);
  // The answers to requests before it on the connection go first.
  const [socket] = response.socket === null ? ((await once(response, 'socket')) as [Socket]) : [response.socket];
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (!(answer.body instanceof Uint8Array) && !response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', jsonType);
  const leaving = { response, socket, answer, bytes: bytesOf(answer), wires };
  if (wire !== undefined) ways[wire](leaving);
  // The request is served, and its answer comes by and by.
  else if (bytesPerSecond !== undefined) void drip(leaving, bytesPerSecond);
  return leaving.bytes.toString();
};
