import type { Store } from './store.ts';

/** A store that is still being opened: whoever uses it waits for it, and is told where it could not be. */
export const deferredStore = (opening: Promise<Store>): Store => {
  // Who uses it is told; until then nobody needs to be.
  opening.catch(() => undefined);
  return {
    get: async (collection, id) => (await opening).get(collection, id),
    list: async collection => (await opening).list(collection),
    put: async (collection, id, value) => (await opening).put(collection, id, value),
    remove: async (collection, id) => (await opening).remove(collection, id),
    transaction: async work => (await opening).transaction(work),
    snapshot: async () => (await opening).snapshot(),
    restore: async snapshot => (await opening).restore(snapshot),
  };
};
