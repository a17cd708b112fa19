import type { Collections } from '../../entities.ts';
import { freeze, type Transaction } from '../store.ts';
import type { Mirror, Writes } from './mirror.ts';

/** A transaction over what is known of a world: it reads its own writes, which go into `writes` and nowhere else. */
export const overlay = (mirror: Mirror, writes: Writes): Transaction => {
  const write = (collection: keyof Collections, id: string, value: unknown): void => {
    const written = writes.get(collection) ?? new Map<string, unknown>();
    writes.set(collection, written.set(id, value));
  };
  return {
    get: async (collection, id) => {
      const written = writes.get(collection);
      if (written?.has(id) !== true) return mirror.get(collection, id);
      return written.get(id) as Collections[typeof collection] | undefined;
    },
    list: async collection => {
      const written = writes.get(collection);
      const all = written === undefined ? mirror.list(collection) : mirror.listWith(collection, written);
      return all as readonly Collections[typeof collection][];
    },
    put: async (collection, id, value) => write(collection, id, freeze(value)),
    remove: async (collection, id) => write(collection, id, undefined),
  };
};
