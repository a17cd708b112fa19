import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { WireFailure } from '../../contracts/behaviour.ts';
import { jsonText } from '../api/json-text.ts';
import { behaviourHeader, type PlannedAnswer } from '../api/planned.ts';
import type { HandlerResponse } from '../api/response.ts';
import { jsonType, write } from './send.ts';

/** Sends answers that fail in transit, as a behaviour plans. */

/** The parts of the server that sending uses. */
export interface Wires {
  /** Resolves after the given time. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Leaves a response open until its client or the server ends it. */
  readonly stall: (response: ServerResponse) => void;
}

/** An answer being sent. */
interface Leaving {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly answer: HandlerResponse;
  readonly bytes: Buffer;
  readonly wires: Wires;
}

/** Returns the body of an answer as bytes. */
const bytesOf = ({ body }: HandlerResponse): Buffer =>
  body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(body === undefined ? '' : jsonText(body));

/** Writes the head of an answer, with the given Content-Length. */
const promise = ({ response, answer }: Leaving, length: number): void =>
  response.writeHead(answer.status, { 'Content-Length': length }).flushHeaders();

/** Writes an answer with other bytes as its body. */
const writeBytes = ({ response, answer: { status } }: Leaving, bytes: Buffer): void =>
  void write(response, { status, body: bytes });

/** Returns the first half of some bytes, cut between two UTF-8 characters. */
const half = (bytes: Buffer): Buffer => {
  let end = bytes.length >> 1;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
};

/** Connections that get no more answers. */
const dead = new WeakSet<object>();

/** True if a connection gets no more answers. */
export const isDead = (socket: object): boolean => dead.has(socket);

/** Bytes by which the promised length is too long, and the first two bytes of a three-byte character. */
const missing = 16;
const cutCharacter = Buffer.from([0xe2, 0x82]);

// biome-ignore format: a table
const ways: Readonly<Record<WireFailure, (leaving: Leaving) => void>> = {
  'reset':            ({ socket }) => {
    // Only a plain TCP connection can be reset.
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

/** Pieces per second of a dripped body. */
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

/** Failures for which the client sees no status. */
const unseen: ReadonlySet<WireFailure | undefined> = new Set(['reset', 'close', 'close-in-head', 'garbage', 'stall']);

/** True if the client sees no status of a planned answer. */
export const isUnseen = ({ wire }: PlannedAnswer): boolean => unseen.has(wire);

/** Sends an answer as planned. Returns the text of its body. */
export const sendPlanned = async (
  response: ServerResponse,
  answer: HandlerResponse,
  { behaviour, wire, bytesPerSecond }: PlannedAnswer,
  wires: Wires,
): Promise<string> => {
  if (response.destroyed) return '';
  response.setHeader(behaviourHeader, behaviour);
  if (wire === undefined && bytesPerSecond === undefined) return write(response, answer);
  // Wait for the answers to earlier requests on the connection.
  const [socket] = response.socket === null ? ((await once(response, 'socket')) as [Socket]) : [response.socket];
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (!(answer.body instanceof Uint8Array) && !response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', jsonType);
  const leaving = { response, socket, answer, bytes: bytesOf(answer), wires };
  if (wire !== undefined) ways[wire](leaving);
  // The request counts as served while its answer still drips.
  else if (bytesPerSecond !== undefined) void drip(leaving, bytesPerSecond);
  return leaving.bytes.toString();
};
