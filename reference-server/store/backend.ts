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
   * Changes the value of a key by what it is, one change after another, whichever instance makes them, and gives the new
   * value. `revision` stays: this is for what is counted with each request, of which nobody has to be told. `by` may be
   * called more than once, and must not wait.
   */
  change(key: string, by: (value: Json | undefined) => Json): Promise<Json>;
  /**
   * A number that is another one after each `put`, by whichever instance: what was derived from these notes holds as long
   * as it stays. It costs next to nothing to ask.
   */
  revision(): Promise<number>;
}

/** A state of a world that was given a name. */
export interface NamedState {
  /** A small value that tells of it. */
  readonly about: Json;
  readonly state: Snapshot;
}

/** States of a world that were given names. Each is saved whole or not at all. */
export interface NamedStates {
  /** All names in their order, with what tells of the states. */
  list(): Promise<readonly (readonly [name: string, about: Json])[]>;
  /** Keeps what the world holds now, in the place of what was kept under the name. */
  save(name: string, aboutOf: (state: Snapshot) => Json): Promise<Json>;
  /** Keeps another state under a name. */
  put(name: string, about: Json, state: Snapshot): Promise<void>;
  /** A state. To `restore` the very one that is given here costs no more than what it differs in. */
  get(name: string): Promise<NamedState | undefined>;
  /** Forgets a state, if there is one. */
  remove(name: string): Promise<void>;
}

/** One world: the state that the holders of a key see, and what is kept beside it. */
export interface World {
  readonly name: string;
  readonly store: Store;
  readonly states: NamedStates;
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
  /** Rejects where nothing can be kept for now, and says why. */
  check(): Promise<void>;
  /** Resolves when the place was lost to another process for good; absent where it cannot be. */
  readonly lost?: Promise<Error>;
  /** Lets go of files and connections. What was acknowledged is kept before. */
  close(): Promise<void>;
}
