import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeHandling, everyNthRequest, type Outgoing, onWire } from '../decorators/wire.ts';
import type { Dialect } from './dialect.ts';

/**
 * Other ways to carry the same responses (RFC 9112), and refusals for want of capacity (section 8 shows no rate limit).
 */

/** Refuses, and says when to come back; whoever does is served. */
const refused =
  (status: number, retryAfter: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    response.writeHead(status, { 'Retry-After': retryAfter, 'Content-Type': 'application/json' });
    response.end('{"message":"Too many requests."}');
  };

/** In pieces that cut through signs of several bytes, with a trailer. */
const inPieces = (response: ServerResponse, { status, headers, body }: Outgoing): void => {
  if (body === undefined || response.req.method === 'HEAD')
    return void response.writeHead(status, { ...headers }).end();
  response.writeHead(status, { ...headers, Trailer: 'X-End' });
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 1021) response.write(bytes.subarray(at, at + 1021));
  response.addTrailers({ 'X-End': 'yes' });
  response.end();
};

/** Does something to a response before the request is handled. */
const prepared = (prepare: (response: ServerResponse) => void) =>
  beforeHandling((_request, response, handle) => {
    prepare(response);
    handle();
  });
const closing = prepared(response => void response.setHeader('Connection', 'close'));
const hinting = prepared(response => response.writeEarlyHints({ link: '</docs>; rel=help' }));

// biome-ignore format: a table
export const transportDialects: readonly Dialect[] = [
  { id: 'chunked',           section: '1', title: 'sends its answers in chunks, with a trailer',                     decorator: onWire(outgoing => outgoing, inPieces) },
  { id: 'connection-close',  section: '1', title: 'closes the connection after every answer',                        decorator: closing },
  { id: 'early-hints',       section: '1', title: 'sends an interim answer (103) before every answer',               decorator: hinting },
  { id: 'slow',              section: '8', title: 'takes 40 ms over every tenth answer, so that others overtake it',  decorator: everyNthRequest(10, (_request, _response, handle) => void setTimeout(handle, 40)) },
  { id: 'rate-limit',        section: '8', title: 'refuses every fortieth request with 429 and `Retry-After: 0`',    decorator: everyNthRequest(40, refused(429, '0')) },
  { id: 'overloaded',        section: '8', title: 'refuses every fiftieth request with 503 and a date to come back', decorator: everyNthRequest(50, refused(503, new Date(0).toUTCString())) },
];
