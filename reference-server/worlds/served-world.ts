import type { Settings } from '../api/request.ts';
import { type ActiveBehaviours, activeBehaviours, type Stage } from '../behaviours/active.ts';
import type { CatalogueSource } from '../behaviours/catalogue.ts';
import { redactionOf } from '../log/redaction.ts';
import { createRequestLog, type LoggedRequest, type NameOfKey, type RequestLog } from '../log/request-log.ts';
import type { NamedStates, Notes, World } from '../store/backend.ts';
import type { MemoryNotes } from '../store/memory.ts';
import type { Snapshot, Store } from '../store/store.ts';
import { type ClockSetting, clockKey, timeBy } from './clock.ts';

/** Under this name a world keeps what it was given to hold at first. No snapshot may be called so. */
export const ownSeed = 'seed:own';

/** Where it is kept until when the key of a world opens it, in milliseconds since 1970. */
export const expiryKey = 'key-expires';

/** A world with what the server keeps of it while it runs. */
export interface ServedWorld {
  readonly name: string;
  /** The key whose holders see it. */
  readonly apiKey: string;
  /** What it holds at first and after a reset: what it was given, else what the server begins with. */
  readonly seed: () => Promise<Snapshot>;
  /** Gives it something else to hold at first, and goes to it. */
  readonly reseed: (seed: Snapshot) => Promise<void>;
  /** The store, as the hooks of the server show it. */
  readonly store: Store;
  readonly states: NamedStates;
  readonly notes: Notes;
  readonly log: RequestLog;
  readonly behaviours: ActiveBehaviours;
  /** What its behaviours can switch. */
  readonly catalogue: CatalogueSource;
  /** What its operations are given; its clock is that of the last `refresh`. */
  readonly settings: Settings;
  /** Whether it is known at once that what is kept beside the state has not changed, as in memory. */
  readonly isFresh: () => boolean;
  /** Looks again at what is kept beside the state, if it has changed. */
  readonly refresh: () => Promise<void>;
  /** When it was last used, by the clock of the server. */
  usedAt: number;
}

/** What all worlds of a server have in common. */
export interface WorldSettings {
  /** The keys of the server, which no log shows; the first is the one that the default world is served under. */
  readonly apiKeys: readonly [string, ...string[]];
  readonly nameOfKey: NameOfKey;
  /** What operations are given; the clock is that of the server. */
  readonly settings: Settings;
  /** What behaviours can switch. */
  readonly catalogue: CatalogueSource;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Is told of every request under `/console/`. */
  readonly onRequest?: ((request: LoggedRequest, world: string) => void) | undefined;
  readonly decorateStore: (store: Store) => Store;
  /** Where behaviours stand, for a world whose store is this one. */
  readonly stageOf: (store: Store) => Stage;
}

/** Serves a world to the holders of a key. */
export const serveWorld = (world: World, apiKey: string, seed: Snapshot, common: WorldSettings): ServedWorld => {
  const { apiKeys, nameOfKey, settings, catalogue, wait, onRequest, decorateStore, stageOf } = common;
  const { naming, now } = settings;
  const { name, notes, states } = world;
  const store = decorateStore(world.store);
  const behaviours = activeBehaviours(notes, stageOf(store), { apiKey, naming, catalogue, wait });
  const log = createRequestLog(redactionOf([apiKey, ...apiKeys], naming.apiKeyHeader), naming.apiKeyHeader, nameOfKey);
  if (onRequest !== undefined) log.subscribe(request => onRequest(request, name));
  let clock: ClockSetting | undefined;
  let expires: number | undefined;
  let seen: number | undefined;
  const { revisionNow } = notes as Partial<MemoryNotes>;
  return {
    name,
    apiKey,
    seed: async () => (await states.get(ownSeed))?.state ?? seed,
    async reseed(own) {
      await states.put(ownSeed, null, own);
      await store.restore((await states.get(ownSeed))?.state ?? own);
    },
    store,
    states,
    notes,
    log,
    behaviours,
    catalogue,
    settings: { ...settings, now: () => timeBy(clock, now()), expires: () => expires },
    isFresh: () => seen !== undefined && revisionNow?.() === seen,
    async refresh() {
      const revision = await notes.revision();
      if (revision === seen) return;
      const setting = (await notes.get(clockKey)) as unknown as ClockSetting | undefined;
      const expiry = (await notes.get(expiryKey)) as number | undefined;
      await behaviours.load();
      expires = expiry;
      clock = setting;
      seen = revision;
    },
    usedAt: now(),
  };
};
