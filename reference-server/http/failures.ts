import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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
export const answerBrokenRequests = (server: Server): void => {
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
