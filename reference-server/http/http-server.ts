import { createServer, type RequestListener, type Server } from 'node:http';
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
  /** For anything to move in the middle of an exchange: a client that does not read its answer. */
  readonly idleTimeout?: number;
}

const expectationFailed = refusal(417, 'This expectation cannot be met.');

/** A server of node:http that drops slow clients, and answers in JSON whatever does not get as far as `listener`. */
export const createHttpServer = (listener: RequestListener, timeouts: Timeouts): Server => {
  const {
    headersTimeout = 10_000,
    requestTimeout = 30_000,
    keepAliveTimeout = 30_000,
    idleTimeout = 60_000,
  } = timeouts;
  const server = createServer(
    {
      connectionsCheckingInterval: Math.min(500, headersTimeout, requestTimeout),
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      // Room for ids of 4 KiB with every byte percent-encoded.
      maxHeaderSize: 64 * 1024,
      // Whoever lacks a Host is refused in JSON.
      requireHostHeader: false,
    },
    listener,
  );
  server.timeout = idleTimeout;
  // Who says that he has nothing more to ask still waits for his answers. Node has this for long, and no type for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // The size is limited; were the number too, the length of a body could be among the headers that are left out.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (_request, response) => write(response, expectationFailed));
  answerBrokenRequests(server);
  return server;
};
