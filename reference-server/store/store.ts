import type { CollectionName, Collections } from '../entities.ts';

/**
 * The store behind the handlers, asynchronous because a database may be behind it. Stored values are immutable: a
 * change replaces the whole value.
 */

/** Read access, in the order of first puts. */
export interface Reader {
  /** Returns an entity, or undefined. */
  get<C extends CollectionName>(collection: C, id: string): Promise<Collections[C] | undefined>;
  /**
   * Returns all entities of a collection. The array stays the same until the next change, so that callers may use it as
   * a cache key.
   */
  list<C extends CollectionName>(collection: C): Promise<readonly Collections[C][]>;
}

/** Access within a transaction; reads see its own writes. */
export interface Transaction extends Reader {
  /** Creates or replaces an entity. */
  put<C extends CollectionName>(collection: C, id: string, value: Collections[C]): Promise<void>;
  /** Removes an entity, if it exists. */
  remove(collection: CollectionName, id: string): Promise<void>;
}

/** The whole contents of a store as plain JSON: pairs of id and value per collection, in order. */
export type Snapshot = { readonly [C in CollectionName]: readonly (readonly [string, Collections[C]])[] };

/** A transactional store. */
export interface Store extends Transaction {
  /**
   * Runs `work` in isolation: transactions of a store are sequential. If `work` throws, as refusals do, it is rolled
   * back and the error is passed on. Transactions must not nest.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Returns the whole contents. */
  snapshot(): Promise<Snapshot>;
  /** Replaces the whole contents. */
  restore(snapshot: Snapshot): Promise<void>;
}

/**
 * Freezes a JSON value deeply and returns it, so that no caller can change a stored value in place. Recursion is safe,
 * because bodies have limited depth.
 */
export const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
  return value;
};
