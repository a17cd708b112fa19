import { createHash } from 'node:crypto';
import { collectionNames } from '../../entities.ts';
import { freeze, type Snapshot } from '../store.ts';
import { type Query, Superseded } from './database.ts';
import { holdSeed, keepSeed, readSeed } from './statements.ts';

/** Creates the seeds of a store. Each is read and hashed once while somebody holds it. */
export function createSeeds() {
  const byHash = new Map<string, WeakRef<Snapshot>>();
  const hashes = new WeakMap<Snapshot, string>();

  const hold = (hash: string, state: Snapshot): void => {
    hashes.set(freeze(state), hash);
    if (byHash.get(hash)?.deref() === undefined) byHash.set(hash, new WeakRef(state));
    for (const [other, reference] of byHash) if (reference.deref() === undefined) byHash.delete(other);
  };

  return {
    /** Stores a state so that records can refer to it. Returns its hash. */
    async keep(query: Query, state: Snapshot): Promise<string> {
      const hash = hashes.get(state) ?? createHash('sha256').update(JSON.stringify(state)).digest('hex');
      hold(hash, state);
      // Check first, because a seed is large and nearly always stored already.
      const [held] = await query(holdSeed, [hash]);
      if (held === undefined) await query(keepSeed, [hash, JSON.stringify(state)]);
      return hash;
    },
    /** Returns a stored state. Collections that it lacks, because it is of an older version, come from `base`. */
    async read(query: Query, hash: string, base: Snapshot): Promise<Snapshot> {
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

/** Whole states that records refer to: initial, restored and saved ones. */
export type Seeds = ReturnType<typeof createSeeds>;
