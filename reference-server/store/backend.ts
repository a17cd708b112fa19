import type { Json } from '../../contracts/json.ts';
import type { Snapshot, Store } from './store.ts';

/**
 * Small JSON values that the server keeps beside the state of a world, by key: what it was told to do (behaviours), its
 * clock, its named snapshots. Instances that share a backend share them.
 */
export interface Notes {
  /** The value of a key, or undefined. */
  get(key: string): Promise<Json | undefined>;
  /** The keys that begin with `prefix`, in their order, with their values. */
  list(prefix: string): Promise<readonly (readonly [key: string, value: Json])[]>;
  /** Sets the value of a key; undefined takes it away. */
  put(key: string, value: Json | undefined): Promise<void>;
  /**
   * A number that is another one after each change of these notes, by whichever instance: what was derived from them
   * holds as long as it stays. It costs next to nothing to ask.
   */
  revision(): Promise<number>;
}

/** One world: the state that the holders of a key see, and what is kept beside it. */
export interface World {
  readonly name: string;
  readonly store: Store;
  readonly notes: Notes;
}

/** Where worlds are kept: in memory, in a folder, in a database that several instances share. */
export interface Backend {
  /** A world by its name, made from `seed` at its first use: copied only as far as it changes. */
  world(name: string, seed: Snapshot): Promise<World>;
  /** The names of the worlds there are. */
  worlds(): Promise<readonly string[]>;
  /** Forgets a world with all that is in it. */
  forget(name: string): Promise<void>;
  /** Lets go of files and connections. What was acknowledged is kept before. */
  close(): Promise<void>;
}
