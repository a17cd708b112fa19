import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { endpointIds, endpoints } from '../contracts/endpoints.ts';
import { backendFor, createReferenceServer } from '../reference-server/index.ts';

/** Canned answers by endpoint, as the parent process sends them. */
export type Canned = Readonly<Record<string, string>>;

/** The faults and dialects of the reference server, by their ids, and its delay. */
export interface ServerVariant {
  readonly faults?: readonly string[];
  readonly dialects?: readonly string[];
  /** The delay of every answer, in milliseconds. */
  readonly delayMs?: number;
  /** The place of its state; absent: memory. */
  readonly store?: string;
}

/** The first message: the canned answers of the bare server, or the variant of the reference server. */
export interface ToServe {
  readonly canned: Canned | null;
  readonly variant: ServerVariant;
}

/** Starts a Koa application with a route for each endpoint, which answers every request with the same bytes. */
async function bare(canned: Canned): Promise<string> {
  const router = new Router();
  for (const id of endpointIds) {
    const { method, path } = endpoints[id];
    const body = canned[id] ?? '{}';
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], context => {
      context.type = 'application/json; charset=utf-8';
      context.body = body;
    });
  }
  const app = new Koa();
  app.use(router.routes());
  const server = createServer(app.callback());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns a listener that delays the end of its answers, but not their effects. */
const delayed =
  (delayMs: number) =>
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      setTimeout(() => end(...args), delayMs);
      return response;
    };
    listener(request, response);
  };

async function reference({ delayMs, store, ...variant }: ServerVariant): Promise<string> {
  const slow = delayMs === undefined ? {} : { decorateListener: delayed(delayMs) };
  const kept = store === undefined ? {} : { backend: await backendFor(store) };
  return (await createReferenceServer({ apiKey: 'bench-key', ...variant, ...slow, ...kept }).listen()).url;
}

/** Started by `bench/servers.ts`: the first message says what to serve; the reply is the URL. */
process.once('message', async ({ canned, variant }: ToServe) => {
  const url = canned === null ? await reference(variant) : await bare(canned);
  process.send?.({ url });
  // Every later message asks for the processor time of this process, in microseconds.
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
});
process.once('disconnect', () => process.exit(0));
