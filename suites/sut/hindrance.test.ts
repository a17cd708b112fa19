import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { TargetFile } from '../../contracts/target.ts';
import { createAuthority } from '../proof/testing/certificates.ts';
import { bytesDouble, httpDouble, httpsDouble } from '../proof/testing/doubles.ts';
import { testKey } from '../proof/testing/reference-run.ts';
import { longest } from '../proof/testing/skip-waits.ts';
import type { Access } from '../protocol/sut.ts';
import { type Hindrance, hindranceOf } from './hindrance.ts';
import { openReadOnlyClient } from './read-only-client.ts';
import { targetOf } from './target.ts';

const direct: Access = { headers: {}, tls: {}, proxy: null };
const authority = createAuthority();

async function hindrance(url: URL, access: Access = direct, file: TargetFile = {}): Promise<Hindrance | null> {
  const target = targetOf(file, url, testKey, access);
  const client = openReadOnlyClient(target, 'reads', longest);
  try {
    const answers = [
      await client.send({ endpoint: 'list-segments' }),
      await client.send({ endpoint: 'list-qualifying-events' }),
    ];
    return await hindranceOf({ target, answers, timeoutMs: longest, read: client.send });
  } finally {
    await client.close();
  }
}

/** Answers every request alike; `host` in a header stands for the server's own address. */
const answering =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };

describe('where every answer', () => {
  // biome-ignore format: a table
  test.each<[what: string, path: string, listener: RequestListener, text: RegExp, remedy: RegExp]>([
    ['is 404',                          '/',                   answering(404, '{}', json), /^no path of the API is known there \(status 404 on 2 of 2 requests\)$/, /begin with \/console\/v1/],
    ['is 404 below the prefix twice',   '/api/console/v1/',    answering(404, '', html),   /status 404/,      /^leave \/console\/v1 out of the base URL: http:\/\/127\.0\.0\.1:\d+\/api$/],
    ['is 404 below half the prefix',    '/console',            answering(404, '', html),   /status 404/,      /^leave \/console out of the base URL: http:\/\/127\.0\.0\.1:\d+$/],
    ['is 404 below one of the paths',   '/console/v1/gates',   answering(404, '', html),   /status 404/,      /^leave \/console\/v1\/gates out of the base URL: http:\/\/127\.0\.0\.1:\d+$/],
    ['is 500',                          '/',                   answering(500, 'boom'),     /^every answer is an error of the server \(status 500/, /log/],
    ['is a page',                       '/',                   answering(200, '<!doctype html><title>Welcome', html), /^every answer is an HTML page, none comes from an API \(status 200\)$/, /--header/],
    ['is a page that says it is text',  '/',                   answering(200, ' <html>'),  /HTML page/,       /base URL/],
    ['is a page of a firewall',         '/',                   answering(403, '<h1>Who are you?', html), /HTML page.*\(status 403\)/, /firewall.*--header/],
    ['refuses the key',                 '/',                   answering(401, '{}', json), /^the key was refused everywhere \(status 401 on 2 of 2 minimal requests\)$/, /--api-key.*naming\.apiKeyHeader is SERVICE-API-KEY/],
    ['wants TLS',                       '/',                   answering(400, 'Client sent an HTTP request to an HTTPS server.'), /wants TLS/, /^use https in the base URL: https:/],
  ])('%s, that is said in one line, with a remedy', async (_what, path, listener, text, remedy) => {
    const { url } = await httpDouble(listener);
    const found = await hindrance(new URL(path, url));
    expect(found?.text).toMatch(text);
    expect(found?.remedy).toMatch(remedy);
    expect(`${found?.text}${found?.remedy}`).not.toMatch(/[\n«]/);
  });

  // biome-ignore format: a table
  test.each<[what: string, location: (path: string) => string, remedy: RegExp]>([
    ['to another scheme',                       path => `https://api.test${path}`,          /^use the new base URL: https:\/\/api\.test$/],
    ['to another path, and a slash at its end', path => `https://api.test/v2${path}/?a=1`,  /^use the new base URL: https:\/\/api\.test\/v2$/],
    ['on the same host',                        path => `/below${path}`,                    /^use the new base URL: http:\/\/127\.0\.0\.1:\d+\/below$/],
    ['to a login',                              () => 'https://sso.test/login?to=console',  /gateway in front asks for a login.*--header/],
    ['to itself with a slash',                  path => `${path}/`,                         /without a redirect/],
  ])('is a redirect %s, it is not followed, and told', async (_what, location, remedy) => {
    const { url } = await httpDouble((request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      response.writeHead(308, { location: location(path) }).end();
    });
    const found = await hindrance(url);
    expect(found?.text).toMatch(/^every answer is a redirect \(status 308\), to \S+ for one/);
    expect(found?.text).not.toContain('login?to');
    expect(found?.remedy).toMatch(remedy);
  });
});

test('a redirect that carries the key does not disclose it', async () => {
  const { url } = await httpDouble((request, response) => {
    const key = encodeURIComponent(String(request.headers['service-api-key']));
    response.writeHead(302, { location: `https://api.test/${key}${request.url}` }).end();
  });
  const found = await hindrance(url);
  expect(found?.text).toContain('«the API key»');
  expect(JSON.stringify(found)).not.toContain(encodeURIComponent(testKey));
});

describe('nothing is in the way where', () => {
  // biome-ignore format: a table
  test.each<[what: string, listener: RequestListener]>([
    ['one list is there',                    (request, response) => void response.writeHead(request.url?.includes('segments') ? 200 : 404).end('{}')],
    ['one list is an error of the server',   (request, response) => void response.writeHead(request.url?.includes('segments') ? 200 : 500).end('{}')],
    ['the key may not do one operation',     (request, response) => void response.writeHead(request.url?.includes('segments') ? 403 : 200).end('{}')],
    ['an operation that is named answers',   (request, response) => void response.writeHead(request.url?.includes('/events/') ? 200 : 404).end('{}')],
    ['everything is answered, and wrongly',  answering(200, 'null', json)],
    ['JSON is called a page',                answering(200, '{}', html)],
    ['everything is not modified',           answering(304, '')],
  ])('%s', async (_what, listener) => {
    const { url } = await httpDouble(listener);
    expect(await hindrance(url, direct, { fixtures: { events: ['an_event'] } })).toBeNull();
  });
});

describe('a connection that is not made says what would help', () => {
  const sound = authority.issue();
  const trusting: Access = { ...direct, tls: { ca: [authority.cert] } };
  const fine = answering(200, '{}', json);

  test('a certificate that is not trusted', async () => {
    const { url } = await httpsDouble(sound, fine);
    expect(await hindrance(url)).toEqual({
      area: 'reachable',
      text: `no answer from ${url.href}: its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`,
      remedy: 'name the certificate of its authority with --ca FILE, or in NODE_EXTRA_CA_CERTS',
    });
  });

  test('a certificate for another host', async () => {
    const { url } = await httpsDouble(authority.issue({ names: ['elsewhere.test'] }), fine);
    const found = await hindrance(url, trusting);
    expect(found?.text).toContain('its certificate is for other names: elsewhere.test');
    expect(found?.remedy).toContain('base URL');
  });

  test.each([
    ['at once', {}],
    ['in the handshake', { maxVersion: 'TLSv1.2' as const }],
  ])('a server that wants a certificate of the client, and closes %s', async (_when, more) => {
    const { url } = await httpsDouble({ ...sound, ...more, ca: authority.cert, requestCert: true }, fine);
    expect((await hindrance(url, trusting))?.remedy).toContain('--client-cert');
  });

  test('http to a port for https', async () => {
    const { url } = await httpsDouble(sound, fine);
    expect(await hindrance(new URL(url.href.replace('https:', 'http:')))).toMatchObject({
      text: expect.stringContaining('it speaks TLS, not plain HTTP'),
      remedy: `use https in the base URL: ${url.origin}`,
    });
  });

  test('https to a port for http', async () => {
    const { url } = await httpDouble(fine);
    expect((await hindrance(new URL(url.href.replace('http:', 'https:'))))?.remedy).toBe(
      `use http in the base URL: ${url.origin}`,
    );
  });

  test('a port that closes every connection', async () => {
    const { url } = await bytesDouble(socket => socket.destroy());
    const found = await hindrance(url);
    expect(found?.text).toContain('the connection closed without an answer');
    expect(found?.remedy).toContain('something else listens there');
  });
});
