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
 * Ends the connection, and reads and discards for a while what the client still sends: closing at once would make the
 * system reset the connection, and the client might lose the response that it has not read yet (RFC 9112, section 9.6).
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
 * Responds after the responses to the requests before it on the connection. A request that broke off after its response
 * gets no second one: the client would take that for the response to its next request.
 */
const answerInTurn = (socket: Duplex, last: ServerResponse | undefined, reason: Reason): void => {
  const answer = (): void => answerRaw(socket, reason);
  if (last === undefined) answer();
  else if (last.req.complete) last.writableFinished ? answer() : void last.once('finish', answer);
  else if (last.headersSent) last.writableFinished ? hangUp(socket) : void last.once('finish', () => hangUp(socket));
  else last.socket === null ? void last.once('socket', answer) : answer();
};

/**
 * Answers in JSON what node:http refuses before there is a request: headers too large, too slow, or malformed; and
 * CONNECT.
 */
const answerBrokenRequests = (server: Server): void => {
  const newest = new WeakMap<Duplex, ServerResponse>();
  const givenUp = new WeakSet<Duplex>();
  for (const begun of ['request', 'checkExpectation'] as const)
    server.prependListener(begun, (request: IncomingMessage, response: ServerResponse) => {
      newest.set(request.socket, response);
    });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Every further chunk of a malformed request is an error again.
    if (givenUp.has(socket)) return;
    givenUp.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else answerInTurn(socket, newest.get(socket), reasons[error.code ?? ''] ?? malformed);
  });
  server.on('connect', (_request, socket) => {
    // node:http has detached its own listeners from this socket, that of errors included.
    socket.on('error', () => socket.destroy());
    socket.resume();
    answerInTurn(socket, newest.get(socket), noTunnel);
  });
};

/** How long a server waits for its clients, in milliseconds. */
export interface Timeouts {
  /** For the whole head of a request; for its first byte as well. */
  readonly headersTimeout?: number;
  /** For a whole request, from its first byte to the end of its body. */
  readonly requestTimeout?: number;
  /** For the next request on an open connection. */
  readonly keepAliveTimeout?: number;
  /** For any byte to move during an exchange: drops a client that does not read its response. */
  readonly idleTimeout?: number;
}

/** What a server shows of itself over TLS, as PEM. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** How a server is made. */
interface HttpServerOptions extends Timeouts {
  /** It speaks HTTPS where it is given a certificate. */
  readonly tls?: Tls | undefined;
  /** Whether a client that expects 100 Continue is to wait for it in vain. */
  readonly withholdsContinue: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

const expectationFailed = refusal(417, 'This expectation cannot be met.');

/**
 * A server of node:http, or of node:https, that drops slow clients and refuses in JSON
 * whatever does not reach `listener`. Throws the error of node:tls for a certificate and a key that cannot be used.
 */
export const createHttpServer = (listener: RequestListener, given: HttpServerOptions): Server => {
  const { tls, withholdsContinue } = given;
  const { headersTimeout = 10_000, requestTimeout = 30_000, keepAliveTimeout = 30_000, idleTimeout = 60_000 } = given;
  const options: ServerOptions = {
    connectionsCheckingInterval: Math.min(500, headersTimeout, requestTimeout),
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    // Room for ids of 4 KiB with every byte percent-encoded.
    maxHeaderSize: 64 * 1024,
    // A missing Host is refused in JSON, by `admitting`.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createServer(options, listener)
      : // Loaded where it is needed: it takes a Node process five milliseconds.
        process
          .getBuiltinModule('node:https')
          .createServer({ ...options, ...tls, handshakeTimeout: headersTimeout }, listener);
  server.timeout = idleTimeout;
  // A client that has closed its side still waits for its responses. Node has the option, but no type for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // The size of headers is limited. A limit of their number would drop some silently, the length of the body perhaps
  // among them.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (_request, response) => write(response, expectationFailed));
  server.on('checkContinue', async (request, response) => {
    if (!(await withholdsContinue(request, response))) response.writeContinue();
    server.emit('request', request, response);
  });
  answerBrokenRequests(server);
  return server;
};
