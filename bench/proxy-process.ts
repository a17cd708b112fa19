import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { createTrafficJudge } from '../suites/traffic/index.ts';
import { startProxy } from '../suites/traffic/wire/proxy.ts';

/** The first message: the kind of proxy to start, and its target. */
export interface ToProxy {
  readonly kind: 'conform' | 'bare';
  readonly target: string;
}

/** The resource usage of a proxy, as it reports it on request. */
export interface ProxyUsage {
  /** Processor time of the process so far. */
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly keptBytes: number;
  readonly exchanges: number;
  /** Entries that the judge remembers. */
  readonly remembered: number;
}

/** Starts a minimal HTTP proxy: Node's server, undici's client, and piped bodies. */
async function bare(target: string) {
  const pool = new Pool(target);
  const server = createServer((request, response) => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
    pool
      .request({ method: request.method as 'GET', path: request.url ?? '/', headers, body: hasBody ? request : null })
      .then(answer => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.body.pipe(response);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, usage: () => ({}) };
}

async function conform(target: string) {
  const judge = createTrafficJudge({ baseUrl: new URL(target), soleWriter: true, emit: () => {} });
  const proxy = await startProxy({ target: new URL(target), sink: judge }, { host: '127.0.0.1', port: 0 });
  const usage = () => ({ keptBytes: proxy.keptBytes(), exchanges: proxy.exchanges(), remembered: judge.remembered() });
  return { url: proxy.url.origin, usage };
}

process.once('message', async ({ kind, target }: ToProxy) => {
  const { url, usage } = await (kind === 'bare' ? bare(target) : conform(target));
  process.on('message', () => {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1e3, rssMb: rss / 1e6, heapMb: heapUsed / 1e6, ...usage() });
  });
  process.send?.({ url });
});
process.once('disconnect', () => process.exit(0));
