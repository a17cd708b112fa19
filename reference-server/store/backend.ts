import type { Json } from '../../contracts/json.ts';
import type { Snapshot, Store } from './store.ts';

/**
 * Small JSON values stored beside the state of a world, by key: behaviours, clock and expiry. Instances that share a
 * backend share them.
 */
export interface Notes {
  /** Returns the value of a key, or undefined. */
  get(key: string): Promise<Json | undefined>;
  /** Returns the keys with `prefix`, sorted, with their values. */
  list(prefix: string): Promise<readonly (readonly [key: string, value: Json])[]>;
  /** Sets the value of a key; undefined removes it. */
  put(key: string, value: Json | undefined): Promise<void>;
  /**
   * Updates a value atomically across instances, and returns the new one. For per-request counters: `revision` stays,
   * because nobody needs to reload. `by` must be synchronous, and may be called repeatedly.
   */
  change(key: string, by: (value: Json | undefined) => Json): Promise<Json>;
  /**
   * Returns a number that changes after each `put` of any instance. Data derived from these notes is valid while it
   * stays. Cheap to call.
   */
  revision(): Promise<number>;
}

/** A named state of a world. */
export interface NamedState {
  /** A small summary of it. */
  readonly about: Json;
  readonly state: Snapshot;
}

/** Named states of a world. Each is saved atomically. */
export interface NamedStates {
  /** Returns all names, sorted, with their summaries. */
  list(): Promise<readonly (readonly [name: string, about: Json])[]>;
  /** Saves the present state of the world, replacing any state of that name. */
  save(name: string, aboutOf: (state: Snapshot) => Json): Promise<Json>;
  /** Saves another state under a name. */
  put(name: string, about: Json, state: Snapshot): Promise<void>;
  /** Returns a state. Restoring this same object costs only as much as it differs. */
  get(name: string): Promise<NamedState | undefined>;
  /** Deletes a state, if it exists. */
  remove(name: string): Promise<void>;
}

/** A world: its state, and the data stored beside it. */
export interface World {
  readonly name: string;
  readonly store: Store;
  readonly states: NamedStates;
  readonly notes: Notes;
  /** The revision of its notes without waiting, because each request asks for it; only memory can tell. */
  readonly revisionNow?: () => number;
}

/** The storage of worlds: memory, a folder, or a database that several instances share. */
export interface Backend {
  /** Returns a world by name, created from `seed` at first use. Only changes to the seed are copied. */
  world(name: string, seed: Snapshot): Promise<World>;
  /** Returns the names of the existing worlds. */
  worlds(): Promise<readonly string[]>;
  /** Deletes a world and everything in it. */
  forget(name: string): Promise<void>;
  /** Rejects with the cause if nothing can be stored now. */
  check(): Promise<void>;
  /** Resolves if another process takes the place over for good; absent if that is impossible. */
  readonly lost?: Promise<Error>;
  /** Releases files and connections. Acknowledged changes are stored before. */
  close(): Promise<void>;
}
