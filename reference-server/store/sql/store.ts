import { type CollectionName, collectionNames } from '../../entities.ts';
import type { Snapshot, Store, Transaction } from '../store.ts';
import { type Database, isConflict, type Query, retried } from './database.ts';
import type { Change, Mirror, Writes } from './mirror.ts';
import type { Reading } from './reading.ts';
import type { Seeds } from './seeds.ts';
import { commit, dropEntities, dropUnusedSeeds, lockWorld, renewWorld } from './statements.ts';
import { overlay } from './transaction.ts';

/** What a try of a transaction came to: its result and what it wrote, or that the world has moved on meanwhile. */
type Outcome<T> = { readonly result: T; readonly keep: () => void } | 'moved';

const columnsOf = (changes: readonly Change[]): unknown[] => [
  changes.map(({ collection }) => collection),
  changes.map(({ id }) => JSON.stringify(id)),
  changes.map(({ position }) => position),
  changes.map(({ revision }) => revision),
  changes.map(({ value }) => (value === undefined ? null : JSON.stringify(value))),
];

/**
 * The store of one world. Transactions of this process run one after another. Each works on what is known of the world,
 * and is kept by one statement on the condition that the world has not moved on since; where another instance was
 * quicker, it is done again while the world is locked, so that it cannot lose twice.
 */
export function createSqlStore(database: Database, seeds: Seeds, name: string, reading: Reading): Store {
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
    const kept = await query(commit, [name, mirror.generation, revision, after, ...columnsOf(changes)]);
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

  const lock = async (query: Query): Promise<unknown> => {
    const [row] = await query(lockWorld, [name]);
    if (row !== undefined) return row.generation;
    await reading.make(query);
    return lock(query);
  };

  const locked = <T>(work: (transaction: Transaction) => Promise<T>): Promise<Outcome<T>> =>
    retried(() =>
      database.transaction(async query => {
        await lock(query);
        return attempt(query, await reading.nowBy(query), work);
      }),
    );

  const transaction: Store['transaction'] = work =>
    reading.inTurn(async () => {
      try {
        let outcome = await once(work);
        while (outcome === 'moved') outcome = await locked(work);
        outcome.keep();
        return outcome.result;
      } catch (error) {
        // Whether it was kept may be unknown where the database failed.
        if ((error as { code?: unknown } | null)?.code !== undefined) reading.forget();
        throw error;
      }
    });

  return {
    get: async (collection, id) => (await reading.now()).get(collection, id),
    list: async collection => (await reading.now()).list(collection),
    put: (collection, id, value) => transaction(inner => inner.put(collection, id, value)),
    remove: (collection, id) => transaction(inner => inner.remove(collection, id)),
    transaction,
    snapshot: () =>
      reading.inTurn(async () => {
        const mirror = await reading.now();
        const pairs = collectionNames.map((collection: CollectionName) => [collection, mirror.pairs(collection)]);
        return Object.fromEntries(pairs) as Snapshot;
      }),
    restore: snapshot =>
      reading.inTurn(async () => {
        const seed = seeds.of(snapshot);
        await retried(() =>
          database.transaction(async query => {
            const generation = await lock(query);
            await seeds.keep(query, seed);
            await query(renewWorld, [name, seed.hash]);
            await query(dropEntities, [generation]);
            await query(dropUnusedSeeds);
          }),
        );
        reading.forget();
        await reading.now();
      }),
  };
}
