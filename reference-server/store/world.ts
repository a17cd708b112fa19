import type { World } from './backend.ts';
import type { Asked, Change, Contents } from './contents.ts';
import { freeze, type Store } from './store.ts';

/** How a world is read and changed. */
interface Access {
  readonly now: () => Promise<Contents>;
  /** Keeps and makes the change that work asks for; while no other work of the kind is done. */
  readonly append: <T>(work: (contents: Contents) => Asked<T> | Promise<Asked<T>>) => Promise<T>;
  /** The same, whatever else is done: notes are written in the midst of transactions. */
  readonly note: <T>(work: (contents: Contents) => Asked<T>) => Promise<T>;
  readonly revision: () => Promise<number>;
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** A world, whatever keeps it: each of its changes is one of `Change`. */
export const worldOver = (name: string, { now, append, note, revision }: Access): World => {
  const ask = (change: Change): Promise<void> => append(() => ({ result: undefined, change }));
  const transaction: Store['transaction'] = work => append(contents => contents.attempt(work));
  return {
    name,
    store: {
      get: async (collection, id) => (await now()).get(collection, id),
      list: async collection => (await now()).list(collection),
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
