import { createHash } from 'node:crypto';
import { collectionNames } from '../../entities.ts';
import { freeze, type Snapshot } from '../store.ts';
import { type Query, Superseded } from './database.ts';
import { holdSeed, keepSeed, readSeed } from './statements.ts';

/** Whole states that records name: what worlds were made from, and what was restored or given a name. */
export interface Seeds {
  /** Keeps a state, so that a record can name it; gives its hash. */
  readonly keep: (query: Query, state: Snapshot) => Promise<string>;
  /** A state that is kept. A collection that it does not have, because it is of an older version, is taken from `base`. */
  readonly read: (query: Query, hash: string, base: Snapshot) => Promise<Snapshot>;
}

/** The seeds of one store: each is read and hashed once, as long as somebody holds it. */
export function createSeeds(): Seeds {
  const byHash = new Map<string, WeakRef<Snapshot>>();
  const hashes = new WeakMap<Snapshot, string>();

  const hold = (hash: string, state: Snapshot): void => {
    hashes.set(freeze(state), hash);
    if (byHash.get(hash)?.deref() === undefined) byHash.set(hash, new WeakRef(state));
    for (const [other, reference] of byHash) if (reference.deref() === undefined) byHash.delete(other);
  };

  return {
    async keep(query, state) {
      const hash = hashes.get(state) ?? createHash('sha256').update(JSON.stringify(state)).digest('hex');
      hold(hash, state);
      // A seed is large, and nearly always there.
      const [held] = await query(holdSeed, [hash]);
      if (held === undefined) await query(keepSeed, [hash, JSON.stringify(state)]);
      return hash;
    },
    read: async (query, hash, base) => {
      const known = byHash.get(hash)?.deref();
      if (known !== undefined) return known;
      const [row] = await query(readSeed, [hash]);
      if (row === undefined) throw new Superseded('the seed of a world is gone, for the world was made anew');
      const stored = JSON.parse(String(row.body)) as Partial<Snapshot>;
      const whole = Object.fromEntries(collectionNames.map(name => [name, stored[name] ?? base[name]])) as Snapshot;
      hold(hash, whole);
      return whole;
    },
  };
}
