import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { refusal } from '../api/response.ts';
import { write } from './send.ts';

type Reason = readonly [status: number, phrase: string, message: string];

const reasons: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request line and headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
};
const malformed: Reason = [400, 'Bad Request', 'This is not a valid HTTP request.'];
const noTunnel: Reason = [405, 'Method Not Allowed', 'This path has no such method.'];

/** How long a client may take to close a connection that the server has ended, in milliseconds. */
const lingering = 1000;

/**
 * Ends the connection, but reads and discards input for a while. Closing at once would reset the connection, and the
 * client might lose the unread response (RFC 9112, section 9.6).
 */
const hangUp = (socket: Duplex): void => {
  const timer = setTimeout(() => socket.destroy(), lingering);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
};

const answerRaw = (socket: Duplex, [status, phrase, message]: Reason): void => {
  const body = JSON.stringify({ status, message });
  socket.write(
    `HTTP/1.1 ${status} ${phrase}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  hangUp(socket);
};

/**
 * Responds after the pending responses on the connection. A request that broke off after its response gets no second
 * one, because the client would take it for the next response.
 */
const answerInTurn = (socket: Duplex, last: ServerResponse | undefined, reason: Reason): void => {
  const answer = (): void => answerRaw(socket, reason);
  if (last === undefined) answer();
  else if (last.req.complete) last.writableFinished ? answer() : void last.once('finish', answer);
  else if (last.headersSent) last.writableFinished ? hangUp(socket) : void last.once('finish', () => hangUp(socket));
  else last.socket === null ? void last.once('socket', answer) : answer();
};

/**
 * Answers in JSON the requests that node:http refuses by itself (headers too large, too slow, malformed), and CONNECT.
 */
const answerBrokenRequests = (server: Server): void => {
  const newest = new WeakMap<Duplex, ServerResponse>();
  const givenUp = new WeakSet<Duplex>();
  for (const begun of ['request', 'checkExpectation'] as const)
    server.prependListener(begun, (request: IncomingMessage, response: ServerResponse) => {
      newest.set(request.socket, response);
    });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Each further chunk of a malformed request raises the error again.
    if (givenUp.has(socket)) return;
    givenUp.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else answerInTurn(socket, newest.get(socket), reasons[error.code ?? ''] ?? malformed);
  });
  server.on('connect', (_request, socket) => {
    // node:http has detached its own listeners from this socket, including the error listener.
    socket.on('error', () => socket.destroy());
    socket.resume();
    answerInTurn(socket, newest.get(socket), noTunnel);
  });
};

/** Timeouts of a server for its clients, in milliseconds. */
export interface Timeouts {
  /** For the head of a request, including its first byte. */
  readonly headersTimeout?: number;
  /** For a whole request, from its first byte to the end of its body. */
  readonly requestTimeout?: number;
  /** For the next request on an open connection. */
  readonly keepAliveTimeout?: number;
  /** For an exchange without traffic: drops clients that do not read their response. */
  readonly idleTimeout?: number;
}

/** The server's certificate and private key, as PEM. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** Options of `createHttpServer`. */
interface HttpServerOptions extends Timeouts {
  /** If given, the server uses HTTPS. */
  readonly tls?: Tls | undefined;
  /** Writes the client's 100 Continue, unless it is to be withheld. */
  readonly writeContinue: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

const expectationFailed = refusal(417, 'This expectation cannot be met.');

/**
 * Creates a node:http or node:https server that drops slow clients and refuses in JSON whatever cannot reach
 * `listener`. Throws the error of node:tls for an unusable certificate or key.
 */
export const createHttpServer = (listener: RequestListener, given: HttpServerOptions): Server => {
  const { tls, writeContinue } = given;
  const { headersTimeout = 10_000, requestTimeout = 30_000, keepAliveTimeout = 30_000, idleTimeout = 60_000 } = given;
  const options: ServerOptions = {
    connectionsCheckingInterval: Math.min(500, headersTimeout, requestTimeout),
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    // Room for ids of 4 KiB with every byte percent-encoded.
    maxHeaderSize: 64 * 1024,
    // `admitting` refuses a missing Host in JSON.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createServer(options, listener)
      : // Loaded on demand, because it takes five milliseconds.
        process
          .getBuiltinModule('node:https')
          .createServer({ ...options, ...tls, handshakeTimeout: headersTimeout }, listener);
  server.timeout = idleTimeout;
  // A client that half-closes still waits for its responses. Node has this option, but no type for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Headers are limited by size. A limit on their number would silently drop some, perhaps Content-Length.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (_request, response) => write(response, expectationFailed));
  server.on('checkContinue', async (request, response) => {
    await writeContinue(request, response);
    server.emit('request', request, response);
  });
  answerBrokenRequests(server);
  return server;
};
