import type { RequestListener, ServerResponse } from 'node:http';
import type { Dialect } from './dialect.ts';
import { incoming, type Outgoing, outgoing } from './outgoing.ts';

/** Other ways to carry the same answers (RFC 9112), and to ask for patience (section 8 shows no rate limit). */

/** In pieces that cut through signs of several bytes, with a trailer. */
const inPieces = (response: ServerResponse, { status, headers, body }: Outgoing): void => {
  response.writeHead(status, body === undefined ? { ...headers } : { ...headers, Trailer: 'X-End' });
  if (body === undefined) return void response.end();
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 1021) response.write(bytes.subarray(at, at + 1021));
  response.addTrailers({ 'X-End': 'yes' });
  response.end();
};

/** Refuses every n-th request of a server and asks to come back; whoever comes back is served. */
const everyNth = (n: number, status: number, retryAfter: () => string) => ({
  decorateListener: (listener: RequestListener): RequestListener => {
    let count = 0;
    return (request, response) => {
      count += 1;
      if (count % n !== 0) return listener(request, response);
      request.resume();
      response.writeHead(status, { 'Retry-After': retryAfter(), 'Content-Type': 'application/json' });
      response.end('{"message":"Too many requests."}');
    };
  },
});

// biome-ignore format: a table
export const transportDialects: readonly Dialect[] = [
  { id: 'chunked',           section: '1', title: 'sends its answers in chunks, with a trailer',                     ...outgoing(answer => answer, inPieces) },
  { id: 'connection-close',  section: '1', title: 'closes the connection after every answer',                        ...incoming((_request, response, handle) => { response.setHeader('Connection', 'close'); handle(); }) },
  { id: 'early-hints',       section: '1', title: 'sends an interim answer (103) before every answer',               ...incoming((_request, response, handle) => { response.writeEarlyHints({ link: '</docs>; rel=help' }); handle(); }) },
  { id: 'slow',              section: '8', title: 'takes 20 ms over every answer',                                   ...incoming((_request, _response, handle) => void setTimeout(handle, 20)) },
  { id: 'rate-limit',        section: '8', title: 'refuses every fortieth request with 429 and `Retry-After: 0`',    ...everyNth(40, 429, () => '0') },
  { id: 'overloaded',        section: '8', title: 'refuses every fiftieth request with 503 and a date to come back', ...everyNth(50, 503, () => new Date(0).toUTCString()) },
];
