import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Naming, specificationNaming } from '../contracts/target.ts';
import { type ApiKey, type Authorise, keyFinder, refuseKeys } from './api/authorise.ts';
import type { Hooks } from './api/hooks.ts';
import { application } from './application.ts';
import type { Stage } from './behaviours/active.ts';
import type { CatalogueSource } from './behaviours/catalogue.ts';
import { type Control, controlOf } from './control/control.ts';
import { type Sandbox, sandboxOf } from './control/sandbox.ts';
import { createStreams } from './control/streams.ts';
import { combinedHooks, type Layer, layerOf, type Variation } from './decorators/layers.ts';
import type { Dialect } from './dialects/dialect.ts';
import { directorySnapshot, fixtures } from './fixtures/index.ts';
import { pipelines } from './handlers/pipeline.ts';
import { admitting } from './http/admission.ts';
import { createHttpServer, type Timeouts, type Tls } from './http/http-server.ts';
import { translation } from './http/naming.ts';
import { isDead } from './http/wire-failures.ts';
import type { LoggedRequest } from './log/request-log.ts';
import type { Backend } from './store/backend.ts';
import { freeze, type Snapshot, type Store } from './store/store.ts';
import { prefixFault } from './worlds/keys.ts';
import { dispatching } from './worlds/serving.ts';
import { createWorlds, type SandboxOptions } from './worlds/worlds.ts';

/** The default API key. */
export const defaultApiKey = 'reference-key';

/** The options of a server; only the catalogue is required. */
export interface EmulatorOptions extends Hooks, Timeouts {
  /** The API key of requests; by default that of a dialect, else the first of `keys`, else `reference-key`. */
  readonly apiKey?: string;
  /** Further keys with names and roles. Throws a RangeError for duplicate names or keys, and for empty keys. */
  readonly keys?: readonly ApiKey[];
  /** Further headers for web pages besides the API's. Preflights allow all headers that the browser asks for. */
  readonly corsHeaders?: readonly string[];
  /** Certificate and key for HTTPS, as PEM; HTTP when absent. */
  readonly tls?: Tls;
  /** Names of the key's header, unit-id field and placeholders; by default a dialect's, else the specification's. */
  readonly naming?: Partial<Naming>;
  /** Dialects (correct variations) from the start; later ones wrap earlier ones. */
  readonly dialects?: readonly Dialect[];
  /** Faults from the start. */
  readonly faults?: readonly Variation[];
  /** The faults and dialects that behaviours can switch at run time. */
  readonly catalogue: CatalogueSource;
  /**
   * Accepts unknown names of persons, teams, id types, models and the like. Entities in the store, such as gates and
   * metrics, must still exist.
   */
  readonly openVocabulary?: boolean;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** The state at first and after a reset, or a function of the server's names (`seedOf`); the fixtures when absent. */
  readonly initial?: Snapshot | ((naming: Naming) => Snapshot);
  /**
   * Gives every key with a prefix (`sandbox_`) its own world at its first request. Throws a RangeError for a prefix
   * that no key can have.
   */
  readonly sandboxes?: boolean | SandboxOptions;
  /** The storage of worlds; in memory when absent. The caller closes it, after the server. */
  readonly backend?: Backend;
  /** Lets clients choose the status of an answer: `Prefer: code=429`. */
  readonly prefer?: boolean;
  /** The expected `Reference-Control-Key` of `/_reference/`; needed to listen beyond this machine. */
  readonly controlKey?: string;
  /** Called for every request under `/console/`, with the name of its world. */
  readonly onRequest?: (request: LoggedRequest, world: string) => void;
  /** Delays an answer for a behaviour; a timer when absent. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** How long `close` waits for requests in flight, in milliseconds. */
  readonly grace?: number;
  /**
   * Called with every error that becomes a 500, and with the `StoreError` of every 503 for an unusable store, the same
   * object throughout an outage. Nothing is printed.
   */
  readonly onError?: (error: unknown) => void;
}

/** A reference server. */
export interface ReferenceServer {
  /** For a custom server: `createServer(app.callback())`. */
  readonly app: { readonly callback: () => RequestListener };
  readonly store: Store;
  readonly apiKey: string;
  readonly naming: Naming;
  /**
   * Begins to listen, by default on a free loopback port, or on a Unix socket, whose URL
   * has no port. Rejects on failure.
   */
  readonly listen: (place?: number | { readonly path: string }, host?: string) => Promise<{ readonly url: string }>;
  /**
   * Stops the server: refuses new connections, closes idle ones, and awaits requests in flight for at most `grace`.
   * Idempotent.
   */
  readonly close: () => Promise<void>;
  /** Resets the state to the initial one, the behaviours to none and the clock to the server's. */
  readonly reset: () => Promise<void>;
  /** Controls the world of the server's own key, like `/_reference/` over HTTP. */
  readonly control: Control;
  /** Creates a world with its own key, for one test. Begins to listen if necessary. */
  readonly sandbox: () => Promise<Sandbox>;
}

const hostOf = (address: AddressInfo | string): string => {
  if (typeof address === 'string') return 'localhost';
  const { address: host, family, port } = address;
  const name = host === '::' || host === '0.0.0.0' ? 'localhost' : family === 'IPv6' ? `[${host}]` : host;
  return `${name}:${port}`;
};

const listening = async (server: Server, place: ListenOptions, scheme: string): Promise<{ url: string }> => {
  await once(server.listen(place), 'listening');
  return { url: `${scheme}://${hostOf(server.address() as AddressInfo | string)}` };
};

const closed = (server: Server, grace: number): Promise<void> =>
  new Promise(resolve => {
    if (!server.listening) return resolve();
    // A connection becomes idle after its response, so close idle ones until all are gone.
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
 * Creates a server that keeps the contract, with the given deviations. Faults and dialects are only passed in, so that
 * a process without them does not load them.
 */
export const createEmulator = (options: EmulatorOptions): ReferenceServer => {
  const spoken = options.dialects ?? [];
  const dialectKey = spoken.find(dialect => dialect.apiKey !== undefined)?.apiKey;
  const { keys = [], now = Date.now, grace = 2000, onError = () => undefined } = options;
  const { apiKey = dialectKey ?? keys[0]?.key ?? defaultApiKey } = options;
  // A request that is held back keeps no closed server running.
  const { wait = milliseconds => delay(milliseconds, undefined, { ref: false }) } = options;
  const sandboxes = options.sandboxes === true ? {} : options.sandboxes || undefined;
  const badPrefix = sandboxes?.prefix === undefined ? undefined : prefixFault(sandboxes.prefix);
  if (badPrefix !== undefined) throw new RangeError(badPrefix);
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
  const initial = freeze(spoken.reduce((snapshot, { holds }) => holds?.(snapshot) ?? snapshot, held));
  // Dialects wrap faults, behaviours wrap dialects, and the caller's decorators wrap all.
  const inner = [...(options.faults ?? []), ...spoken].map(row => layerOf(row, { apiKey, naming }));
  const outer: Layer = options;
  const hooks = combinedHooks([...inner, outer]);
  const keyOf = keyFinder(allKeys, naming);
  const known: Authorise = request => keyOf(request) !== undefined || worlds.hasOwn(request.headers);
  const authorise = hooks.decorateAuthorise(known);
  const roleOf = allKeys.some(({ role, expires }) => role === 'read-only' || expires !== undefined) ? keyOf : undefined;
  const pipelinesOf: Stage['pipelinesOf'] = of => pipelines(of.decorateAuthorise(known), of, roleOf);
  const base = pipelines(authorise, hooks, roleOf);
  const callback: RequestListener = (request, response) => void handle(request, response);
  const stageOf = (store: Store): Stage => ({
    inner,
    outer,
    pipelinesOf,
    base: { pipelines: base, store, listener: callback, behaviours: [] },
  });
  const nameOfKey = (sent: string) => allKeys.find(({ key }) => key === sent)?.name;
  const worlds = createWorlds({
    apiKeys: [apiKey, ...keys.map(({ key }) => key)],
    nameOfKey,
    seed: initial,
    sandboxes,
    backend: options.backend,
    settings: { naming, now, openVocabulary: options.openVocabulary ?? false },
    catalogue: options.catalogue,
    wait,
    onRequest: options.onRequest,
    decorateStore: hooks.decorateStore,
    stageOf,
  });
  const streams = createStreams();
  let host: string | undefined;
  const app = application({
    authorise,
    apiKeyHeader: naming.apiKeyHeader,
    names: translation(naming),
    servingOf: (request, response) => dispatch.servingOf(request, response),
    wait,
    control: { worlds, now, streams, controlKey: options.controlKey, host: () => host },
    onError,
    corsHeaders: options.corsHeaders ?? [],
  });
  const handle = app.callback();
  const keyHeader = naming.apiKeyHeader.toLowerCase();
  const dispatch = dispatching({ worlds, keyHeader, nameOfKey, prefer: options.prefer ?? false }, callback);
  const living: RequestListener = (request, response) =>
    isDead(request.socket) ? streams.stall(response) : dispatch.listener(request, response);
  const server = createHttpServer(hooks.decorateListener(admitting(living)), {
    ...options,
    writeContinue: dispatch.writeContinue,
  });
  let listened: Promise<{ url: string }> | undefined;
  const listen: ReferenceServer['listen'] = (place = 0, address = '127.0.0.1') => {
    host = typeof place === 'number' ? address : 'localhost';
    const at = typeof place === 'number' ? { port: place, host: address } : { path: place.path };
    listened = listening(server, at, options.tls === undefined ? 'http' : 'https');
    return listened;
  };
  const control = controlOf(worlds.defaultWorld, now);
  return {
    app,
    store: worlds.defaultWorld.store,
    apiKey,
    naming,
    listen,
    async close() {
      streams.close();
      await closed(server, grace);
    },
    reset: () => control.reset(),
    control,
    async sandbox() {
      const { url } = await (listened ?? listen());
      const world = await worlds.open();
      return sandboxOf(url, world.apiKey, controlOf(world, now), () => worlds.forget(world.name));
    },
  };
};
