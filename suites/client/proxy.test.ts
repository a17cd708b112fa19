import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../proof/testing/certificates.ts';
import { bytesDouble, closedPort, httpDouble, httpsDouble } from '../proof/testing/doubles.ts';
import { proxyDouble } from '../proof/testing/proxy.ts';
import { longest } from '../proof/testing/skip-waits.ts';
import type { Access } from '../protocol/sut.ts';
import { createHttpClient, type HttpClient } from './client.ts';
import { BadProxy, proxyFor, proxyHeaders } from './proxy.ts';

type Environment = Readonly<Record<string, string>>;
const proxy = 'http://proxy.test:3128';

// biome-ignore format: a table
test.each<[target: string, environment: Environment, via: string | null]>([
  ['http://api.test',             {},                                                          null],
  ['http://api.test',             { HTTP_PROXY: proxy },                                       'http://proxy.test:3128/'],
  ['http://api.test',             { http_proxy: proxy },                                       'http://proxy.test:3128/'],
  ['http://api.test',             { http_proxy: proxy, HTTP_PROXY: 'http://other.test' },      'http://proxy.test:3128/'],
  ['http://api.test',             { http_proxy: '', HTTP_PROXY: proxy },                       null],
  ['http://api.test',             { HTTPS_PROXY: proxy },                                      null],
  ['https://api.test',            { HTTPS_PROXY: proxy },                                      'http://proxy.test:3128/'],
  ['https://api.test',            { https_proxy: 'proxy.test:8080' },                          'http://proxy.test:8080/'],
  ['https://api.test',            { HTTP_PROXY: proxy },                                       null],
  ['http://localhost:4010',       { HTTP_PROXY: proxy },                                       null],
  ['http://a.localhost.:4010',    { HTTP_PROXY: proxy },                                       null],
  ['http://127.0.0.1',            { HTTP_PROXY: proxy },                                       null],
  ['http://127.8.0.1',            { HTTP_PROXY: proxy },                                       null],
  ['http://[::1]:80',             { HTTP_PROXY: proxy },                                       null],
  ['http://localhost.test',       { HTTP_PROXY: proxy },                                       'http://proxy.test:3128/'],
  ['http://api.test',             { HTTP_PROXY: proxy, NO_PROXY: 'api.test' },                 null],
  ['http://api.test',             { HTTP_PROXY: proxy, no_proxy: 'other.test, API.test' },     null],
  ['http://v2.api.test',          { HTTP_PROXY: proxy, NO_PROXY: 'api.test' },                 null],
  ['http://v2.api.test',          { HTTP_PROXY: proxy, NO_PROXY: '.api.test' },                null],
  ['http://v2.api.test',          { HTTP_PROXY: proxy, NO_PROXY: '*.api.test' },               null],
  ['http://myapi.test',           { HTTP_PROXY: proxy, NO_PROXY: 'api.test' },                 'http://proxy.test:3128/'],
  ['http://api.test',             { HTTP_PROXY: proxy, NO_PROXY: '*' },                        null],
  ['http://api.test',             { HTTP_PROXY: proxy, NO_PROXY: 'api.test:80' },              null],
  ['http://api.test:81',          { HTTP_PROXY: proxy, NO_PROXY: 'api.test:80' },              'http://proxy.test:3128/'],
  ['https://api.test',            { HTTPS_PROXY: proxy, NO_PROXY: 'api.test:443' },            null],
  ['http://10.1.2.3',             { HTTP_PROXY: proxy, NO_PROXY: '10.0.0.0/8' },               null],
  ['http://11.1.2.3',             { HTTP_PROXY: proxy, NO_PROXY: '10.0.0.0/8' },               'http://proxy.test:3128/'],
  ['http://[fd00::1]',            { HTTP_PROXY: proxy, NO_PROXY: 'fd00::/8' },                 null],
  ['http://[fd00::1]:81',         { HTTP_PROXY: proxy, NO_PROXY: '[fd00::1]:81' },             null],
  ['http://api.test',             { HTTP_PROXY: proxy, NO_PROXY: '10.0.0.0/99 /8 : ,' },       'http://proxy.test:3128/'],
])('to %s with %j the proxy is %s', (target, environment, via) => {
  expect(proxyFor(new URL(target), environment)?.href ?? null).toBe(via);
});

test.each([
  ['socks5://proxy.test:1080', 'HTTP_PROXY must be an http or https URL, not socks5:'],
  ['http://user:secret@', 'HTTP_PROXY is no URL; give one such as http://proxy.example:3128'],
])('the proxy %s cannot be used, and that is told without a password', (text, message) => {
  expect(() => proxyFor(new URL('http://api.test'), { HTTP_PROXY: text })).toThrow(new BadProxy(message));
});

function client(baseUrl: string, via: URL, tls: Access['tls'] = {}): HttpClient {
  const access: Access = { headers: {}, tls, proxy: via };
  const made = createHttpClient({ baseUrl: new URL(baseUrl), access, timeoutMs: longest, connections: 1 });
  onTestFinished(() => made.close());
  return made;
}

const get = { method: 'GET', path: '/console/v1/segments?page=1', headers: { 'SERVICE-API-KEY': 'a-key' } };
const authority = createAuthority();
const tls = { ca: [authority.cert] };

describe('through a proxy', () => {
  test('plain http is asked for by its whole URL, and the target sees its own name', async () => {
    const seen: unknown[] = [];
    const { url } = await httpDouble((request, response) => {
      seen.push([request.url, request.headers.host, request.headers['service-api-key']]);
      response.end('{}');
    });
    const via = await proxyDouble(url);
    const http = client('http://api.test:8080/below', via.url);
    expect((await http.send(get)).status).toBe(200);
    expect((await http.send(get)).status).toBe(200);
    expect(via.asked[0]).toBe('GET http://api.test:8080/below/console/v1/segments?page=1');
    expect(via.connections()).toBe(1);
    expect(seen[0]).toEqual(['/below/console/v1/segments?page=1', 'api.test:8080', 'a-key']);
  });

  test('https goes by CONNECT, is kept open, and the certificate is that of the target', async () => {
    const { url } = await httpsDouble(authority.issue({ names: ['api.test'] }), (request, response) => {
      response.end(JSON.stringify({ host: request.headers.host }));
    });
    const via = await proxyDouble(url);
    const http = client('https://api.test', via.url, tls);
    expect(await http.send(get)).toMatchObject({ status: 200, body: { value: { host: 'api.test' } } });
    expect((await http.send(get)).status).toBe(200);
    expect(via.asked).toEqual(['CONNECT api.test:443']);
    const other = client('https://other.test', via.url, tls);
    expect((await other.send(get)).failure?.obstacle).toBe('other-name');
  });

  test('a connection that closes under a request is opened again, once', async () => {
    let requests = 0;
    const { url } = await httpsDouble(authority.issue({ names: ['api.test'] }), (request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('{}');
    });
    const via = await proxyDouble(url);
    const http = client('https://api.test', via.url, tls);
    await http.send(get);
    expect((await http.send(get)).status).toBe(200);
    expect(via.asked).toHaveLength(2);
    expect(http.retries().closed).toBe(1);
  });

  test.each(['http', 'https'])('user name and password go to the proxy, and to nobody else, over %s', async scheme => {
    const seen: unknown[] = [];
    const listener = (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
      seen.push(request.headers['proxy-authorization']);
      response.end('{}');
    };
    const certificate = authority.issue({ names: ['api.test'] });
    const { url } = await (scheme === 'http' ? httpDouble(listener) : httpsDouble(certificate, listener));
    const via = await proxyDouble(url, 'user:pass word');
    const withPassword = new URL(via.url);
    withPassword.username = 'user';
    withPassword.password = 'pass word';
    expect((await client(`${scheme}://api.test`, withPassword, tls).send(get)).status).toBe(200);
    expect(seen).toEqual([undefined]);
  });

  test('a proxy that refuses is told as that, not as the target', async () => {
    const via = await proxyDouble(await closedPort(), 'user:password');
    expect((await client('https://api.test', via.url).send(get)).failure).toEqual({
      kind: 'refused',
      message: `the proxy ${via.url.host} does not connect to api.test:443 (status 407)`,
      obstacle: 'proxy',
    });
  });

  test('a proxy that is not there, or speaks no HTTP, is told as that', async () => {
    const nobody = await closedPort();
    expect((await client('https://api.test', nobody).send(get)).failure).toEqual({
      kind: 'refused',
      message: `the proxy ${nobody.host} cannot be used (ECONNREFUSED)`,
      obstacle: 'proxy',
    });
    const { url } = await bytesDouble(socket => socket.end('220 ready\r\n'));
    expect((await client('https://api.test', url).send(get)).failure?.obstacle).toBe('proxy');
  });

  test('the proxy is spoken to over TLS where its URL says https', async () => {
    const { url } = await httpDouble((_request, response) => response.end('{}'));
    const reply = await client('http://api.test', new URL(url.href.replace('http:', 'https:'))).send(get);
    expect(reply.failure?.obstacle).toBe('speaks-http');
  });
});

test('a name or a password that is no text is shown to the proxy as it is', () => {
  const [header] = Object.values(proxyHeaders(new URL('http://u%ff:p%20q@proxy.test')));
  expect(header).toBe(`Basic ${Buffer.from('u%ff:p q').toString('base64')}`);
});
