import { expect, test } from 'vitest';
import {
  longestHead,
  requestBeginning,
  requestFraming,
  requestHead,
  responseBeginning,
  responseFraming,
  responseHead,
} from './head.ts';
import { createMessageReader } from './messages.ts';

/** Returns the events of a reader fed with these pieces, one line each, and the bytes that it passes on. */
function read(side: 'request' | 'answer', pieces: readonly Buffer[]) {
  const told: string[] = [];
  const wire: Buffer[] = [];
  let body = '';
  const reader = createMessageReader(side === 'request' ? requestBeginning : responseBeginning, {
    head(bytes) {
      body = '';
      if (side === 'answer') {
        const head = responseHead(bytes);
        const framing = responseFraming(head, 'GET');
        told.push(`${head.status}${head.headers.map(([name, value]) => ` ${name}=${value}`).join('')}`);
        return head.status === 101 ? 'raw' : framing;
      }
      const head = requestHead(bytes);
      const framing = requestFraming(head);
      wire.push(bytes);
      told.push(`${head.method} ${head.target}${head.headers.map(([name, value]) => ` ${name}=${value}`).join('')}`);
      return framing;
    },
    data: part => {
      body += part.toString('latin1');
    },
    end: () => void told.push(`: ${body}`),
    wire: bytes => void wire.push(bytes),
    unreadable: why => void told.push(`! ${why}`),
  });
  for (const piece of pieces) reader.read(piece);
  wire.push(reader.held());
  reader.close();
  return { told, wire: Buffer.concat(wire) };
}

/** Yields the bytes whole, cut in two at every position, and byte by byte. */
function* cuts(bytes: Buffer): Generator<readonly Buffer[]> {
  yield [bytes];
  for (let at = 1; at < bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield [...bytes].map(byte => Buffer.from([byte]));
}

const notHttp = '! these bytes are not HTTP/1';

// biome-ignore format: a table
const requests: readonly (readonly [what: string, bytes: string, told: readonly string[]])[] = [
  ['one request',                 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n',                                     ['GET /a Host=x', ': ']],
  ['two in a row',                'GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\n\r\n',              ['GET /a Host=x', ': ', 'GET /b', ': ']],
  ['a body between two',          'PUT /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n', ['PUT /a Content-Length=3', ': abc', 'GET /b', ': ']],
  ['a body that looks like a request', 'PUT /a HTTP/1.1\r\nContent-Length: 21\r\n\r\nGET /b HTTP/1.1\r\na:\r\nGET /c HTTP/1.0\r\n\r\n', ['PUT /a Content-Length=21', ': GET /b HTTP/1.1\r\na:\r\n', 'GET /c', ': ']],
  ['chunks, an extension and trailers', 'PUT /a HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nx: y\r\nz: a\r\n\r\nGET /b HTTP/1.1\r\n\r\n', ['PUT /a Transfer-Encoding=Chunked', ': abc0123456789', 'GET /b', ': ']],
  ['lines that end in a line feed', 'GET /a HTTP/1.1\nHost: x\n\nGET /b HTTP/1.1\n\n',                      ['GET /a Host=x', ': ', 'GET /b', ': ']],
  ['empty lines before',          '\r\n\r\nGET /a HTTP/1.1\r\n\r\n\r\nGET /b HTTP/1.1\r\n\r\n',             ['GET /a', ': ', 'GET /b', ': ']],
  ['a folded line and blanks',    'GET /a HTTP/1.1\r\nx:  a \t\r\n  b\r\n\r\n',                             ['GET /a x=a b', ': ']],
  ['the same length twice',       'PUT /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na',     ['PUT /a Content-Length=1 Content-Length=1', ': a']],
  ['a body that is cut',          'PUT /a HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc',                        ['PUT /a Content-Length=9']],
  ['a head that is cut',          'GET /a HTTP/1.1\r\nHost: x',                                             []],
  ['a method in lower case',      'get /a HTTP/1.1\r\n\r\n',                                                ['get /a', ': ']],
  ['bytes beyond ASCII',          'GET /\xe9 HTTP/1.1\r\nx: \xff\r\n\r\n',                                  ['GET /\xe9 x=\xff', ': ']],
  ['nothing of HTTP',             'SSH-2.0-OpenSSH_9.6\r\n',                                                [notHttp]],
  ['a handshake of TLS',          '\x16\x03\x01\x02\x00\x01',                                               [notHttp]],
  ['HTTP/2',                      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',                                       [notHttp]],
  ['HTTP/0.9',                    'GET /a\r\n',                                                             [notHttp]],
  ['two lengths',                 'PUT /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',    ['! the length that the head states is none']],
  ['a length that is none',       'PUT /a HTTP/1.1\r\nContent-Length: -1\r\n\r\nab',                        ['! the length that the head states is none']],
  ['a length and chunks',         'PUT /a HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', ['! the request states a length and a transfer coding']],
  ['a coding without an end',     'PUT /a HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\nab',                   ['! the request has a transfer coding without an end']],
  ['a blank before the colon',    'GET /a HTTP/1.1\r\nHost : x\r\n\r\n',                                    ['! a line of the head is no header']],
  ['a lone carriage return',      'GET /a HTTP/1.1\r\nHost: x\ry\r\n\r\n',                                  ['! the head holds a control character']],
  ['a chunk of negative size',    'PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n-6\r\n\r\n', ['PUT /a Transfer-Encoding=chunked', '! the size of a chunk is no number']],
  ['a chunk longer than it says', 'PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n', ['PUT /a Transfer-Encoding=chunked', '! a chunk is longer than it says']],
];

// biome-ignore format: a table
const answers: readonly (readonly [what: string, bytes: string, told: readonly string[]])[] = [
  ['an answer',                   'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',                         ['200 Content-Length=2', ': {}']],
  ['no reason',                   'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n',                              ['200 Content-Length=0', ': ']],
  ['until the connection closes', 'HTTP/1.0 200 OK\r\n\r\nall of it',                                       ['200', ': all of it']],
  ['interim answers',             'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', ['100', ': ', '103 Link=</x>', ': ', '204', ': ']],
  ['a 304 that states a length',  'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na', ['304 Content-Length=9', ': ', '200 Content-Length=1', ': a']],
  ['an upgrade',                  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x01a', ['101 Upgrade=websocket']],
  ['chunks beside a length',      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n', ['200 Content-Length=9 Transfer-Encoding=chunked', ': a']],
  ['nothing of HTTP',             'SSH-2.0-OpenSSH_9.6\r\n',                                                [notHttp]],
];

test.each(requests)('a request that is %s is read the same however its bytes come', (_what, text, told) => {
  const bytes = Buffer.from(text, 'latin1');
  for (const pieces of cuts(bytes)) {
    const result = read('request', pieces);
    expect([result.told, result.wire.toString('latin1')]).toEqual([told, text]);
  }
});

test.each(answers)('an answer that is %s is read the same however its bytes come', (_what, text, told) => {
  for (const pieces of cuts(Buffer.from(text, 'latin1'))) expect(read('answer', pieces).told).toEqual(told);
});

test('a head that has no end is given up at the bound, and all of it is passed on', () => {
  const begin = Buffer.from('GET /a HTTP/1.1\r\n');
  const header = Buffer.from(`x: ${'y'.repeat(995)}\r\n`);
  const many = Array.from({ length: Math.ceil(longestHead / header.length) }, () => header);
  const { told, wire } = read('request', [begin, ...many, Buffer.from('\r\n')]);
  expect(told).toEqual(['! a head has more than 64 KiB']);
  expect(wire.length).toBe(begin.length + many.length * header.length + 2);
});

test('the line of a chunk and its trailers are bounded', () => {
  const head = 'PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n';
  const endless = read('request', [Buffer.from(`${head}1${'0'.repeat(5_000)}`)]);
  expect(endless.told.at(-1)).toBe('! the size of a chunk has no end');
  const trailers = read('request', [Buffer.from(`${head}0\r\n${'x: y\r\n'.repeat(20_000)}`)]);
  expect(trailers.told.at(-1)).toBe('! the trailers of a body have no end');
});
