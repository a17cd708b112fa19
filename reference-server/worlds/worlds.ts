import type { IncomingHttpHeaders } from 'node:http';
import { specificationNaming } from '../../contracts/target.ts';
import { Refused, refusal } from '../api/response.ts';
import type { Backend, World } from '../store/backend.ts';
import { createMemoryBackend } from '../store/memory.ts';
import type { Snapshot } from '../store/store.ts';
import { defaultPrefix, keyPattern, newKey, worldNameOf } from './keys.ts';
import { type ServedWorld, serveWorld, type WorldSettings } from './served-world.ts';

/** Which keys get a world of their own, and for how long. */
export interface SandboxOptions {
  /** The prefix of their keys; `sandbox_` when absent. */
  readonly prefix?: string;
  /** Idle time after which one in memory is deleted, in milliseconds by the server's clock; 30 minutes when absent. */
  readonly idle?: number;
  /** Maximum number of sandboxes; 1,000 when absent. */
  readonly most?: number;
}

/** The parts that worlds are created from. */
interface WorldsOptions extends WorldSettings {
  readonly seed: Snapshot;
  readonly sandboxes: SandboxOptions | undefined;
  /** The storage of worlds; in memory when absent. */
  readonly backend?: Backend | undefined;
}

/** Prefix of the default world's notes about keys that were given to `open`. */
const openedKey = 'opened/';

/** The world of all keys that have none of their own. */
const defaultWorldName = 'default';

const minutes = 60_000;

const specificationHeader = specificationNaming.apiKeyHeader.toLowerCase();

/** Returns a part of a world to come, with the methods of `like`. They wait for it, and reject if it cannot be made. */
const later = <T extends object>(made: () => Promise<T>, like: T): T =>
  Object.fromEntries(
    Object.keys(like).map(name => [
      name,
      async (...given: readonly unknown[]) =>
        ((await made()) as Record<string, (...all: readonly unknown[]) => unknown>)[name]?.(...given),
    ]),
  ) as T;

/** A world, with the methods of `like`, that is opened eagerly; if that fails, each use tries again. */
const laterWorld = ({ name, store, states, notes }: World, open: () => Promise<World>): World => {
  let opening: Promise<World> | undefined;
  const world = (): Promise<World> => {
    opening ??= open().catch(error => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  // The error reaches the callers of its methods; without a caller it must not go unhandled.
  world().catch(() => undefined);
  return {
    name,
    store: later(async () => (await world()).store, store),
    states: later(async () => (await world()).states, states),
    notes: later(async () => (await world()).notes, notes),
  };
};

/** Creates the worlds of a server. The default one may wait for its backend to open. */
export const createWorlds = (options: WorldsOptions) => {
  const { apiKeys, seed, sandboxes, backend, settings } = options;
  const { naming, now } = settings;
  const { prefix = defaultPrefix, idle = 30 * minutes, most = 1000 } = sandboxes ?? {};
  const header = naming.apiKeyHeader.toLowerCase();
  const served = new Map<string, ServedWorld>();
  const coming = new Map<string, Promise<ServedWorld>>();
  /** Keys given to `open`, with the revision of the notes at which each was last confirmed. */
  const opened = new Map<string, number>();
  const serve = (world: World, key: string): ServedWorld => serveWorld(world, key, seed, options);

  const memory = createMemoryBackend();
  const stored: Backend = backend ?? memory;
  const here = memory.worldNow(defaultWorldName, seed);
  const defaultWorld = serve(
    backend === undefined ? here : laterWorld(here, () => backend.world(defaultWorldName, seed)),
    apiKeys[0],
  );

  /** True if a key may be given to `open`. */
  const isFree = (key: string): boolean => keyPattern.test(key) && !apiKeys.includes(key);

  /** Returns the key that was sent, if it may open a world of its own. */
  const freeKey = (headers: IncomingHttpHeaders): string | undefined => {
    const sent = headers[header];
    return typeof sent === 'string' && isFree(sent) ? sent : undefined;
  };

  const ownKey = (headers: IncomingHttpHeaders): string | undefined => {
    const sent = freeKey(headers);
    if (sent === undefined || opened.has(sent)) return sent;
    // The prefix alone is what a client sends whose variable is empty.
    return sandboxes !== undefined && sent.startsWith(prefix) && sent !== prefix ? sent : undefined;
  };

  /** Names of the worlds that were given one, by key. */
  const names = new Map<string, string>();
  const calledBy = (key: string): string => names.get(key) ?? worldNameOf(key);
  const noteOf = (key: string): string => openedKey + worldNameOf(key);

  /** Forgets what a key opens. */
  const lose = (key: string): void => {
    for (const known of [served, opened, names]) known.delete(key);
  };

  /**
   * Looks up in the store whether a key was given to `open`, perhaps by another server or before a restart. Without a
   * store this server knows all of them.
   */
  const learn = async (key: string): Promise<void> => {
    if (backend === undefined) return;
    const revision = await defaultWorld.notes.revision();
    if (opened.get(key) === revision) return;
    const note = await defaultWorld.notes.get(noteOf(key));
    const name = typeof note === 'string' ? note : undefined;
    // Another server deleted it, and perhaps made another one.
    if (opened.has(key) && (note === undefined || names.get(key) !== name)) lose(key);
    if (name !== undefined) names.set(key, name);
    if (note !== undefined) opened.set(key, revision);
  };

  /** True if only the store can tell what a key opens. */
  const isAsked = (headers: IncomingHttpHeaders): boolean => {
    const sent = backend === undefined ? undefined : freeKey(headers);
    return sent !== undefined && (sandboxes === undefined || !sent.startsWith(prefix));
  };

  /** Deletes a world; the default one cannot be deleted. */
  const forget = async (name: string): Promise<boolean> => {
    if (name === defaultWorldName || !(await kept()).includes(name)) return false;
    const world = [...served.values()].find(one => one.name === name);
    if (world !== undefined) lose(world.apiKey);
    for (const [key, called] of names) if (called === name) lose(key);
    for (const [note, value] of await defaultWorld.notes.list(openedKey))
      if (note === openedKey + name || value === name) await defaultWorld.notes.put(note, undefined);
    await stored.forget(name);
    return true;
  };

  /** Releases idle worlds. With a backend they stay stored and can be opened again. */
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
    const world = serve(await stored.world(calledBy(key), seed), key);
    served.set(key, world);
    return world;
  };

  /** Returns the world of a key, if it is served, as used just now. */
  const touched = (key: string): ServedWorld | undefined => {
    const world = served.get(key);
    if (world !== undefined) world.usedAt = now();
    return world;
  };

  const ofKey = (key: string): ServedWorld | Promise<ServedWorld> => {
    const known = touched(key);
    if (known !== undefined) return known;
    const begun = coming.get(key);
    if (begun !== undefined) return begun;
    const made = make(key).finally(() => coming.delete(key));
    coming.set(key, made);
    return made;
  };

  /** Returns the names of all stored worlds, served here or not. */
  const kept = (): Promise<readonly string[]> => stored.worlds();
  /** Returns the worlds that this server serves, the default one first. */
  const list = (): readonly ServedWorld[] => [defaultWorld, ...served.values()];
  /** Returns the world of a request, created on first use. Throws `Refused` if there are too many. */
  const of = async (headers: IncomingHttpHeaders): Promise<ServedWorld> => {
    const sent = freeKey(headers);
    if (sent !== undefined && isAsked(headers)) await learn(sent);
    const key = ownKey(headers);
    return key === undefined ? defaultWorld : ofKey(key);
  };
  return {
    /** The world of keys that open none of their own. */
    defaultWorld,
    of,
    /**
     * Returns the world that a control request concerns: that of its key, or the default one without a key. Undefined
     * for an unknown key, which may be mistyped.
     */
    async meant(headers: IncomingHttpHeaders): Promise<ServedWorld | undefined> {
      // The header of the specification also counts if the server renames it: whoever sends it means a world.
      const sent = headers[header] ?? headers[specificationHeader];
      if (sent === undefined) return defaultWorld;
      const world = await of({ [header]: sent });
      return world === defaultWorld && !apiKeys.includes(String(sent)) ? undefined : world;
    },
    /** Returns the world of a request if that needs no waiting. */
    known(headers: IncomingHttpHeaders): ServedWorld | undefined {
      if (isAsked(headers)) return undefined;
      const key = ownKey(headers);
      if (key !== undefined) return touched(key);
      defaultWorld.usedAt = now();
      return defaultWorld;
    },
    /**
     * Returns a world by name, for inspection; undefined if there is none. A stored world that this server has not
     * served yet comes without its key and requests.
     */
    async named(name: string): Promise<ServedWorld | undefined> {
      const known = list().find(world => world.name === name);
      if (known !== undefined || backend === undefined || !(await kept()).includes(name)) return known;
      return serve(await backend.world(name, seed), '');
    },
    list,
    /** True if a key opens a world of its own. */
    hasOwn: (headers: IncomingHttpHeaders): boolean => ownKey(headers) !== undefined,
    isFree,
    /** Returns the name of the world that a key opens, served here or only stored; undefined if there is none yet. */
    async nameFor(key: string): Promise<string | undefined> {
      await learn(key);
      const name = calledBy(key);
      return (await kept()).includes(name) ? name : undefined;
    },
    /**
     * Opens the world of a key, by default a new key; no prefix is needed. The key is recorded in the store, and
     * similar keys open nothing. `name`: the world's name.
     */
    async open(key = newKey(prefix), name?: string): Promise<ServedWorld> {
      await learn(key);
      if (name !== undefined) names.set(key, name);
      if (backend !== undefined) await defaultWorld.notes.put(noteOf(key), names.get(key) ?? now());
      opened.set(key, await defaultWorld.notes.revision());
      return ofKey(key);
    },
    kept,
    /** Rejects with the cause if the store cannot be used. */
    check: () => stored.check(),
    forget,
  };
};

/** The worlds of a server. */
export type Worlds = ReturnType<typeof createWorlds>;
