import { createHash } from 'node:crypto';
import { type CollectionName, collectionNames } from '../../entities.ts';
import { freeze, type Snapshot } from '../store.ts';
import { type Query, Superseded } from './database.ts';
import { holdSeed, keepSeed, readSeed } from './statements.ts';

/** An entity at its place in a collection. */
export interface Placed {
  readonly position: number;
  /** Undefined where the entity was taken away. */
  readonly value: unknown;
}

/** What a generation of a world begins with: shared by all that begin with it, never changed. */
export interface Ground {
  /** The entities of a collection by id, and those that were taken away. */
  readonly table: (collection: CollectionName) => ReadonlyMap<string, Placed>;
  /** The same in order; always the same array. */
  readonly list: (collection: CollectionName) => readonly unknown[];
}

/** What worlds are made from: read once. */
interface Seed extends Ground {
  readonly hash: string;
  readonly snapshot: Snapshot;
}

/** Entities at their places, in order, without those that were taken away. */
export const inOrder = (placed: Iterable<readonly [string, Placed]>): [string, unknown][] =>
  [...placed]
    .filter(([, { value }]) => value !== undefined)
    .sort(([, one], [, other]) => one.position - other.position)
    .map(([id, { value }]) => [id, value]);

/** A seed with what a snapshot differs in. What the snapshot took away stays in the tables, without a value. */
export const groundOver = (
  seed: Seed,
  changes: readonly (Placed & { readonly collection: CollectionName; readonly id: string })[],
): Ground => {
  const tables = new Map<CollectionName, Map<string, Placed>>();
  const lists = new Map<CollectionName, readonly unknown[]>();
  for (const { collection, id, position, value } of changes) {
    const table = tables.get(collection) ?? new Map(seed.table(collection));
    tables.set(collection, table.set(id, { position, value }));
  }
  return {
    table: collection => tables.get(collection) ?? seed.table(collection),
    list: collection => {
      const table = tables.get(collection);
      if (table === undefined) return seed.list(collection);
      const list = lists.get(collection) ?? inOrder(table).map(([, value]) => value);
      lists.set(collection, list);
      return list;
    },
  };
};

const seedOf = (hash: string, snapshot: Snapshot): Seed => {
  const tables = new Map<CollectionName, ReadonlyMap<string, Placed>>();
  const lists = new Map<CollectionName, readonly unknown[]>();
  const known = <T>(held: Map<CollectionName, T>, collection: CollectionName, make: () => T): T => {
    const value = held.get(collection) ?? make();
    held.set(collection, value);
    return value;
  };
  return {
    hash,
    snapshot,
    table: collection =>
      known(
        tables,
        collection,
        () => new Map(snapshot[collection].map(([id, value], position) => [id, { position, value }])),
      ),
    list: collection => known(lists, collection, () => snapshot[collection].map(([, value]) => value)),
  };
};

/** The seeds of a store. */
export interface Seeds {
  /** A seed of what a caller gives. */
  readonly of: (snapshot: Snapshot) => Seed;
  /** Keeps a seed, so that a world can be made of it. */
  readonly keep: (query: Query, seed: Seed) => Promise<void>;
  /**
   * A seed that is kept. A collection that it does not have, because it is of an older version, is taken from `base`.
   */
  readonly read: (query: Query, hash: string, base: Snapshot) => Promise<Seed>;
}

/** The seeds of one store: each is read, hashed and made once, as long as somebody holds it. */
export function createSeeds(): Seeds {
  const byHash = new Map<string, WeakRef<Seed>>();
  const bySnapshot = new WeakMap<Snapshot, Seed>();

  const held = (hash: string, make: () => Seed): Seed => {
    const seed = byHash.get(hash)?.deref() ?? make();
    byHash.set(hash, new WeakRef(seed));
    for (const [other, reference] of byHash) if (reference.deref() === undefined) byHash.delete(other);
    return seed;
  };

  return {
    of: snapshot => {
      const known = bySnapshot.get(snapshot);
      if (known !== undefined) return known;
      const hash = createHash('sha256').update(JSON.stringify(snapshot)).digest('hex');
      const seed = held(hash, () => seedOf(hash, freeze(snapshot)));
      bySnapshot.set(snapshot, seed);
      return seed;
    },
    async keep(query, { hash, snapshot }) {
      // A seed is large, and nearly always there.
      const [held] = await query(holdSeed, [hash]);
      if (held === undefined) await query(keepSeed, [hash, JSON.stringify(snapshot)]);
    },
    read: async (query, hash, base) => {
      const known = byHash.get(hash)?.deref();
      if (known !== undefined) return known;
      const [row] = await query(readSeed, [hash]);
      if (row === undefined) throw new Superseded('the seed of a world is gone, for the world was made anew');
      const stored = JSON.parse(String(row.body)) as Partial<Snapshot>;
      const whole = collectionNames.map(name => [name, stored[name] ?? base[name]]);
      return held(hash, () => seedOf(hash, freeze(Object.fromEntries(whole) as Snapshot)));
    },
  };
}
