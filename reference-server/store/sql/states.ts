import type { Json } from '../../../contracts/json.ts';
import type { NamedState, NamedStates } from '../backend.ts';
import { type Ground, stateOf } from '../layered.ts';
import { freeze, type Snapshot } from '../store.ts';
import { type Database, type Query, retried } from './database.ts';
import type { Generations, Reading } from './reading.ts';
import type { Seeds } from './seeds.ts';
import {
  dropSnapshots,
  dropUnusedSeeds,
  holdSnapshot,
  listSnapshots,
  loadSnapshot,
  readEntities,
  readSnapshot,
  saveSnapshot,
} from './statements.ts';

/** The named states of one world, and how the world is put back to one. */
export interface SqlStates extends NamedStates {
  /**
   * Makes the world stand on a state that `get` gave. False where it is none of those, or is gone meanwhile: nothing is
   * done then.
   */
  readonly load: (state: Snapshot) => Promise<boolean>;
}

/**
 * The named states of one world. To save one is to copy the rows in which the world differs from its seed, and to load
 * one to let the world stand on them.
 */
export function createSqlStates(database: Database, seeds: Seeds, world: string, reading: Reading): SqlStates {
  /** The generation of each state that was read. No other state ever has it. */
  const generations = new WeakMap<Snapshot, number>();
  /** The state of what was read, as long as a world stands on it or somebody holds it. */
  const states = new WeakMap<Ground, Snapshot>();

  const stateAt = async (query: Query, generation: number, seed: string): Promise<Snapshot> => {
    const ground = await reading.groundAt(query, seed, generation, () => query(readEntities, [generation]));
    const state = states.get(ground) ?? freeze(stateOf(ground));
    states.set(ground, state);
    generations.set(state, generation);
    return state;
  };

  /** Changes what is kept, while nobody else changes the world. */
  const change = <T>(work: (query: Query, generations: Generations) => Promise<T>): Promise<T> =>
    reading.inTurn(() => retried(() => database.transaction(async query => work(query, await reading.lock(query)))));

  return {
    list: async () => {
      const rows = await database.query(listSnapshots, [world]);
      return rows
        .map(row => [JSON.parse(String(row.name)) as string, JSON.parse(String(row.about)) as Json] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1));
    },
    save: (name, aboutOf) =>
      change(async (query, { generation, base }) => {
        const about = aboutOf(stateOf(await reading.nowBy(query)));
        await query(saveSnapshot, [world, JSON.stringify(name), JSON.stringify(about), null, generation, base]);
        return about;
      }),
    put: (name, about, state) =>
      change(async query => {
        const seed = seeds.of(state);
        await seeds.keep(query, seed);
        await query(saveSnapshot, [world, JSON.stringify(name), JSON.stringify(about), seed.hash, null, null]);
        await query(dropUnusedSeeds);
      }),
    async get(name) {
      const read = async (query: Query, statement: string): Promise<NamedState | undefined> => {
        const [row] = await query(statement, [world, JSON.stringify(name)]);
        if (row === undefined) return undefined;
        const generation = Number(row.generation);
        if (!reading.knows(generation) && statement === readSnapshot)
          return retried(() => database.transaction(inner => read(inner, holdSnapshot)));
        const state = await stateAt(query, generation, String(row.seed));
        return { about: JSON.parse(String(row.about)) as Json, state };
      };
      return read(database.query, readSnapshot);
    },
    remove: name =>
      change(async query => {
        await query(dropSnapshots, [world, JSON.stringify(name)]);
        await query(dropUnusedSeeds);
      }),
    async load(state) {
      const from = generations.get(state);
      if (from === undefined) return false;
      return (await retried(() => database.query(loadSnapshot, [world, from]))).length > 0;
    },
  };
}
