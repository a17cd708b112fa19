import { createServer } from 'node:https';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../proof/testing/certificates.ts';
import { bytesDouble, closedPort, httpDouble, httpsDouble } from '../proof/testing/doubles.ts';
import { onLoopback } from '../proof/testing/loopback.ts';
import { longest } from '../proof/testing/skip-waits.ts';
import type { Access } from '../protocol/sut.ts';
import { createHttpClient } from './client.ts';

const authority = createAuthority();
const sound = authority.issue();
const trusting = { ca: [authority.cert] };

async function replyFrom(url: URL, tls: Access['tls'] = {}) {
  const access: Access = { headers: {}, tls, proxy: null };
  const http = createHttpClient({ baseUrl: url, access, timeoutMs: longest, connections: 1 });
  onTestFinished(() => http.close());
  return http.send({ method: 'GET', path: '/x', headers: {} });
}

const fine = (_request: unknown, response: import('node:http').ServerResponse): void => void response.end('{}');

test('an authority that is given is trusted besides the usual ones', async () => {
  const { url } = await httpsDouble(sound, fine);
  expect((await replyFrom(url, trusting)).status).toBe(200);
});

test('a certificate of the client is shown to who asks for it', async () => {
  const { url } = await httpsDouble({ ...sound, ca: authority.cert, requestCert: true }, fine);
  const client = authority.issue({ names: ['client.test'] });
  expect((await replyFrom(url, { ...trusting, ...client })).status).toBe(200);
});

test('a certificate of an unknown authority is not trusted', async () => {
  const { url } = await httpsDouble(sound, fine);
  expect((await replyFrom(url)).failure).toEqual({
    kind: 'refused',
    message: 'its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    obstacle: 'untrusted',
  });
});

test.each([
  [
    'for another host',
    { names: ['elsewhere.test'] },
    'other-name',
    'its certificate is for other names: elsewhere.test',
  ],
  [
    'that has expired',
    { validity: ['200101000000Z', '210101000000Z'] as const },
    'out-of-date',
    'its certificate is out of date (CERT_HAS_EXPIRED)',
  ],
])('a certificate %s is told as that', async (_what, options, obstacle, message) => {
  const { url } = await httpsDouble(authority.issue(options), fine);
  expect((await replyFrom(url, trusting)).failure).toEqual({ kind: 'refused', message, obstacle });
});

test('a server that wants a certificate of the client says so in the handshake', async () => {
  const options = { ...sound, ca: authority.cert, requestCert: true, maxVersion: 'TLSv1.2' as const };
  const { url } = await httpsDouble(options, fine);
  expect((await replyFrom(url, trusting)).failure).toMatchObject({ kind: 'refused', obstacle: 'client-certificate' });
});

test('https to a port that speaks http is told as that', async () => {
  const { url } = await httpDouble(fine);
  const reply = await replyFrom(new URL(url.href.replace('http:', 'https:')));
  expect(reply.failure).toEqual({ kind: 'refused', message: 'it does not speak TLS', obstacle: 'speaks-http' });
});

test('an alert of TLS in answer to plain http is told as that', async () => {
  const { url } = await bytesDouble(socket => socket.end(Buffer.from('15030100020246', 'hex')));
  const reply = await replyFrom(url);
  expect(reply.failure).toMatchObject({ kind: 'garbage', obstacle: 'speaks-https' });
});

test('a reused TLS connection that closes before the first byte is tried once more on a fresh one', async () => {
  let requests = 0;
  const server = createServer(sound, (request, response) => {
    requests += 1;
    if (requests === 2) request.socket.end();
    else response.end('{}');
  });
  const double = await onLoopback(server, 'https');
  onTestFinished(double.close);
  const access: Access = { headers: {}, tls: trusting, proxy: null };
  const http = createHttpClient({ baseUrl: double.url, access, timeoutMs: longest, connections: 1 });
  onTestFinished(() => http.close());
  const get = { method: 'GET', path: '/', headers: {} };
  expect((await http.send(get)).status).toBe(200);
  expect((await http.send(get)).status).toBe(200);
  expect(http.retries()).toEqual({ closed: 1, gateway: 0 });
});

test('a TLS connection that is dropped is dropped', async () => {
  const double = await onLoopback(
    createTlsServer(sound, socket => socket.end()),
    'https',
  );
  onTestFinished(double.close);
  expect((await replyFrom(double.url, trusting)).failure?.kind).toBe('dropped');
});

test('nobody there is nobody, and not TLS', async () => {
  const url = await closedPort();
  expect((await replyFrom(new URL(url.href.replace('http:', 'https:')))).failure?.obstacle).toBe('nobody');
});
