import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import type Koa from 'koa';
import { type Naming, specificationNaming } from '../contracts/target.ts';
import { type ApiKey, keyFinder, refuseKeys } from './api/authorise.ts';
import type { Hooks } from './api/hooks.ts';
import { pipelines } from './api/pipeline.ts';
import { combinedHooks, layerOf } from './decorators/layers.ts';
import { dialectNamed } from './dialects/index.ts';
import { faultNamed } from './faults/index.ts';
import { directorySnapshot, fixtures } from './fixtures/index.ts';
import { admitting } from './http/admission.ts';
import { application } from './http/application.ts';
import { createHttpServer, type Timeouts, type Tls } from './http/http-server.ts';
import { translation } from './http/naming.ts';
import { createMemoryStore } from './store/memory.ts';
import type { Snapshot, Store } from './store/store.ts';
import { createRequestLog } from './tool/request-log.ts';

/** The default key. */
export const defaultApiKey = 'reference-key';

/** The options of a reference server, all of which may be left out. */
export interface ReferenceServerOptions extends Hooks, Timeouts {
  /** The key that requests must carry; the first of `keys` when absent, else `reference-key`. */
  readonly apiKey?: string;
  /**
   * Further keys, each with a name and a role. Names and keys that are there twice, and empty keys, are a RangeError.
   */
  readonly keys?: readonly ApiKey[];
  /** Headers that web pages may send and read besides those of the API; a preflight allows whatever it asks for. */
  readonly corsHeaders?: readonly string[];
  /** Certificate and key, as PEM, of a server that speaks HTTPS; it speaks HTTP when absent. */
  readonly tls?: Tls;
  /**
   * Other names for the key's header, the unit-id field and the placeholders; those of the specification when absent.
   */
  readonly naming?: Partial<Naming>;
  /** Ids of dialects: correct ways to differ, the later around the earlier. An unknown one is a RangeError. */
  readonly dialects?: readonly string[];
  /** Ids of faults from the catalogue that the server is to have; an unknown one is a RangeError. */
  readonly faults?: readonly string[];
  /**
   * Whether requests may name any person, team, id type, model … that there is not; what the store holds, such as gates
   * and metrics, must exist all the same.
   */
  readonly openVocabulary?: boolean;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /**
   * What the store holds at first and after a reset, or a function that makes it for the names of the server (`seedOf`);
   * the fixtures when absent.
   */
  readonly initial?: Snapshot | ((naming: Naming) => Snapshot);
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
  /**
   * Begins to listen, on a free port of the loopback interface unless told otherwise, or on a socket in the file system;
   * such a one has no address, and its URL names the host alone. Rejects when it cannot.
   */
  readonly listen: (place?: number | { readonly path: string }, host?: string) => Promise<{ readonly url: string }>;
  /**
   * Stops: no new connections, idle ones closed, requests in flight awaited for at most `grace`. Safe to call twice.
   */
  readonly close: () => Promise<void>;
  /** Back to the fixtures. */
  readonly reset: () => Promise<void>;
}

const hostOf = (address: AddressInfo | string): string => {
  if (typeof address === 'string') return 'localhost';
  const { address: host, family, port } = address;
  const name = host === '::' || host === '0.0.0.0' ? 'localhost' : family === 'IPv6' ? `[${host}]` : host;
  return `${name}:${port}`;
};

const listening = (server: Server, place: ListenOptions, scheme: string): Promise<{ url: string }> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve({ url: `${scheme}://${hostOf(server.address() as AddressInfo | string)}` });
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
  const { keys = [], now = Date.now, grace = 2000, onError = () => undefined } = options;
  const { apiKey = dialectKey ?? keys[0]?.key ?? defaultApiKey } = options;
  const allKeys: readonly ApiKey[] = keys.some(({ key }) => key === apiKey)
    ? keys
    : [{ name: 'api-key', key: apiKey }, ...keys];
  refuseKeys(allKeys);
  const naming: Naming = Object.assign(
    {},
    specificationNaming,
    ...spoken.map(dialect => dialect.naming),
    options.naming,
  );
  const { initial: begin = fixtures } = options;
  const held = { ...directorySnapshot, ...(typeof begin === 'function' ? begin(naming) : begin) };
  const initial = spoken.reduce((snapshot, { holds }) => holds?.(snapshot) ?? snapshot, held);
  const memory = createMemoryStore(initial);
  // Dialects stand around faults, and what the caller decorates around both.
  const hooks = combinedHooks([
    ...[...(options.faults ?? []).map(faultNamed), ...spoken].map(row => layerOf(row, { apiKey, naming })),
    options,
  ]);
  const store = hooks.decorateStore(memory);
  const keyOf = keyFinder(allKeys, naming);
  const authorise = hooks.decorateAuthorise(request => keyOf(request) !== undefined);
  const log = createRequestLog(allKeys.map(({ key }) => key));
  const reset = (): Promise<void> => store.restore(initial);
  const app = application({
    authorise,
    pipelines: pipelines(authorise, hooks, allKeys.some(({ role }) => role === 'read-only') ? keyOf : undefined),
    store,
    settings: { naming, now, openVocabulary: options.openVocabulary ?? false },
    names: translation(naming),
    tool: { store, reset, log },
    log,
    onError,
    corsHeaders: options.corsHeaders ?? [],
  });
  const callback = app.callback();
  const listener: RequestListener = (request, response) => void callback(request, response);
  const server = createHttpServer(hooks.decorateListener(admitting(listener)), options, options.tls);
  return {
    app,
    store,
    apiKey,
    naming,
    listen: (place = 0, host = '127.0.0.1') =>
      listening(
        server,
        typeof place === 'number' ? { port: place, host } : { path: place.path },
        options.tls === undefined ? 'http' : 'https',
      ),
    close: () => closed(server, grace),
    reset,
  };
};
