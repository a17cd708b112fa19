import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { endpointIds, endpoints } from '../contracts/endpoints.ts';
import { createReferenceServer } from '../reference-server/index.ts';

/** Canned answers by endpoint, as the parent process sends them. */
export type Canned = Readonly<Record<string, string>>;

/** What the reference server is to have, by ids of the catalogues. */
export interface Peculiarities {
  readonly faults?: readonly string[];
  readonly dialects?: readonly string[];
  /** Milliseconds by which every answer is held back. */
  readonly delayMs?: number;
}

/** The first message: canned answers for the bare server, or what is peculiar about the reference server. */
export interface ToServe {
  readonly canned: Canned | null;
  readonly peculiar: Peculiarities;
}

/** A Koa application with the router's fifteen routes and nothing else: each answers the same bytes, whatever was asked. */
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

/** A listener whose answers end so many milliseconds later; what they did to the state they did at once. */
const heldBack =
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

async function reference({ delayMs, ...peculiar }: Peculiarities): Promise<string> {
  const slow = delayMs === undefined ? {} : { decorateListener: heldBack(delayMs) };
  return (await createReferenceServer({ apiKey: 'bench-key', ...peculiar, ...slow }).listen()).url;
}

/** Started by `bench/servers.ts`: the first message says what to be; the answer is the URL. */
process.once('message', async ({ canned, peculiar }: ToServe) => {
  const url = canned === null ? await reference(peculiar) : await bare(canned);
  process.send?.({ url });
});
process.once('disconnect', () => process.exit(0));
