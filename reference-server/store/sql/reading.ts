import type { CollectionName } from '../../entities.ts';
import { inTurn, sharedTurn } from '../in-turn.ts';
import { type Change, type Ground, groundOver, type Layer, layerOver } from '../layered.ts';
import { freeze, type Snapshot } from '../store.ts';
import { type Database, type Query, type Row, retried, Superseded } from './database.ts';
import type { Seeds } from './seeds.ts';
import { changesSince, createWorld, lockWorld, readBase } from './statements.ts';

/** The generation of a world, and that of the snapshot it stands on. */
export interface Generations {
  readonly generation: number;
  readonly base: number | null;
}

const generationsOf = ({ generation, base }: Row): Generations => ({
  generation: Number(generation),
  base: base === null ? null : Number(base),
});

/** What this process knows of one generation of a world: what differs from its ground up to a revision. */
export type Mirror = Layer & Generations;

const changeOf = ({ collection, id, position, value }: Row): Change => ({
  collection: collection as CollectionName,
  id: JSON.parse(String(id)) as string,
  position: Number(position),
  value: value === null ? undefined : freeze(JSON.parse(String(value))),
});

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
  /** The generations of the world, which nobody else changes until the transaction of `query` ends. */
  readonly lock: (query: Query) => Promise<Generations>;
  /** Whether the rows of a snapshot's generation are known. */
  readonly knows: (base: number) => boolean;
  /** What the rows of a snapshot's generation make of the seed of a hash; they are asked for where they are not known. */
  readonly groundAt: (query: Query, hash: string, base: number, rows: () => Promise<readonly Row[]>) => Promise<Ground>;
}

/**
 * Follows one world: each reading asks for what was changed since the one before, by an index, and for nothing else.
 * Readings that are wanted at the same time share one question. A world that is not there is made of `initial`.
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
    if (row !== undefined) return generationsOf(row);
    await make(query);
    return lock(query);
  };

  const grounds = new Map<number, WeakRef<Ground>>();

  const groundAt: Reading['groundAt'] = async (query, hash, base, rows) => {
    const known = grounds.get(base)?.deref();
    if (known !== undefined) return known;
    const seed = await seeds.read(query, hash, initial);
    const changes = (await rows()).filter(({ collection }) => collection !== null).map(changeOf);
    const ground = groundOver(seed, changes);
    grounds.set(base, new WeakRef(ground));
    for (const [other, reference] of grounds) if (reference.deref() === undefined) grounds.delete(other);
    return ground;
  };

  /** What a world stands on: its seed, or the snapshot that was loaded. */
  const groundOf = async (query: Query, hash: string, base: number | null): Promise<Ground> => {
    if (base === null) return seeds.read(query, hash, initial);
    return groundAt(query, hash, base, async () => {
      const rows = await query(readBase, [name, base]);
      if (rows.length === 0) throw new Superseded('the world stands on another snapshot already');
      return rows;
    });
  };

  const ask = async (query: Query): Promise<Mirror> => {
    const rows = await query(changesSince, [name, mirror?.generation ?? 0, mirror?.revision ?? -1]);
    const [head] = rows;
    if (head === undefined) {
      await make(query);
      return ask(query);
    }
    const { generation, base } = generationsOf(head);
    const isNew = (): boolean => mirror === undefined || mirror.generation < generation;
    // Answers to questions of several connections may come in another order than they were asked.
    if (isNew()) {
      const ground = await groundOf(query, String(head.seed), base);
      if (isNew()) mirror = Object.assign(layerOver(ground), { generation, base });
    }
    if (mirror === undefined) return ask(query);
    if (mirror.generation === generation)
      mirror.advance(Number(head.now), rows.filter(({ collection }) => collection !== null).map(changeOf));
    notes = Math.max(notes, Number(head.notes));
    return mirror;
  };

  const now = sharedTurn(() => retried(() => ask(database.query)));
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
    groundAt,
    knows: base => grounds.get(base)?.deref() !== undefined,
  };
}
