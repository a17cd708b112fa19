import { createServer, request as forward } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Double } from './doubles.ts';
import { onLoopback } from './loopback.ts';

/** A proxy that records requests. */
export interface ProxyDouble extends Double {
  /** `CONNECT host:port`, or the method and the whole URL. */
  readonly asked: readonly string[];
}

/** Starts a proxy for one test. It connects every host to one server, and demands credentials if given. */
export async function proxyDouble(server: URL, credentials?: string): Promise<ProxyDouble> {
  const asked: string[] = [];
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { 'proxy-authorization': given, ...headers } = request.headers;
    if (given !== expected) {
      response.writeHead(407).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '');
    const { hostname, port } = server;
    const onward = forward({ hostname, port, method: request.method, path: pathname + search, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  proxy.on('connect', (request, socket, head) => {
    asked.push(`CONNECT ${request.url}`);
    if (request.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const onward = connect(Number(server.port), server.hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const end of [onward, socket])
      end.on('error', () => {}).on('close', () => (end === socket ? onward : socket).destroy());
  });
  const double = await onLoopback(proxy);
  onTestFinished(double.close);
  return { ...double, asked };
}
