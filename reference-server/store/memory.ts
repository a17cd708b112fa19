import type { Backend, World } from './backend.ts';
import { type Asked, type Change, createContents } from './contents.ts';
import { inTurn } from './in-turn.ts';
import type { Snapshot } from './store.ts';
import { worldOver } from './world.ts';

/** A world in memory; `keep` is told of each change before it is made: where it throws, nothing is changed. */
const createMemoryWorld = (name: string, seed: Snapshot, keep: (change: Change) => void = () => undefined) => {
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

/** Persistent storage behind the worlds in memory. */
interface Keeper {
  /** Stores a change of a world before it is applied; if it throws, nothing changes. */
  readonly keep: (world: string, change: Change) => void;
  /** Stores that a world was deleted. */
  readonly forget: (world: string) => void;
  /**
   * Returns, once, the changes of a world by an earlier process; undefined if there are none. `seed` completes older
   * states.
   */
  readonly recall: (world: string, seed: Snapshot) => readonly Change[] | undefined;
}

type Made = ReturnType<typeof createMemoryWorld>;

/**
 * Creates a backend in memory. Each world holds its changes, and shares its seed with others. A deleted world is
 * recreated by the next change of a holder, or when requested.
 */
export const createMemoryBackend = (keeper?: Keeper) => {
  const worlds = new Map<string, Made>();
  /** Deleted worlds that may still have holders. */
  const forgotten = new Map<string, WeakRef<Made>>();

  const create = (name: string, seed: Snapshot): Made => {
    const made = createMemoryWorld(name, seed, change => {
      begin(made, seed);
      keeper?.keep(name, change);
    });
    return made;
  };

  /** Initialises a world that is new or was deleted. */
  const begin = (made: Made, seed: Snapshot): void => {
    const { name } = made.world;
    if (worlds.get(name) === made) return;
    const fresh: Change = { do: 'begin', state: seed };
    const before = keeper?.recall(name, seed);
    if (before === undefined) keeper?.keep(name, fresh);
    for (const change of before ?? [fresh]) made.contents.apply(change);
    worlds.set(name, made);
    forgotten.delete(name);
  };

  const worldNow = (name: string, seed: Snapshot): World => {
    const made = worlds.get(name) ?? forgotten.get(name)?.deref() ?? create(name, seed);
    begin(made, seed);
    return made.world;
  };

  const forget = (name: string): void => {
    keeper?.forget(name);
    const made = worlds.get(name);
    if (made === undefined) return;
    worlds.delete(name);
    made.contents.reset();
    for (const [other, reference] of forgotten) if (reference.deref() === undefined) forgotten.delete(other);
    forgotten.set(name, new WeakRef(made));
  };

  return {
    /** The synchronous form of `world`. */
    worldNow,
    /** Returns the worlds known to this process by name, with the changes that recreate each. */
    changesNow: (): ReadonlyMap<string, readonly Change[]> =>
      new Map([...worlds].map(([name, { contents }]) => [name, contents.changes()])),
    world: async (name, seed) => worldNow(name, seed),
    worlds: async () => [...worlds.keys()],
    forget: async name => worlds.get(name)?.turns(() => forget(name)) ?? forget(name),
    check: async () => undefined,
    close: async () => worlds.clear(),
  } satisfies Backend & Record<string, unknown>;
};
