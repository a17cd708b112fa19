import type { Snapshot } from '../store.ts';
import { type Database, type Query, retried } from './database.ts';
import { inTurn, sharedTurn } from './in-turn.ts';
import { changeOf, createMirror, type Mirror } from './mirror.ts';
import type { Seed, Seeds } from './seeds.ts';
import { changesSince, createWorld, lockWorld } from './statements.ts';

/** A world as this process knows it, and how to know it as it is. */
export interface Reading {
  /** What is known, up to date at the time of the call or later. The mirror is followed, not copied. */
  readonly now: () => Promise<Mirror>;
  /** The same, asked of another connection. */
  readonly nowBy: (query: Query) => Promise<Mirror>;
  /** The mark of the notes, up to date as the mirror is. */
  readonly notes: () => Promise<number>;
  /** Takes over the mark after a change of the notes. */
  readonly noted: (mark: number) => void;
  /** Forgets what is known: the next reading begins anew. */
  readonly forget: () => void;
  /** Runs what changes the world one after another. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Makes the world of its seed where there is none. */
  readonly make: (query: Query) => Promise<void>;
  /** The generation of the world, which nobody else changes until the transaction of `query` ends. */
  readonly lock: (query: Query) => Promise<unknown>;
  /** A seed of the store by its hash. */
  readonly seedAt: (query: Query, hash: string) => Promise<Seed>;
}

/**
 * Follows one world: each reading asks for what was changed since the one before, by an index, and for nothing else.
 * Readings that are wanted at the same time share one question, and where nobody else can write, none is asked after the
 * first. A world that is not there is made of `initial`.
 */
export function createReading(database: Database, seeds: Seeds, name: string, initial: Snapshot): Reading {
  let mirror: Mirror | undefined;
  let notes = 0;

  const make = async (query: Query): Promise<void> => {
    const seed = seeds.of(initial);
    await seeds.keep(query, seed);
    await query(createWorld, [name, seed.hash]);
  };

  const lock: Reading['lock'] = async query => {
    const [row] = await query(lockWorld, [name]);
    if (row !== undefined) return row.generation;
    await make(query);
    return lock(query);
  };

  const seedAt: Reading['seedAt'] = (query, hash) => seeds.read(query, hash, initial);

  const ask = async (query: Query): Promise<Mirror> => {
    const rows = await query(changesSince, [name, mirror?.generation ?? 0, mirror?.revision ?? -1]);
    const [head] = rows;
    if (head === undefined) {
      await make(query);
      return ask(query);
    }
    const generation = Number(head.generation);
    // Answers to questions of several connections may come in another order than they were asked.
    if (mirror === undefined || mirror.generation < generation)
      mirror = createMirror(generation, await seedAt(query, String(head.seed)));
    if (mirror.generation === generation)
      mirror.advance(Number(head.now), rows.filter(({ collection }) => collection !== null).map(changeOf));
    notes = Math.max(notes, Number(head.notes));
    return mirror;
  };

  const shared = sharedTurn(() => retried(() => ask(database.query)));
  const now = async (): Promise<Mirror> => (database.isExclusive && mirror !== undefined ? mirror : await shared());
  return {
    now,
    nowBy: ask,
    notes: async () => {
      await now();
      return notes;
    },
    noted: mark => {
      notes = Math.max(notes, mark);
    },
    forget: () => {
      mirror = undefined;
    },
    inTurn: inTurn(),
    make,
    lock,
    seedAt,
  };
}
