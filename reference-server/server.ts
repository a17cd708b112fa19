import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { type Naming, specificationNaming } from '../contracts/target.ts';
import { keyCheck } from './api/authorise.ts';
import type { Hooks } from './api/hooks.ts';
import { pipelines } from './api/pipeline.ts';
import { combinedHooks, layerOf } from './decorators/layers.ts';
import { dialectNamed } from './dialects/index.ts';
import { faultNamed } from './faults/index.ts';
import { fixtures } from './fixtures/index.ts';
import { admitting } from './http/admission.ts';
import { application } from './http/application.ts';
import { createHttpServer, type Timeouts } from './http/http-server.ts';
import { translation } from './http/naming.ts';
import type { Backend } from './store/backend.ts';
import { deferredStore } from './store/deferred.ts';
import { createMemoryStore } from './store/memory.ts';
import type { Snapshot, Store } from './store/store.ts';
import { createRequestLog } from './tool/request-log.ts';

/** The default key. */
export const defaultApiKey = 'reference-key';

/** The options of a reference server, all of which may be left out. */
export interface ReferenceServerOptions extends Hooks, Timeouts {
  /** The key that requests must carry; `reference-key` when absent. */
  readonly apiKey?: string;
  /**
   * Other names for the key's header, the unit-id field and the placeholders; those of the specification when absent.
   */
  readonly naming?: Partial<Naming>;
  /** Ids of dialects: correct ways to differ, the later around the earlier. An unknown one is a RangeError. */
  readonly dialects?: readonly string[];
  /** Ids of faults from the catalogue that the server is to have; an unknown one is a RangeError. */
  readonly faults?: readonly string[];
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** What the store holds at first and after a reset; the fixtures when absent. */
  readonly initial?: Snapshot;
  /** Where worlds are kept; in memory when absent. Whoever opened it closes it, after the server. */
  readonly backend?: Backend;
  /** How long `close` waits for requests in flight, in milliseconds. */
  readonly grace?: number;
  /** Called with every error that became a 500; nothing is printed. */
  readonly onError?: (error: unknown) => void;
}

/** A reference server. */
export interface ReferenceServer {
  readonly app: Koa;
  readonly store: Store;
  readonly apiKey: string;
  readonly naming: Naming;
  /** Begins to listen, on a free port of the loopback interface unless told otherwise. Rejects when it cannot. */
  readonly listen: (port?: number, host?: string) => Promise<{ readonly url: string }>;
  /**
   * Stops: no new connections, idle ones closed, requests in flight awaited for at most `grace`. Safe to call twice.
   */
  readonly close: () => Promise<void>;
  /** Back to the fixtures. */
  readonly reset: () => Promise<void>;
}

const urlOf = ({ address, family, port }: AddressInfo): string => {
  const host = address === '::' || address === '0.0.0.0' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
};

const listening = (server: Server, port: number, host: string): Promise<{ url: string }> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ url: urlOf(server.address() as AddressInfo) });
    });
  });

const closed = (server: Server, grace: number): Promise<void> =>
  new Promise(resolve => {
    if (!server.listening) return resolve();
    // A connection is idle as soon as its request is answered: look again until all are gone.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    const end = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });

/**
 * Makes a server that keeps the contract of the Console Management API. Nothing listens until `listen` is called.
 *
 * @example
 * const server = createReferenceServer({ apiKey: 'test' });
 * const { url } = await server.listen();
 * // … use url …
 * await server.close();
 */
export const createReferenceServer = (options: ReferenceServerOptions = {}): ReferenceServer => {
  const spoken = (options.dialects ?? []).map(dialectNamed);
  const dialectKey = spoken.find(dialect => dialect.apiKey !== undefined)?.apiKey;
  const { apiKey = dialectKey ?? defaultApiKey, now = Date.now, grace = 2000, onError = () => undefined } = options;
  const naming: Naming = Object.assign(
    {},
    specificationNaming,
    ...spoken.map(dialect => dialect.naming),
    options.naming,
  );
  const held = options.initial ?? fixtures(naming);
  const initial = spoken.reduce((snapshot, { holds }) => holds?.(snapshot) ?? snapshot, held);
  const kept =
    options.backend === undefined
      ? createMemoryStore(initial)
      : deferredStore(options.backend.world('default', initial).then(world => world.store));
  // Dialects stand around faults, and what the caller decorates around both.
  const hooks = combinedHooks([
    ...[...(options.faults ?? []).map(faultNamed), ...spoken].map(row => layerOf(row, { apiKey, naming })),
    options,
  ]);
  const store = hooks.decorateStore(kept);
  const check = keyCheck(apiKey, naming);
  const authorise = hooks.decorateAuthorise(check);
  const log = createRequestLog(apiKey);
  const reset = (): Promise<void> => store.restore(initial);
  const app = application({
    authorise,
    pipelines: pipelines(authorise, hooks),
    store,
    settings: { naming, now },
    names: translation(naming),
    tool: { store, reset, log },
    log,
    onError,
  });
  const callback = app.callback();
  const listener: RequestListener = (request, response) => void callback(request, response);
  const server = createHttpServer(hooks.decorateListener(admitting(listener)), options);
  return {
    app,
    store,
    apiKey,
    naming,
    listen: (port = 0, host = '127.0.0.1') => listening(server, port, host),
    close: () => closed(server, grace),
    reset,
  };
};
