import type { CollectionName, Collections } from '../entities.ts';

/**
 * The store behind the handlers. It is asynchronous, so that a database could take the place of the memory.
 * Stored values are immutable: a change is a new value that is put in the place of the old one.
 */

/** Reading: what is there, in the order in which it was first put. */
export interface Reader {
  /** One entity, or undefined. */
  get<C extends CollectionName>(collection: C, id: string): Promise<Collections[C] | undefined>;
  /**
   * All entities of a collection. Until the next change the same array is answered, so that a caller may key what it
   * derives from a collection by it.
   */
  list<C extends CollectionName>(collection: C): Promise<readonly Collections[C][]>;
}

/** What may be done inside a transaction; reads see its own writes. */
export interface Transaction extends Reader {
  /** Creates or replaces one entity. */
  put<C extends CollectionName>(collection: C, id: string, value: Collections[C]): Promise<void>;
  /** Takes one entity away; nothing happens where there is none. */
  remove(collection: CollectionName, id: string): Promise<void>;
}

/** Everything a store holds, as plain JSON: per collection the pairs of id and value, in order. */
export type Snapshot = { readonly [C in CollectionName]: readonly (readonly [string, Collections[C]])[] };

/** A transactional store. */
export interface Store extends Transaction {
  /**
   * Runs `work` alone: transactions of one store run one after another. When `work` throws (a refusal does), nothing of
   * it is kept and the error is passed on. A transaction must not open another one.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** All there is. */
  snapshot(): Promise<Snapshot>;
  /** Replaces all there is. */
  restore(snapshot: Snapshot): Promise<void>;
}

/**
 * Freezes a JSON value at every depth and returns it, so that no caller can change a stored value in place. Values are
 * at most as deep as a request may be (200 levels).
 */
export const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
  return value;
};
