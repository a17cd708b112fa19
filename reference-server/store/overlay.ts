import type { CollectionName, Collections } from '../entities.ts';
import { freeze, type Transaction } from './store.ts';

/** What a transaction wrote: under each id its new value, or undefined where it was taken away. */
export type Writes = Map<CollectionName, Map<string, unknown>>;

/** What a transaction begins with. */
interface Beneath {
  /** One entity, or undefined. */
  readonly get: (collection: CollectionName, id: string) => unknown;
  /** All of a collection. */
  readonly list: (collection: CollectionName) => readonly unknown[];
  /** All of a collection as it will be after writes. */
  readonly listWith: (collection: CollectionName, written: ReadonlyMap<string, unknown>) => readonly unknown[];
}

/** A transaction over what is there: it reads its own writes, which go into `writes` and nowhere else. */
export const overlay = (beneath: Beneath, writes: Writes): Transaction => {
  const write = (collection: CollectionName, id: string, value: unknown): void => {
    const written = writes.get(collection) ?? new Map<string, unknown>();
    writes.set(collection, written.set(id, value));
  };
  return {
    get: async (collection, id) => {
      const written = writes.get(collection);
      const value = written?.has(id) === true ? written.get(id) : beneath.get(collection, id);
      return value as Collections[typeof collection] | undefined;
    },
    list: async collection => {
      const written = writes.get(collection);
      const all = written === undefined ? beneath.list(collection) : beneath.listWith(collection, written);
      return all as readonly Collections[typeof collection][];
    },
    put: async (collection, id, value) => write(collection, id, freeze(value)),
    remove: async (collection, id) => write(collection, id, undefined),
  };
};
