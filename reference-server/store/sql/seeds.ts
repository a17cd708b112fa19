import { createHash } from 'node:crypto';
import { collectionNames } from '../../entities.ts';
import { type Ground, groundOf } from '../layered.ts';
import type { Snapshot } from '../store.ts';
import { type Query, Superseded } from './database.ts';
import { holdSeed, keepSeed, readSeed } from './statements.ts';

/** What worlds are made from: read once. */
interface Seed extends Ground {
  readonly hash: string;
  readonly snapshot: Snapshot;
}

const seedOf = (hash: string, snapshot: Snapshot): Seed => ({ hash, snapshot, ...groundOf(snapshot) });

/** The seeds of a store. */
export interface Seeds {
  /** A seed of what a caller gives. */
  readonly of: (snapshot: Snapshot) => Seed;
  /** Keeps a seed, so that a world can be made of it. */
  readonly keep: (query: Query, seed: Seed) => Promise<void>;
  /**
   * A seed that is kept. A collection that it does not have, because it is of an older version, is taken from `base`.
   */
  readonly read: (query: Query, hash: string, base: Snapshot) => Promise<Seed>;
}

/** The seeds of one store: each is read, hashed and made once, as long as somebody holds it. */
export function createSeeds(): Seeds {
  const byHash = new Map<string, WeakRef<Seed>>();
  const bySnapshot = new WeakMap<Snapshot, Seed>();

  const held = (hash: string, make: () => Seed): Seed => {
    const seed = byHash.get(hash)?.deref() ?? make();
    byHash.set(hash, new WeakRef(seed));
    for (const [other, reference] of byHash) if (reference.deref() === undefined) byHash.delete(other);
    return seed;
  };

  return {
    of: snapshot => {
      const known = bySnapshot.get(snapshot);
      if (known !== undefined) return known;
      const hash = createHash('sha256').update(JSON.stringify(snapshot)).digest('hex');
      const seed = held(hash, () => seedOf(hash, snapshot));
      bySnapshot.set(snapshot, seed);
      return seed;
    },
    async keep(query, { hash, snapshot }) {
      // A seed is large, and nearly always there.
      const [held] = await query(holdSeed, [hash]);
      if (held === undefined) await query(keepSeed, [hash, JSON.stringify(snapshot)]);
    },
    read: async (query, hash, base) => {
      const known = byHash.get(hash)?.deref();
      if (known !== undefined) return known;
      const [row] = await query(readSeed, [hash]);
      if (row === undefined) throw new Superseded('the seed of a world is gone, for the world was made anew');
      const stored = JSON.parse(String(row.body)) as Partial<Snapshot>;
      const whole = collectionNames.map(name => [name, stored[name] ?? base[name]]);
      return held(hash, () => seedOf(hash, Object.fromEntries(whole) as Snapshot));
    },
  };
}
