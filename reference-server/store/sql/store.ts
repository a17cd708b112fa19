import { type Change, stateOf } from '../layered.ts';
import { overlay, type Writes } from '../overlay.ts';
import type { Snapshot, Store, Transaction } from '../store.ts';
import { type Database, isConflict, type Query, retried } from './database.ts';
import type { Mirror, Reading } from './reading.ts';
import type { Seeds } from './seeds.ts';
import { commit, dropBase, dropEntities, dropUnusedSeeds, renewWorld } from './statements.ts';
import type { SqlStates } from './states.ts';

/** What a try of a transaction came to: its result and what it wrote, or that the world has moved on meanwhile. */
type Outcome<T> = { readonly result: T; readonly keep: () => void } | 'moved';

/** The columns of changes, the first of which makes the revision that comes after `revision`. */
const columnsOf = (changes: readonly Change[], revision: number): unknown[] => [
  changes.map(({ collection }) => collection),
  changes.map(({ id }) => JSON.stringify(id)),
  changes.map(({ position }) => position),
  changes.map((_, index) => revision + 1 + index),
  changes.map(({ value }) => (value === undefined ? null : JSON.stringify(value))),
];

/**
 * The store of one world. Transactions of this process run one after another. Each works on what is known of the world,
 * and is kept by one statement on the condition that the world has not moved on since; where another instance was
 * quicker, it is done again while the world is locked, so that it cannot lose twice.
 */
export function createSqlStore(
  database: Database,
  seeds: Seeds,
  name: string,
  reading: Reading,
  states: SqlStates,
): Store {
  const attempt = async <T>(
    query: Query,
    mirror: Mirror,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<Outcome<T>> => {
    const { revision } = mirror;
    const writes: Writes = new Map();
    // Readings of others go on meanwhile, and may bring the mirror further.
    const hasMoved = (): boolean => mirror.revision !== revision;
    let result: T;
    try {
      result = await work(overlay(mirror, writes));
    } catch (error) {
      if (hasMoved()) return 'moved';
      throw error;
    }
    if (hasMoved()) return 'moved';
    const changes = mirror.placed(writes);
    if (changes.length === 0) return { result, keep: () => undefined };
    const after = revision + changes.length;
    const kept = await query(commit, [name, mirror.generation, revision, after, ...columnsOf(changes, revision)]).catch(
      error => {
        // Whether it was kept is not known.
        reading.forget();
        throw error;
      },
    );
    if (kept.length === 0) return 'moved';
    return { result, keep: () => mirror.revision === revision && mirror.advance(after, changes) };
  };

  const once = async <T>(work: (transaction: Transaction) => Promise<T>): Promise<Outcome<T>> => {
    try {
      return await attempt(database.query, await reading.now(), work);
    } catch (error) {
      if (isConflict(error)) return 'moved';
      throw error;
    }
  };

  const locked = <T>(work: (transaction: Transaction) => Promise<T>): Promise<Outcome<T>> =>
    retried(() =>
      database.transaction(async query => {
        await reading.lock(query);
        return attempt(query, await reading.nowBy(query), work);
      }),
    );

  const transaction: Store['transaction'] = work =>
    reading.inTurn(async () => {
      let outcome = await once(work);
      while (outcome === 'moved') outcome = await locked(work);
      outcome.keep();
      return outcome.result;
    });

  const replace = (snapshot: Snapshot): Promise<void> => {
    const seed = seeds.of(snapshot);
    return retried(() =>
      database.transaction(async query => {
        const { generation, base } = await reading.lock(query);
        await seeds.keep(query, seed);
        await query(renewWorld, [name, seed.hash]);
        await query(dropEntities, [generation]);
        if (base !== null) await query(dropBase, [base]);
        await query(dropUnusedSeeds);
      }),
    );
  };

  /** Takes away the rows on which a world no longer stands. Whatever is missed is swept when the store is opened. */
  const sweep = async (before: Mirror, after: Mirror): Promise<void> => {
    if (before.isChanged()) await database.query(dropEntities, [before.generation]);
    if (before.base !== null && before.base !== after.base) await database.query(dropBase, [before.base]);
  };

  return {
    get: async (collection, id) => (await reading.now()).get(collection, id),
    list: async collection => (await reading.now()).list(collection),
    put: (collection, id, value) => transaction(inner => inner.put(collection, id, value)),
    remove: (collection, id) => transaction(inner => inner.remove(collection, id)),
    transaction,
    snapshot: () =>
      reading.inTurn(async () => {
        return stateOf(await reading.now());
      }),
    restore: snapshot =>
      reading.inTurn(async () => {
        const before = await reading.now();
        const isLoaded = await states.load(snapshot);
        if (!isLoaded) await replace(snapshot);
        reading.forget();
        const after = await reading.now();
        if (isLoaded) await sweep(before, after);
      }),
  };
}
