import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refusal } from '../api/answer.ts';

/** Any error that nobody expected becomes a JSON 500 that says nothing of the inside. */
export const internalError = refusal(500, 'Internal error.');

const reasons: Readonly<Record<string, readonly [status: number, phrase: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request line and headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
};
const malformed = [400, 'Bad Request', 'This is not a valid HTTP request.'] as const;

const answerRaw = (socket: Duplex, status: number, phrase: string, message: string): void => {
  const body = JSON.stringify({ status, message });
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

/** Answers in JSON what node:http refuses before there is a request: headers too large, too slow, or malformed; and CONNECT. */
export const answerBrokenRequests = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else answerRaw(socket, ...(reasons[error.code ?? ''] ?? malformed));
  });
  server.on('connect', (_request, socket) =>
    answerRaw(socket, 405, 'Method Not Allowed', 'This path has no such method.'),
  );
};
