import type { Notes, World } from './backend.ts';
import { type Asked, type Change, createContents } from './contents.ts';
import { inTurn } from './in-turn.ts';
import type { Snapshot, Store } from './store.ts';
import { worldOver } from './world.ts';

/** Notes whose revision is there at once. */
export interface MemoryNotes extends Notes {
  /** What `revision` says, at once: it is asked with every request. */
  readonly revisionNow: () => number;
}

/** A world that is there at once. */
export interface MemoryWorld extends World {
  readonly notes: MemoryNotes;
  /** The changes that make it anew. */
  readonly changes: () => readonly Change[];
}

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
  const { notes, ...others } = worldOver(name, {
    now: async () => contents,
    append: work => turns(async () => made(await work(contents))),
    note: async work => made(work(contents)),
    revision: async () => contents.revision(),
  });
  const world: MemoryWorld = {
    ...others,
    notes: { ...notes, revisionNow: contents.revision },
    changes: contents.changes,
  };
  return { world, contents, turns };
};

/** A store in memory that begins with a state. */
export const createMemoryStore = (initial: Snapshot): Store => createMemoryWorld('', initial).world.store;
