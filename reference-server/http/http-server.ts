import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { refusal } from '../api/response.ts';
import { answerBrokenRequests } from './failures.ts';
import { write } from './send.ts';

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
