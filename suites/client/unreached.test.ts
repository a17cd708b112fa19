import dns from 'node:dns';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthority } from '../proof/testing/certificates.ts';
import { httpDouble, httpsDouble } from '../proof/testing/doubles.ts';
import { onLoopback } from '../proof/testing/loopback.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import type { Access } from '../protocol/sut.ts';
import { createHttpClient, type HttpClient } from './client.ts';
import { failureOf } from './failure.ts';

const get = { method: 'GET', path: '/x', headers: {} };
const direct: Access = { headers: {}, tls: {}, proxy: null };

function client(baseUrl: URL, access: Access = direct): HttpClient {
  const made = createHttpClient({ baseUrl, access, timeoutMs: longest, connections: 1 });
  onTestFinished(() => made.close());
  return made;
}

afterEach(() => vi.restoreAllMocks());

/** A target that closes every connection after its answer, and a name service that fails so many times from then on. */
async function named(code: string, times: number) {
  onTestFinished(skipWaits());
  const { url } = await httpDouble((_request, response) => response.setHeader('connection', 'close').end('{}'));
  url.hostname = 'localhost';
  const http = client(url);
  expect((await http.send(get)).status).toBe(200);
  let left = times;
  const real = dns.lookup as (...given: unknown[]) => void;
  vi.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
    if (left === 0) return real(...given);
    left -= 1;
    const error = Object.assign(new Error(code), { code, syscall: 'connect' });
    return (given.at(-1) as (error: Error) => void)(error);
  }) as never);
  return http;
}

test.each(['EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EMFILE', 'ENOBUFS', 'ETIMEDOUT'])(
  'a connection that fails once by %s is opened again, even for what works only once',
  async code => {
    const http = await named(code, 1);
    expect(await http.send(get, { once: true })).toMatchObject({ status: 200, failure: null });
  },
);

test('a network that stays away is told as absence, and not as a failure of the target', async () => {
  const http = await named('ENETUNREACH', Number.POSITIVE_INFINITY);
  expect(await http.send(get)).toMatchObject({ failure: { obstacle: 'network' }, cutShort: 'away' });
});

/** A proxy that refuses the given requests to connect, counted from 1, and connects all others to a server. */
async function refusingProxy(server: URL, refuses: (asked: number) => boolean) {
  let asked = 0;
  const proxy = createServer();
  proxy.on('connect', (_request, socket, head) => {
    asked += 1;
    if (refuses(asked)) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const onward = connect(Number(server.port), server.hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket])
      end.on('error', () => {}).on('close', () => (end === socket ? onward : socket).destroy());
  });
  const double = await onLoopback(proxy);
  onTestFinished(double.close);
  return double.url;
}

test.each([
  ['once', (asked: number) => asked === 2, { status: 200, failure: null }],
  [
    'whenever it is not looked',
    (asked: number) => asked % 2 === 0,
    { failure: { obstacle: 'proxy' }, cutShort: 'away' },
  ],
])('a proxy that does not connect %s is no failure of the target', async (_when, refuses, expected) => {
  onTestFinished(skipWaits());
  const authority = createAuthority();
  const { url } = await httpsDouble(authority.issue({ names: ['api.test'] }), (_request, response) =>
    response.setHeader('connection', 'close').end('{}'),
  );
  const access: Access = { headers: {}, tls: { ca: [authority.cert] }, proxy: await refusingProxy(url, refuses) };
  const http = client(new URL('https://api.test'), access);
  expect((await http.send(get)).status).toBe(200);
  expect(await http.send(get, { once: true })).toMatchObject(expected);
});

test.each(['read', 'write'])('a network that fails at a %s has carried the request', syscall => {
  const error = Object.assign(new Error('x'), { code: 'ETIMEDOUT', syscall });
  expect(failureOf(error, 5).kind).toBe('dropped');
});
