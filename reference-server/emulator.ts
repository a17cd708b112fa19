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
import { createMemoryBackend } from './store/memory-backend.ts';
import { freeze, type Snapshot, type Store } from './store/store.ts';
import { prefixFault } from './worlds/keys.ts';
import { dispatching } from './worlds/serving.ts';
import { createWorlds, type SandboxOptions } from './worlds/worlds.ts';

/** The default key. */
export const defaultApiKey = 'reference-key';

/** What a server is made of; all but the catalogue may be left out. */
export interface EmulatorOptions extends Hooks, Timeouts {
  /** The key that requests must carry; the first of `keys` when absent, else `reference-key`. */
  readonly apiKey?: string;
  /**
   * Further keys, each with a name and a role. Names and keys that are there twice, and empty keys, are a RangeError.
   */
  readonly keys?: readonly ApiKey[];
  /** Headers that web pages may send besides those of the API; a preflight allows whatever it asks for. */
  readonly corsHeaders?: readonly string[];
  /** Certificate and key, as PEM, of a server that speaks HTTPS; it speaks HTTP when absent. */
  readonly tls?: Tls;
  /**
   * Other names for the key's header, the unit-id field and the placeholders; those of the specification when absent.
   */
  readonly naming?: Partial<Naming>;
  /** Correct ways to differ that the server has from the start, the later around the earlier. */
  readonly dialects?: readonly Dialect[];
  /** The faults that the server is to have from the start. */
  readonly faults?: readonly Variation[];
  /** What behaviours can switch on while it runs. */
  readonly catalogue: CatalogueSource;
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
  /**
   * Gives every key that begins with a prefix (`sandbox_`) a world of its own, at its first request. A prefix with which
   * no key can begin is a RangeError.
   */
  readonly sandboxes?: boolean | SandboxOptions;
  /** Where worlds are kept; in memory when absent. Whoever opened it closes it, after the server. */
  readonly backend?: Backend;
  /** Whether a client may ask for an answer by its status: `Prefer: code=429`. */
  readonly prefer?: boolean;
  /** What `/_reference/` asks for in the header `Reference-Control-Key`; needed to listen beyond this machine. */
  readonly controlKey?: string;
  /** Is told of every request under `/console/`, and of the name of its world. */
  readonly onRequest?: (request: LoggedRequest, world: string) => void;
  /** How behaviours wait, for so many milliseconds; by a timer when absent. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** How long `close` waits for requests in flight, in milliseconds. */
  readonly grace?: number;
  /**
   * Called with every error that became a 500, and with the `StoreError` of every 503 for a store that cannot be used,
   * which is the same object throughout one outage; nothing is printed.
   */
  readonly onError?: (error: unknown) => void;
}

/** A reference server. */
export interface ReferenceServer {
  /** For a server of one's own: `createServer(app.callback())`. */
  readonly app: { readonly callback: () => RequestListener };
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
  /** Back to what the server held at first, without behaviours, with its own clock. */
  readonly reset: () => Promise<void>;
  /** The world of the server's own key in the hand, as `/_reference/` has it over HTTP. */
  readonly control: Control;
  /** A world of its own for one test, with a key of its own. Begins to listen where the server does not yet. */
  readonly sandbox: () => Promise<Sandbox>;
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
 * Makes a server that keeps the contract, and differs from it as it is told to. It knows of no faults and dialects but those
 * that it is given, so that a process that needs none loads none.
 */
export const createEmulator = (options: EmulatorOptions): ReferenceServer => {
  const spoken = options.dialects ?? [];
  const dialectKey = spoken.find(dialect => dialect.apiKey !== undefined)?.apiKey;
  const { keys = [], now = Date.now, grace = 2000, onError = () => undefined } = options;
  const { apiKey = dialectKey ?? keys[0]?.key ?? defaultApiKey } = options;
  const { wait = milliseconds => delay(milliseconds) } = options;
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
  // Dialects stand around faults, behaviours around dialects, and what the caller decorates around all.
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
    memory: createMemoryBackend(),
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
    withholdsContinue: dispatch.withholdsContinue,
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
