import type { World } from './backend.ts';
import type { Asked, Change, Contents } from './contents.ts';
import { freeze, type Store } from './store.ts';

/** Read and write access to a world's contents. */
interface Access {
  readonly now: () => Promise<Contents>;
  /** Stores and applies the change that work requests. Calls are sequential. */
  readonly append: <T>(work: (contents: Contents) => Asked<T> | Promise<Asked<T>>) => Promise<T>;
  /** The same for notes, in a sequence of its own, because notes are also written during transactions. */
  readonly note: <T>(work: (contents: Contents) => Asked<T>) => Promise<T>;
  readonly revision: () => Promise<number>;
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** Returns a world over any storage; every modification is a `Change`. */
export const worldOver = (name: string, { now, append, note, revision }: Access): World => {
  const ask = (change: Change): Promise<void> => append(() => ({ result: undefined, change }));
  const transaction: Store['transaction'] = work => append(contents => contents.attempt(work));
  return {
    name,
    store: {
      get: async (collection, id) => (await now()).layer().get(collection, id),
      list: async collection => (await now()).layer().list(collection),
      put: (...entity) => transaction(inner => inner.put(...entity)),
      remove: (...entity) => transaction(inner => inner.remove(...entity)),
      transaction,
      snapshot: () => append(contents => ({ result: contents.state() })),
      restore: state => ask({ do: 'begin', state: freeze(state) }),
    },
    states: {
      list: async () => [...(await now()).named].map(([state, { about }]) => [state, about] as const).sort(byName),
      save: (state, aboutOf) =>
        append(contents => {
          const whole = freeze(contents.state());
          const about = freeze(aboutOf(whole));
          return { result: about, change: { do: 'save', name: state, about, state: whole, from: contents.from() } };
        }),
      put: (as, about, state) => ask({ do: 'save', name: as, about, state: freeze(state) }),
      get: async state => (await now()).named.get(state),
      remove: state => ask({ do: 'remove', name: state }),
    },
    notes: {
      get: async key => (await now()).values.get(key),
      list: async prefix => [...(await now()).values].filter(([key]) => key.startsWith(prefix)).sort(byName),
      put: (key, value) => note(() => ({ result: undefined, change: { do: 'note', key, value: freeze(value) } })),
      change: (key, by) =>
        note(({ values }) => {
          const value = freeze(by(values.get(key)));
          return { result: value, change: { do: 'note', key, value, isCount: true } };
        }),
      revision,
    },
  };
};
