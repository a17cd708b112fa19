import type { NamedStates, World } from '../backend.ts';
import type { Store } from '../store.ts';
import { freeze } from '../store.ts';
import type { Database } from './database.ts';
import { createSqlNotes } from './notes.ts';
import type { WorldLog } from './world-log.ts';

/** A world over its log; `text` is its name as statements take it. */
export function sqlWorld(database: Database, name: string, text: string, log: WorldLog): World {
  const transaction: Store['transaction'] = work => log.append(({ world }) => world.store.attempt(work));

  const store: Store = {
    get: async (collection, id) => (await log.now()).store.get(collection, id),
    list: async collection => (await log.now()).store.list(collection),
    put: (collection, id, value) => transaction(inner => inner.put(collection, id, value)),
    remove: (collection, id) => transaction(inner => inner.remove(collection, id)),
    transaction,
    snapshot: () => log.inTurn(async () => (await log.now()).store.now()),
    restore: state => log.append(async () => ({ result: undefined, change: { do: 'begin', state: freeze(state) } })),
  };

  const states: NamedStates = {
    list: async () => (await log.now()).states.list(),
    get: async state => (await log.now()).states.get(state),
    save: (state, aboutOf) =>
      log.append(async ({ world }) => {
        const now = freeze(world.store.now());
        const about = freeze(aboutOf(now));
        const from = { state: world.store.begun(), entities: [] };
        return { result: about, change: { do: 'save', name: state, about, state: now, from } };
      }),
    put: (state, about, value) =>
      log.append(async () => ({
        result: undefined,
        change: { do: 'save', name: state, about, state: freeze(value) },
      })),
    remove: state => log.append(async () => ({ result: undefined, change: { do: 'remove', name: state } })),
  };

  return { name, store, states, notes: createSqlNotes(database, text, log) };
}
