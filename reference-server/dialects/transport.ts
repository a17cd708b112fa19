import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hooks } from '../api/hooks.ts';
import type { Dialect } from './dialect.ts';
import { incoming, type Outgoing, outgoing } from './outgoing.ts';

/** Other ways to carry the same answers (RFC 9112), and to ask for patience (section 8 shows no rate limit). */

/** Does something else with every n-th request of a server. */
const everyNth = (
  n: number,
  otherwise: (request: IncomingMessage, response: ServerResponse, handle: () => void) => void,
): Pick<Hooks, 'decorateListener'> => ({
  decorateListener: listener => {
    let count = 0;
    return (request, response) => {
      count += 1;
      const handle = () => listener(request, response);
      if (count % n === 0) otherwise(request, response, handle);
      else handle();
    };
  },
});

/** Refuses and asks to come back; whoever comes back is served. */
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

// biome-ignore format: a table
export const transportDialects: readonly Dialect[] = [
  { id: 'chunked',           section: '1', title: 'sends its answers in chunks, with a trailer',                     ...outgoing(answer => answer, inPieces) },
  { id: 'connection-close',  section: '1', title: 'closes the connection after every answer',                        ...incoming((_request, response, handle) => { response.setHeader('Connection', 'close'); handle(); }) },
  { id: 'early-hints',       section: '1', title: 'sends an interim answer (103) before every answer',               ...incoming((_request, response, handle) => { response.writeEarlyHints({ link: '</docs>; rel=help' }); handle(); }) },
  { id: 'slow',              section: '8', title: 'takes 40 ms over every tenth answer, so that others overtake it',  ...everyNth(10, (_request, _response, handle) => void setTimeout(handle, 40)) },
  { id: 'rate-limit',        section: '8', title: 'refuses every fortieth request with 429 and `Retry-After: 0`',    ...everyNth(40, refused(429, '0')) },
  { id: 'overloaded',        section: '8', title: 'refuses every fiftieth request with 503 and a date to come back', ...everyNth(50, refused(503, new Date(0).toUTCString())) },
];
