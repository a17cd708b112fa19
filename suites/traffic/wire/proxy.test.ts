import { createServer } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../../proof/testing/certificates.ts';
import { onLoopback } from '../../proof/testing/loopback.ts';
import { bodyText, bytesTarget, proxyBefore, type Speaker } from './proxy.fixture.ts';
import { reset } from './sockets.ts';

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: proxy\r\n${more}\r\n`;
const answer = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

/** Sends one answer for each request line, in order. */
const saying =
  (...answers: readonly string[]) =>
  ({ socket, text }: Speaker): void => {
    let said = 0;
    socket.on('data', () => {
      while (said < answers.length && (text().match(/ HTTP\/1\.1\r\n/g)?.length ?? 0) > said) {
        socket.write(answers[said] as string, 'latin1');
        said += 1;
      }
    });
  };

describe('what goes through', () => {
  test('requests in one piece, and their answers, are the bytes that came, and each pair is observed', async () => {
    const answers = [answer('1'), answer('22'), answer('333')];
    const target = await bytesTarget(saying(...answers));
    const { dial, sink } = await proxyBefore(target.url, { preserveHost: true });
    const sent = get('/a') + get('/b?x=1', 'X: y\r\n') + get('/c');
    const client = dial();
    client.socket.write(sent);
    await client.until(text => text.length >= answers.join('').length);
    expect(client.text()).toBe(answers.join(''));
    expect((await target.connection(0)).text()).toBe(sent);
    await sink.until(3);
    expect(sink.seen.map(({ number, source, request }) => [number, source, request.target])).toEqual([
      [1, 'connection 1', '/a'],
      [2, 'connection 1', '/b?x=1'],
      [3, 'connection 1', '/c'],
    ]);
    expect(sink.seen.map(({ response }) => 'body' in response && bodyText(response.body))).toEqual(['1', '22', '333']);
    expect(sink.seen.every(({ sentAtMs, answeredAtMs }) => sentAtMs <= answeredAtMs)).toBe(true);
  });

  // biome-ignore format: a table
  test.each([
    ['Host in any spelling',        'GET /a HTTP/1.1\r\nhOST:\t proxy \r\nX-Host: proxy\r\n\r\n', 'GET /base/a HTTP/1.1\r\nhOST:\t TARGET \r\nX-Host: proxy\r\n\r\n', '/a'],
    ['Host folded',                 'GET /a HTTP/1.1\r\nHost:\r\n proxy\r\n\r\n',           'GET /base/a HTTP/1.1\r\nHost:TARGET\r\n\r\n',           '/a'],
    ['no Host',                     'GET /a HTTP/1.0\r\n\r\n',                              'GET /base/a HTTP/1.0\r\n\r\n',                          '/a'],
    ['the origin before the path',  'GET http://proxy/a?b HTTP/1.1\r\nHost: proxy\r\n\r\n', 'GET http://TARGET/base/a?b HTTP/1.1\r\nHost: TARGET\r\n\r\n', '/a?b'],
    ['the origin without a path',   'GET http://proxy?b HTTP/1.1\r\nHost: proxy\r\n\r\n',   'GET http://TARGET/base/?b HTTP/1.1\r\nHost: TARGET\r\n\r\n', '/?b'],
    ['the server as a whole',       'OPTIONS * HTTP/1.1\r\nHost: proxy\r\n\r\n',            'OPTIONS * HTTP/1.1\r\nHost: TARGET\r\n\r\n',            '*'],
    ['a name twice',                'GET /a HTTP/1.1\r\nHost: proxy\r\nHost: b\r\n\r\n',    'GET /base/a HTTP/1.1\r\nHost: TARGET\r\nHost: TARGET\r\n\r\n', '/a'],
  ])('%s: only Host and the path are the target’s', async (_what, sent, expected, path) => {
    const target = await bytesTarget(saying(answer('')));
    const { dial, sink } = await proxyBefore(new URL('/base/', target.url));
    const client = dial();
    client.socket.write(sent);
    client.socket.end();
    const came = await target.connection(0);
    await came.ended();
    expect(came.text()).toBe(expected.replaceAll('TARGET', target.url.host));
    came.socket.end();
    await sink.until(1);
    expect(sink.seen[0]?.request.target).toBe(path);
  });

  test('a second request is rewritten like the first, and nothing that a body holds', async () => {
    const target = await bytesTarget(saying(answer(''), answer('')));
    const { dial } = await proxyBefore(new URL('/base', target.url));
    const body = get('/in-a-body');
    const client = dial();
    client.socket.write(`PUT /a HTTP/1.1\r\nHost: proxy\r\nContent-Length: ${body.length}\r\n\r\n${body}${get('/b')}`);
    const came = await target.connection(0);
    const last = `GET /base/b HTTP/1.1\r\nHost: ${target.url.host}\r\n\r\n`;
    await came.until(text => text.endsWith(last));
    expect(came.text()).toContain(`\r\n\r\n${body}${last}`);
  });

  test('interim answers, HEAD, 304, chunks and trailers are the bytes that came, and only final answers are observed', async () => {
    const answers = [
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\na',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n',
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n2\r\nbc\r\n0\r\nx: y\r\n\r\n',
    ];
    const target = await bytesTarget(saying(...answers));
    const { dial, sink, notices } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write(`PUT /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`);
    await client.until(text => text.includes('100 Continue'));
    client.socket.write(`{}HEAD /b HTTP/1.1\r\nHost: x\r\n\r\n${get('/c')}${get('/d')}`);
    await sink.until(4);
    await client.until(text => text.length >= answers.join('').length);
    expect(client.text()).toBe(answers.join(''));
    expect(sink.seen.map(({ response }) => 'status' in response && [response.status, bodyText(response.body)])).toEqual(
      [
        [201, 'a'],
        [200, 'null'],
        [304, 'null'],
        [200, 'bc'],
      ],
    );
    expect(bodyText(sink.seen[0]?.request.body ?? null)).toBe('{}');
    expect(notices).toEqual([]);
  });

  test('an upgraded connection carries what it likes, both ways', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    const target = await bytesTarget(saying(`${upgrade}\x81\x01a`));
    const { dial, sink, notices } = await proxyBefore(target.url);
    const client = dial();
    const head = get('/socket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n').replace('proxy', target.url.host);
    client.socket.write(head);
    await client.until(text => text.endsWith('a'));
    client.socket.write(`${get('/no-request')}\x81\x01b`, 'latin1');
    const came = await target.connection(0);
    await came.until(text => text.endsWith('b'));
    expect(client.text()).toBe(`${upgrade}\x81\x01a`);
    expect(came.text()).toBe(`${head}${get('/no-request')}\x81\x01b`);
    expect(sink.seen.map(({ response }) => 'status' in response && response.status)).toEqual([101]);
    expect(notices).toEqual([]);
  });

  test('what a client sends behind an upgrade before the answer to it goes out first', async () => {
    const target = await bytesTarget(({ socket, until }) => {
      void until(text => text.endsWith('\r\n\r\n')).then(() =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      );
    });
    const { dial } = await proxyBefore(target.url, { preserveHost: true });
    const client = dial();
    // The bytes may still become a request method, so they are held until the answer rules that out.
    const sent = `${get('/socket').slice(0, -2)}Connection: upgrade\r\nUpgrade: x\r\n\r\nEARLY`;
    client.socket.write(sent);
    await client.until(text => text.endsWith('\r\n\r\n'));
    client.socket.write('-later');
    const came = await target.connection(0);
    expect(await came.until(text => text.includes('later'))).toBe(`${sent}-later`);
  });

  test('an answer may come before the request is whole, and the exchange is over when both are', async () => {
    const target = await bytesTarget(saying(answer('early')));
    const { dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write('PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab');
    await client.until(text => text.endsWith('early'));
    expect(sink.seen).toEqual([]);
    client.socket.write('cd');
    await sink.until(1);
    expect(bodyText(sink.seen[0]?.request.body ?? null)).toBe('abcd');
  });
});

describe('how a connection ends', () => {
  test('a client that closes its side still gets the answer', async () => {
    const target = await bytesTarget(({ socket, ended }) => void ended().then(() => socket.end(answer('late'))));
    const { dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.end(get('/a'));
    await client.ended();
    expect(client.text()).toBe(answer('late'));
    await sink.until(1);
    expect(sink.seen[0]?.response).toMatchObject({ status: 200 });
  });

  // biome-ignore format: a table
  test.each([
    ['says nothing and closes',           '',                                             'end',   'the target closed the connection without an answer'],
    ['closes in the middle of an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'end',   'the target closed the connection without an answer, in the middle of the answer'],
    ['resets in the middle of an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'reset', 'the target broke the connection off (ECONNRESET), in the middle of the answer'],
    ['resets an answer without a length', 'HTTP/1.1 200 OK\r\n\r\nabc',                      'reset', 'the target broke the connection off (ECONNRESET), in the middle of the answer'],
  ] as const)('a target that %s: the client sees the same, and it is observed', async (_does, says, how, failure) => {
    const target = await bytesTarget();
    const { dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write(get('/a'));
    const came = await target.connection(0);
    await came.until(text => text.endsWith('\r\n\r\n'));
    came.socket.write(says);
    // Node reports data and a reset that arrive together as a mere end.
    await client.until(text => text === says);
    if (how === 'end') came.socket.end();
    else reset(came.socket);
    expect(await client.ended()).toBe(how);
    expect(client.text()).toBe(says);
    await sink.until(1);
    expect(sink.seen[0]?.response).toEqual({ failure, isDropped: true });
  });

  test('a connection that was used before, or on which a request still comes, may be closed: nothing was dropped', async () => {
    const target = await bytesTarget();
    const { dial, sink } = await proxyBefore(target.url);
    const [used, coming] = [dial(), dial()];
    used.socket.write(get('/a'));
    const first = await target.connection(0);
    await first.until(text => text.endsWith('\r\n\r\n'));
    first.socket.write(answer('1'));
    await used.until(text => text.endsWith('1'));
    used.socket.write(get('/b'));
    await first.until(text => text.includes('/b'));
    first.socket.end();
    await used.ended();
    coming.socket.write('PUT /c HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab');
    const second = await target.connection(1);
    await second.until(text => text.endsWith('ab'));
    second.socket.end();
    await coming.ended();
    await sink.until(3);
    const failure = 'the target closed the connection without an answer';
    expect(sink.seen.slice(1).map(({ response }) => response)).toEqual([{ failure }, { failure }]);
  });

  test('a client that resets has its connection to the target reset, and the target is not accused', async () => {
    const target = await bytesTarget();
    const { dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write(get('/a'));
    const came = await target.connection(0);
    await came.until(text => text.endsWith('\r\n\r\n'));
    reset(client.socket);
    expect(await came.ended()).toBe('reset');
    await sink.until(1);
    expect(sink.seen[0]?.response).toEqual({ failure: 'the client closed the connection before the answer' });
  });

  test('a target that is not there is said so, once a request has come', async () => {
    const target = await bytesTarget();
    await target.close();
    const { dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write(get('/a'));
    await client.ended();
    const why = `${target.url.origin} cannot be reached: no connection (ECONNREFUSED)`;
    expect(client.text()).toContain('HTTP/1.1 502 Bad Gateway\r\n');
    expect(client.text().endsWith(`conform proxy: ${why}\n`)).toBe(true);
    await sink.until(1);
    expect(sink.seen[0]?.response).toEqual({ failure: why });
  });

  test('a tunnel is refused, and the target is asked for nothing', async () => {
    const target = await bytesTarget();
    const { dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    await client.ended();
    expect(client.text()).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/);
    expect((await target.connection(0)).text()).toBe('');
    expect(sink.seen).toEqual([]);
  });

  test('a proxy that is closed hands on what was under way, and ends both sides', async () => {
    const target = await bytesTarget();
    const { proxy, dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write(get('/a'));
    const came = await target.connection(0);
    await came.until(text => text.endsWith('\r\n\r\n'));
    await proxy.close();
    expect(sink.seen[0]?.response).toEqual({ failure: 'the proxy was stopped before the answer' });
    expect([await client.ended(), await came.ended()]).toEqual([expect.any(String), expect.any(String)]);
  });

  test('a proxy that is closed after the client has ended says that the client did', async () => {
    const target = await bytesTarget();
    const { proxy, dial, sink } = await proxyBefore(target.url);
    const client = dial();
    client.socket.end(get('/a'));
    await (await target.connection(0)).ended();
    await proxy.close();
    expect(sink.seen[0]?.response).toEqual({ failure: 'the client closed the connection before the answer' });
  });
});

describe('what cannot be read', () => {
  test('is passed on all the same, and a notice says what is not judged', async () => {
    const target = await bytesTarget(({ socket }) => void socket.write('hello\r\n'));
    const { dial, sink, notices } = await proxyBefore(target.url);
    const client = dial();
    client.socket.write('SSH-2.0-x\r\n');
    const came = await target.connection(0);
    expect(await came.until(text => text.endsWith('\n'))).toBe('SSH-2.0-x\r\n');
    expect(await client.until(text => text.endsWith('\n'))).toBe('hello\r\n');
    expect(notices).toContain('connection 1 is not judged from here on: these bytes are not HTTP/1');
    expect(sink.seen).toEqual([]);
  });

  test('answers that belong to no request end the judging of answers; requests go on, rewritten and observed', async () => {
    const target = await bytesTarget(saying(`${answer('{}')}{"more":true}`, answer('x')));
    const { dial, sink, notices } = await proxyBefore(new URL('/base', target.url));
    const client = dial();
    client.socket.write(get('/a'));
    await client.until(text => text.endsWith('{"more":true}'));
    client.socket.write(get('/b'));
    await client.until(text => text.endsWith('x'));
    await sink.until(2);
    const why = 'these bytes are not HTTP/1';
    expect(notices).toEqual([`connection 1: no answer is judged from here on: ${why}`]);
    expect(sink.seen.map(({ response }) => response)).toMatchObject([{ status: 200 }, { failure: why }]);
    expect((await target.connection(0)).text()).toContain(`GET /base/b HTTP/1.1\r\nHost: ${target.url.host}\r\n`);
  });

  test('of requests that nobody answers only so many are remembered, and each is observed all the same', async () => {
    const target = await bytesTarget();
    const { dial, sink } = await proxyBefore(target.url, { preserveHost: true });
    const client = dial();
    const sent = get('/a').repeat(1_500);
    client.socket.write(sent);
    const came = await target.connection(0);
    await came.until(text => text.length >= sent.length);
    await sink.until(1_500);
    expect(came.text()).toBe(sent);
    expect(new Set(sink.seen.map(({ response }) => JSON.stringify(response)))).toEqual(
      new Set(['{"failure":"more than 1000 requests of the connection waited for answers"}']),
    );
  });

  test('a sink that fails is told of, and nothing else comes of it', async () => {
    const target = await bytesTarget(saying(answer('a'), answer('b')));
    const observe = (): void => {
      throw new Error('boom');
    };
    const { dial, notices } = await proxyBefore(target.url, { sink: { observe } });
    const client = dial();
    client.socket.write(get('/a') + get('/b'));
    await client.until(text => text.endsWith('b'));
    expect(notices).toEqual([1, 2].map(number => `connection 1: exchange ${number} is not judged: boom`));
  });
});

test('a target is reached by TLS, with the authority and the certificate that it wants', async () => {
  const authority = createAuthority();
  const server = createServer(
    { ...authority.issue(), ca: [authority.cert], requestCert: true, rejectUnauthorized: true },
    (request, response) => response.end(`${request.headers.host} ${request.url}`),
  );
  const secure = await onLoopback(server, 'https');
  onTestFinished(secure.close);
  const tls = { ca: [authority.cert], ...authority.issue() };
  const { dial, sink } = await proxyBefore(new URL('/base', secure.url), { access: { tls } });
  const client = dial();
  client.socket.write(get('/a'));
  const expected = `${secure.url.host} /base/a`;
  await client.until(text => text.includes(expected));
  await sink.until(1);
  expect(sink.seen.map(({ response }) => 'body' in response && bodyText(response.body))).toEqual([expected]);

  const untrusted = await proxyBefore(secure.url);
  const other = untrusted.dial();
  other.socket.write(get('/a'));
  await other.ended();
  expect(other.text()).toMatch(/cannot be reached: its certificate is not trusted \(\w+\)\n$/);
});
