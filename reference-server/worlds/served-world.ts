import type { Settings } from '../api/request.ts';
import { activeBehaviours, type Stage } from '../behaviours/active.ts';
import type { CatalogueSource } from '../behaviours/catalogue.ts';
import { redactionOf } from '../log/redaction.ts';
import { createRequestLog, type LoggedRequest, type NameOfKey } from '../log/request-log.ts';
import type { World } from '../store/backend.ts';
import type { Snapshot, Store } from '../store/store.ts';
import { type ClockSetting, clockKey, timeBy } from './clock.ts';

/** The name under which a world stores its own seed; no snapshot can have it. */
export const ownSeed = 'seed:own';

/** The key of the notes for the expiry of the world's API key, in milliseconds since 1970. */
export const expiryKey = 'key-expires';

/** Settings that all worlds of a server share. */
export interface WorldSettings {
  /** The keys of the server, which the log redacts; the default world uses the first. */
  readonly apiKeys: readonly [string, ...string[]];
  readonly nameOfKey: NameOfKey;
  /** The settings for operations, with the server's clock. */
  readonly settings: Settings;
  /** The faults and dialects that behaviours can switch. */
  readonly catalogue: CatalogueSource;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Called for every request under `/console/`. */
  readonly onRequest?: ((request: LoggedRequest, world: string) => void) | undefined;
  readonly decorateStore: (store: Store) => Store;
  /** Returns the parts that behaviours wrap, for a world with this store. */
  readonly stageOf: (store: Store) => Stage;
}

/** Adds to a stored world its runtime state: log, behaviours and clock. `apiKey` selects the world. */
export const serveWorld = (world: World, apiKey: string, seed: Snapshot, common: WorldSettings) => {
  const { apiKeys, nameOfKey, settings, catalogue, wait, onRequest, decorateStore, stageOf } = common;
  const { naming, now } = settings;
  const { name, notes, states, revisionNow } = world;
  const store = decorateStore(world.store);
  const behaviours = activeBehaviours(stageOf(store), { apiKey, naming, catalogue, wait, notes });
  const log = createRequestLog(redactionOf([apiKey, ...apiKeys], naming.apiKeyHeader), naming.apiKeyHeader, nameOfKey);
  if (onRequest !== undefined) log.subscribe(request => onRequest(request, name));
  let clock: ClockSetting | undefined;
  let expires: number | undefined;
  let seen: number | undefined;
  return {
    name,
    /** The key that selects it. */
    apiKey,
    /** Returns its initial state: its own seed, or else the server's. */
    seed: async (): Promise<Snapshot> => (await states.get(ownSeed))?.state ?? seed,
    /** Replaces its seed and restores it. */
    async reseed(own: Snapshot): Promise<void> {
      await states.put(ownSeed, null, own);
      await store.restore((await states.get(ownSeed))?.state ?? own);
    },
    /** The store, as decorated by the server's hooks. */
    store,
    states,
    notes,
    log,
    behaviours,
    /** The faults and dialects that its behaviours can switch. */
    catalogue,
    /** The settings for its operations, with its clock as of the last `refresh`. */
    settings: { ...settings, now: () => timeBy(clock, now()), expires: () => expires },
    /** True if the notes are known not to have changed, without asking the store. Only memory can tell. */
    isFresh: (): boolean => seen !== undefined && revisionNow?.() === seen,
    /** Reloads behaviours, clock and expiry if the notes have changed. */
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
    /** Time of its last use, by the server's clock. */
    usedAt: now(),
  };
};

/** A world with its runtime state. */
export type ServedWorld = ReturnType<typeof serveWorld>;
