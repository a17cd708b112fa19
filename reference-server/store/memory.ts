import type { World } from './backend.ts';
import { type Asked, type Change, createContents } from './contents.ts';
import { inTurn } from './in-turn.ts';
import type { Snapshot, Store } from './store.ts';
import { worldOver } from './world.ts';

/** A world in memory; `keep` is told of each change before it is made: where it throws, nothing is changed. */
export const createMemoryWorld = (name: string, seed: Snapshot, keep: (change: Change) => void = () => undefined) => {
  const contents = createContents(seed);
  const turns = inTurn();
  const made = <T>({ result, change }: Asked<T>): T => {
    if (change !== undefined) {
      keep(change);
      contents.apply(change);
    }
    return result;
  };
  const world: World = {
    ...worldOver(name, {
      now: async () => contents,
      append: work => turns(async () => made(await work(contents))),
      note: async work => made(work(contents)),
      revision: async () => contents.revision(),
    }),
    revisionNow: contents.revision,
  };
  return { world, contents, turns };
};

/** A store in memory that begins with a state. */
export const createMemoryStore = (initial: Snapshot): Store => createMemoryWorld('', initial).world.store;
