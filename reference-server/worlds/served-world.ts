import type { Settings } from '../api/request.ts';
import { activeBehaviours, type Stage } from '../behaviours/active.ts';
import type { CatalogueSource } from '../behaviours/catalogue.ts';
import { redactionOf } from '../log/redaction.ts';
import { createRequestLog, type LoggedRequest, type NameOfKey } from '../log/request-log.ts';
import type { World } from '../store/backend.ts';
import type { MemoryNotes } from '../store/memory.ts';
import type { Snapshot, Store } from '../store/store.ts';
import { type ClockSetting, clockKey, timeBy } from './clock.ts';

/** Under this name a world keeps what it was given to hold at first. No snapshot may be called so. */
export const ownSeed = 'seed:own';

/** Where it is kept until when the key of a world opens it, in milliseconds since 1970. */
export const expiryKey = 'key-expires';

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

/** Serves a world to the holders of a key: it keeps more of it while it runs. */
export const serveWorld = (world: World, apiKey: string, seed: Snapshot, common: WorldSettings) => {
  const { apiKeys, nameOfKey, settings, catalogue, wait, onRequest, decorateStore, stageOf } = common;
  const { naming, now } = settings;
  const { name, notes, states } = world;
  const store = decorateStore(world.store);
  const behaviours = activeBehaviours(stageOf(store), { apiKey, naming, catalogue, wait, notes });
  const log = createRequestLog(redactionOf([apiKey, ...apiKeys], naming.apiKeyHeader), naming.apiKeyHeader, nameOfKey);
  if (onRequest !== undefined) log.subscribe(request => onRequest(request, name));
  let clock: ClockSetting | undefined;
  let expires: number | undefined;
  let seen: number | undefined;
  const { revisionNow } = notes as Partial<MemoryNotes>;
  return {
    name,
    /** The key whose holders see it. */
    apiKey,
    /** What it holds at first and after a reset: what it was given, else what the server begins with. */
    seed: async (): Promise<Snapshot> => (await states.get(ownSeed))?.state ?? seed,
    /** Gives it something else to hold at first, and goes to it. */
    async reseed(own: Snapshot): Promise<void> {
      await states.put(ownSeed, null, own);
      await store.restore((await states.get(ownSeed))?.state ?? own);
    },
    /** The store, as the hooks of the server show it. */
    store,
    states,
    notes,
    log,
    behaviours,
    /** What its behaviours can switch. */
    catalogue,
    /** What its operations are given; its clock is that of the last `refresh`. */
    settings: { ...settings, now: () => timeBy(clock, now()), expires: () => expires },
    /** Whether it is known at once that what is kept beside the state has not changed, as in memory. */
    isFresh: (): boolean => seen !== undefined && revisionNow?.() === seen,
    /** Looks again at what is kept beside the state, if it has changed. */
    async refresh(): Promise<void> {
      const revision = await notes.revision();
      if (revision === seen) return;
      const setting = (await notes.get(clockKey)) as unknown as ClockSetting | undefined;
      const expiry = (await notes.get(expiryKey)) as number | undefined;
      await behaviours.load();
      expires = expiry;
      clock = setting;
      seen = revision;
    },
    /** When it was last used, by the clock of the server. */
    usedAt: now(),
  };
};

/** A world with what the server keeps of it while it runs. */
export type ServedWorld = ReturnType<typeof serveWorld>;
