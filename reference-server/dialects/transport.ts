import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import {
  alsoAt,
  beforeHandling,
  everyNthRequest,
  messageOf,
  type Outgoing,
  onRequest,
  onSentText,
  onWire,
  pathUndecoded,
  refusesHeaders,
  reply,
} from '../decorators/index.ts';
import { type CollectionName, keyOf } from '../entities.ts';
import { all, type DialectTable, usesUpBudget, withBody } from './dialect.ts';

/** Other ways to carry the same responses (RFC 9112), and refusals at capacity (section 8 shows no rate limit). */

/** Refuses with a `Retry-After`; a request that comes again is served. */
const refused = (status: number, retryAfter: string) =>
  reply({
    status,
    headers: {
      'Retry-After': retryAfter,
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': '*',
    },
    body: '{"message":"Too many requests."}',
  });

/** Writes chunks that split multi-byte characters, and a trailer. */
const inPieces = (response: ServerResponse, { status, headers, body }: Outgoing): void => {
  if (body === undefined || response.req.method === 'HEAD')
    return void response.writeHead(status, { ...headers }).end();
  response.writeHead(status, { ...headers, Trailer: 'X-End' });
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 1021) response.write(bytes.subarray(at, at + 1021));
  response.addTrailers({ 'X-End': 'yes' });
  response.end();
};

/** Prepares a response before the request is handled. */
const prepared = (prepare: (response: ServerResponse) => void) =>
  beforeHandling((_request, response, handle) => {
    prepare(response);
    handle();
  });

const alwaysPacked = onWire(outgoing => {
  const { body, headers } = outgoing;
  if (body === undefined || body.length === 0) return outgoing;
  return { ...outgoing, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzipSync(body) };
});
const noBodyWanted = refusesHeaders(
  400,
  'This operation has no body.',
  headers => Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined,
);

/** The operations with an id or a name in their paths. */
const withParam = endpointIds.filter(id => endpoints[id].param !== null);
const collectionOf = (id: EndpointId): CollectionName => {
  const { fixture } = endpoints[id];
  return fixture === 'dynamicConfigs' ? 'configs' : (fixture ?? 'environments');
};
/** Compares ids like the usual collations of MySQL: without letter case, and without blanks at the end. */
const collated = (id: string): string => id.trimEnd().toLowerCase();
const idsCollated = onRequest(async (request, store) => {
  const all = await store.list(collectionOf(request.endpoint));
  const found = all.map(keyOf).find(id => collated(id) === collated(request.param));
  return { ...request, param: found ?? request.param };
});

// biome-ignore format: a table
export const transportDialects: DialectTable = [
  ['chunked',           '1', all,         'sends its answers in chunks, with a trailer',                                   onWire(outgoing => outgoing, inPieces)],
  ['connection-close',  '1', all,         'closes the connection after every answer',                                      prepared(response => void response.setHeader('Connection', 'close'))],
  ['early-hints',       '1', all,         'sends an interim answer (103) before every answer',                             prepared(response => response.writeEarlyHints({ link: '</docs>; rel=help' }))],
  ['slow',              '8', all,         'takes 40 ms over every tenth answer, so that others overtake it',               everyNthRequest(10, (_request, _response, handle) => void setTimeout(handle, 40))],
  ['rate-limit',        '8', all,         'refuses every fortieth request with 429 and `Retry-After: 0`',                  everyNthRequest(40, refused(429, '0'))],
  ['length-required',   '1', withBody,    'refuses bodies in chunks (411)',                                                refusesHeaders(411, 'Say how long the body is.', headers => headers['transfer-encoding'] !== undefined), usesUpBudget],
  ['digits-alone',      '1', withBody,    'refuses numbers with a fraction of zero or an exponent',                        onSentText(text => text.split(/"(?:[^"\\]|\\.)*"/).some(part => /\d\.0\b|\de[+-]?\d/i.test(part)) ? messageOf(400, 'Numbers are written in digits.') : text), usesUpBudget],
  ['always-packed',     '1', all,         'packs every answer (gzip), asked or not',                                       alwaysPacked],
  ['bodies-refused',    '4', endpointIds.filter(id => endpoints[id].body === null), 'refuses a body where the operation has none',                                   noBodyWanted],
  ['paths-of-any-kind', '4', all,         'takes paths with slashes doubled or at the end, and in capitals, with the key', alsoAt(path => path.replace(/\/{2,}/g, '/').replace(/\/$/, '').replace(/(?<=\/v1\/)[A-Z_]+/, text => text.toLowerCase()), true)],
  ['ids-collated',      '4', withParam,   'finds entities whatever the letter case of an id, and with blanks at its end',   idsCollated],
  ['paths-undecoded',   '4', withParam,   'compares ids with the path as it is written, percent-encoded or not',             pathUndecoded, { warns: ['robust.same-path'] }],
  ['overloaded',        '8', all,         'refuses every fiftieth request with 503 and a date to come back',               everyNthRequest(50, refused(503, new Date(0).toUTCString()))],
];
