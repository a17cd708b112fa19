import type { Store } from './store.ts';

/** A store that is still being opened: whoever uses it waits for it, and is told where it could not be. */
export const deferredStore = (opened: () => Promise<Store>): Store => ({
  get: async (collection, id) => (await opened()).get(collection, id),
  list: async collection => (await opened()).list(collection),
  put: async (collection, id, value) => (await opened()).put(collection, id, value),
  remove: async (collection, id) => (await opened()).remove(collection, id),
  transaction: async work => (await opened()).transaction(work),
  snapshot: async () => (await opened()).snapshot(),
  restore: async snapshot => (await opened()).restore(snapshot),
});
