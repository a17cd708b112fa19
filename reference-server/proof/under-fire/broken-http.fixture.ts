import { broken, type Kind } from './attack.fixture.ts';
import { requestText } from './request.fixture.ts';

/**
 * What is no HTTP/1.1 request. Each has a connection of its own, since it is undefined where the next request would
 * begin.
 */

const sentinel = requestText({ method: 'GET', target: '/console/v1/segments' });
const gate = {
  method: 'PATCH',
  target: '/console/v1/gates/rate_limit_v2',
  headers: { 'Content-Type': 'application/json' },
};
const withHeaders = (lines: string, line = 'PATCH /console/v1/gates/rate_limit_v2 HTTP/1.1'): string =>
  `${line}\r\n${lines}SERVICE-API-KEY: reference-key\r\nContent-Type: application/json\r\n\r\n`;

const requestLines = [
  'GET', 'GET ', 'GET /', 'GET / HTTP/9.9', 'GET / HTTP/1.1 more', 'GET  / HTTP/1.1', 'get / HTTP/1.1', ' GET / HTTP/1.1',
  'GÉT / HTTP/1.1', 'G\0ET / HTTP/1.1', 'GET /\x01 HTTP/1.1', 'GET /\x7f HTTP/1.1', 'FOO / HTTP/1.1', 'GET / HTTPS/1.1',
  'GET / http/1.1', 'GET / HTTP/1', 'GET / HTTP/11.1', 'GET /a b HTTP/1.1', 'PRI * HTTP/2.0', '{"method":"GET"}', 'HTTP/1.1 200 OK',
  'GET http:// HTTP/1.1', 'GET a://b HTTP/1.1', 'GET ftp://x/y HTTP/1.1', 'GET http:///x HTTP/1.1', 'GET x HTTP/1.1', 'GET ?a HTTP/1.1',
  'CONNECT x:1 HTTP/1.1', 'CONNECT / HTTP/1.1', 'OPTIONS http:// HTTP/1.1',
] as const; // biome-ignore format: a list

const headerLines = [
  'Host x', ' folded: x', 'A\0: b', 'A: b\0c', ': empty', 'Host : x', 'A b: c', 'A: b\rC: d', 'Host: x\r\nHost: y', 'A: b', 'Ä: b',
  'Host: x\r\nContent-Length: -1', 'Host: x\r\nContent-Length: 1e3', 'Host: x\r\nContent-Length: +5', 'Host: x\r\nContent-Length: 5, 6',
  'Host: x\r\nContent-Length: 5\r\nContent-Length: 6', 'Host: x\r\nContent-Length: 99999999999999999999', 'Host: x\r\nContent-Length: 0x10',
  'Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked', 'Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5',
  'Host: x\r\nTransfer-Encoding: gzip', 'Host: x\r\nTransfer-Encoding: chunked, identity', 'Host: x\r\nTransfer-Encoding: xchunked',
  'Host: x\r\nTransfer-Encoding : chunked', 'Host: x\r\nTransfer-Encoding:\x0bchunked', 'Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity',
] as const; // biome-ignore format: a list

const chunks = [
  'zz\r\nabc\r\n', '-1\r\n', 'FFFFFFFFFFFFFFFFF\r\n', '5\r\nabc\r\n0\r\n\r\n', '3\r\nabcd\r\n0\r\n\r\n', '3abc\r\n0\r\n\r\n', '\r\n\r\n', '0x3\r\nabc\r\n',
  '3\nabc\n0\n\n', '3;a=\0\r\nabc\r\n', '3 \r\nabc\r\n0\r\n\r\n', '0\r\nA\0: b\r\n\r\n', '0\r\nContent-Length: 5\r\n', '3\r\n{}', '2\r\n{}\r\n',
] as const; // biome-ignore format: a list

const refused = [400, 405, 431] as const;
const onceBegun = [200, 400, 404, 405, 408, 413, 415, 431] as const;

// biome-ignore format: a table
export const brokenHttp: readonly Kind[] = [
  { kind: 'request line',      share: 30, make: draw => broken(`${draw.pick(requestLines)}\r\nHost: x\r\n\r\n`, [...refused, 404]) },
  { kind: 'header line',       share: 40, make: draw => broken(withHeaders(`${draw.pick(headerLines)}\r\n`), onceBegun) },
  { kind: 'many headers',      share: 3,  make: draw => broken(withHeaders(`Host: x\r\n${'a: b\r\n'.repeat(3000 + draw.below(20_000))}`), onceBegun) },
  { kind: 'long header',       share: 3,  make: draw => broken(withHeaders(`Host: x\r\n${draw.pick(['A', 'Content-Type', 'Cookie', 'Accept', 'Origin'])}: ${draw.pick(['x', ';', ' ', ',', '"'])}${draw.pick(['x', '; ', ',', '\\"']).repeat(30_000 + draw.below(300_000))}\r\n`), [...onceBegun, 415]) },
  { kind: 'chunks',            share: 30, make: draw => broken(requestText({ ...gate, headers: { ...gate.headers, 'Transfer-Encoding': 'chunked' } }) + draw.pick(chunks), onceBegun) },
  { kind: 'trailers',          share: 2,  make: draw => broken(`${requestText({ ...gate, headers: { ...gate.headers, 'Transfer-Encoding': 'chunked' } })}2\r\n{}\r\n0\r\n${'A: b\r\n'.repeat(draw.below(20_000))}\r\n`, onceBegun) },
  { kind: 'truncated body',    share: 20, make: draw => broken(requestText(gate, 1 + draw.below(5000)) + '{"description":'.slice(0, draw.below(16)), [400]) },
  { kind: 'bytes',             share: 20, make: draw => broken(draw.bytes(1 + draw.below(300)), refused) },
  { kind: 'other protocols',   share: 5,  make: draw => broken(draw.pick(['\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 'SSH-2.0-x\r\n', '*1\r\n$4\r\nPING\r\n', 'EHLO x\r\n', '\0\0\0\x08\x04\xd2\x16\x2f', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']), refused) },
  { kind: 'garbage behind',    share: 20, make: draw => broken(Buffer.concat([Buffer.from(sentinel.repeat(1 + draw.below(4))), draw.bytes(1 + draw.below(40))]), [200, 400, 431]) },
  { kind: 'tunnel behind',     share: 5,  make: draw => broken(`${sentinel.repeat(draw.below(3))}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n${'x'.repeat(draw.below(2000))}`, [200, 405]) },
  { kind: 'pipelined',         share: 10, make: draw => broken(sentinel.repeat(2 + draw.below(60)) + sentinel.slice(0, draw.below(sentinel.length)), [200, 400]) },
  { kind: 'reset',             share: 40, make: draw => ({ ...broken(`${requestText(gate, 20)}{"description":"abc"`.slice(0, 1 + draw.below(250)), []), ending: 'reset' }) },
  { kind: 'reset at large',    share: 5,  make: draw => ({ ...broken(sentinel.repeat(1 + draw.below(100)), []), ending: 'reset' }) },
  { kind: 'reset of a tunnel', share: 5,  make: () => ({ ...broken('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', []), ending: 'reset' }) },
];
