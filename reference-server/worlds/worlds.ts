import type { IncomingHttpHeaders } from 'node:http';
import { specificationNaming } from '../../contracts/target.ts';
import { Refused, refusal } from '../api/response.ts';
import type { Backend, World } from '../store/backend.ts';
import { later } from '../store/later.ts';
import type { MemoryBackend } from '../store/memory-backend.ts';
import type { Snapshot } from '../store/store.ts';
import { defaultPrefix, keyPattern, newKey, worldNameOf } from './keys.ts';
import { type ServedWorld, serveWorld, type WorldSettings } from './served-world.ts';

/** Which keys have a world of their own, and how long. */
export interface SandboxOptions {
  /** What their keys begin with; `sandbox_` when absent. */
  readonly prefix?: string;
  /** How long one in memory is kept that nobody uses, in milliseconds by the clock of the server; 30 minutes. */
  readonly idle?: number;
  /** So many there are at most at once; 1,000. */
  readonly most?: number;
}

/** What worlds are made of. */
interface WorldsOptions extends WorldSettings {
  readonly seed: Snapshot;
  readonly sandboxes: SandboxOptions | undefined;
  /** Where worlds are kept; in memory when absent. */
  readonly backend?: Backend | undefined;
  readonly memory: MemoryBackend;
}

/** Where it is noted, beside the default world, that the key of a world was given to `open`. */
const openedKey = 'opened/';

/** The name of the world of all keys that have none of their own. */
const defaultWorldName = 'default';

const minutes = 60_000;

const specificationHeader = specificationNaming.apiKeyHeader.toLowerCase();

/** A world that is opened at once, and again for whoever asks for it where it could not be. */
const laterWorld = (name: string, open: () => Promise<World>): World => {
  let opening: Promise<World> | undefined;
  const world = (): Promise<World> => {
    opening ??= open().catch(error => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  // Whoever asks for it is told; nobody may ask.
  world().catch(() => undefined);
  return {
    name,
    store: later(async () => (await world()).store, {
      get: true,
      list: true,
      put: true,
      remove: true,
      transaction: true,
      snapshot: true,
      restore: true,
    }),
    states: later(async () => (await world()).states, { list: true, save: true, put: true, get: true, remove: true }),
    notes: later(async () => (await world()).notes, { get: true, list: true, put: true, change: true, revision: true }),
  };
};

/** The worlds of a server. The default one waits for a backend that has to be opened. */
export const createWorlds = (options: WorldsOptions) => {
  const { apiKeys, seed, sandboxes, backend, memory, settings } = options;
  const { naming, now } = settings;
  const { prefix = defaultPrefix, idle = 30 * minutes, most = 1000 } = sandboxes ?? {};
  const header = naming.apiKeyHeader.toLowerCase();
  const served = new Map<string, ServedWorld>();
  const coming = new Map<string, Promise<ServedWorld>>();
  /** The keys that were given to `open`, each with the revision of the notes at which that was known. */
  const opened = new Map<string, number>();
  const serve = (world: World, key: string): ServedWorld => serveWorld(world, key, seed, options);

  const defaultWorld = serve(
    backend === undefined
      ? memory.worldNow(defaultWorldName, seed)
      : laterWorld(defaultWorldName, () => backend.world(defaultWorldName, seed)),
    apiKeys[0],
  );

  /** Whether a key may be given to `open`. */
  const isFree = (key: string): boolean => keyPattern.test(key) && !apiKeys.includes(key);

  /** The key that is sent, if it may open a world of its own. */
  const freeKey = (headers: IncomingHttpHeaders): string | undefined => {
    const sent = headers[header];
    return typeof sent === 'string' && isFree(sent) ? sent : undefined;
  };

  const ownKey = (headers: IncomingHttpHeaders): string | undefined => {
    const sent = freeKey(headers);
    if (sent === undefined || opened.has(sent)) return sent;
    return sandboxes !== undefined && sent.startsWith(prefix) ? sent : undefined;
  };

  /** What worlds are called that were given a name, by their keys. */
  const names = new Map<string, string>();
  const calledBy = (key: string): string => names.get(key) ?? worldNameOf(key);
  const noteOf = (key: string): string => openedKey + worldNameOf(key);

  /** Learns whether a key has a world by `open`: at another server of the store, or before this one began. */
  const learn = async (key: string): Promise<void> => {
    const revision = await defaultWorld.notes.revision();
    if (opened.get(key) === revision) return;
    const note = await defaultWorld.notes.get(noteOf(key));
    if (typeof note === 'string') names.set(key, note);
    if (note !== undefined) opened.set(key, revision);
    // Another server was told to forget it.
    else if (opened.delete(key)) served.delete(key);
  };

  /** Whether the store has to be asked for what a key opens. */
  const isAsked = (headers: IncomingHttpHeaders): boolean => {
    const sent = backend === undefined ? undefined : freeKey(headers);
    return sent !== undefined && (sandboxes === undefined || !sent.startsWith(prefix));
  };

  /** Forgets a world with all that is in it; the default one cannot be forgotten. */
  const forget = async (name: string): Promise<boolean> => {
    if (name === defaultWorldName || !(await kept()).includes(name)) return false;
    const world = [...served.values()].find(one => one.name === name);
    if (world !== undefined) {
      served.delete(world.apiKey);
      opened.delete(world.apiKey);
    }
    for (const [note, value] of await defaultWorld.notes.list(openedKey))
      if (note === openedKey + name || value === name) await defaultWorld.notes.put(note, undefined);
    await (backend ?? memory).forget(name);
    return true;
  };

  /** Lets go of those that nobody used for long. Those that are kept elsewhere can be opened again. */
  const forgetIdle = async (): Promise<void> => {
    for (const world of [...served.values()])
      if (world.usedAt + idle <= now()) {
        if (backend === undefined) await forget(world.name);
        else served.delete(world.apiKey);
      }
  };

  const make = async (key: string): Promise<ServedWorld> => {
    await forgetIdle();
    if (served.size + coming.size > most)
      throw new Refused(refusal(503, `There are ${most} sandboxes, and no more are made; delete some first.`));
    const world = serve(await (backend ?? memory).world(calledBy(key), seed), key);
    served.set(key, world);
    return world;
  };

  const knownBy = (key: string): ServedWorld | undefined => {
    const world = served.get(key);
    if (world !== undefined) world.usedAt = now();
    return world;
  };

  const ofKey = (key: string): ServedWorld | Promise<ServedWorld> => {
    const known = knownBy(key);
    if (known !== undefined) return known;
    const begun = coming.get(key);
    if (begun !== undefined) return begun;
    const made = make(key).finally(() => coming.delete(key));
    coming.set(key, made);
    return made;
  };

  /** The names of all worlds that are kept, whether this server serves them or not. */
  const kept = (): Promise<readonly string[]> => (backend ?? memory).worlds();
  /** The worlds that this server serves, the default one first. */
  const list = (): readonly ServedWorld[] => [defaultWorld, ...served.values()];
  /** The world of a request, made where it is the first of its key. Throws `Refused` where there are too many. */
  const of = async (headers: IncomingHttpHeaders): Promise<ServedWorld> => {
    const sent = freeKey(headers);
    if (sent !== undefined && isAsked(headers)) await learn(sent);
    const key = ownKey(headers);
    return key === undefined ? defaultWorld : ofKey(key);
  };
  return {
    /** The world of those whose key opens none of its own. */
    defaultWorld,
    of,
    /**
     * The world that a request looks into: that of the key that is sent, the default one where none is. Undefined for a
     * key that is nobody's, which may be a mistyped one of a world.
     */
    async meant(headers: IncomingHttpHeaders): Promise<ServedWorld | undefined> {
      // The header that the specification names tells of a key too where the server has another: whoever sends it means one.
      const sent = headers[header] ?? headers[specificationHeader];
      if (sent === undefined) return defaultWorld;
      const world = await of({ [header]: sent });
      return world === defaultWorld && !apiKeys.includes(String(sent)) ? undefined : world;
    },
    /** The world of a request, where it is there already. */
    known(headers: IncomingHttpHeaders): ServedWorld | undefined {
      if (isAsked(headers)) return undefined;
      const key = ownKey(headers);
      if (key !== undefined) return knownBy(key);
      defaultWorld.usedAt = now();
      return defaultWorld;
    },
    /**
     * A world by its name, for those who look into it; undefined where there is none. Of one that is kept, and that this
     * server was not asked for yet, it knows neither key nor requests.
     */
    async named(name: string): Promise<ServedWorld | undefined> {
      const known = list().find(world => world.name === name);
      if (known !== undefined || backend === undefined || !(await kept()).includes(name)) return known;
      return serve(await backend.world(name, seed), '');
    },
    list,
    /** Whether a key opens a world of its own. */
    hasOwn: (headers: IncomingHttpHeaders): boolean => ownKey(headers) !== undefined,
    isFree,
    /**
     * Makes the world of a key, a new one when absent, that needs no prefix: it is kept with the worlds that it opens its
     * own, and no other key that resembles it opens any. `name`: what the world is called.
     */
    async open(key = newKey(prefix), name?: string): Promise<ServedWorld> {
      if (name !== undefined) names.set(key, name);
      if (backend !== undefined) await defaultWorld.notes.put(noteOf(key), name ?? now());
      opened.set(key, await defaultWorld.notes.revision());
      return ofKey(key);
    },
    kept,
    /** Rejects where nothing can be kept for now, and says why. */
    check: () => (backend ?? memory).check(),
    forget,
  };
};

/** The worlds of a server. */
export type Worlds = ReturnType<typeof createWorlds>;
