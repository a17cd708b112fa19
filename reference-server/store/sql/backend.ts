import type { Backend } from '../backend.ts';
import type { Snapshot } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type Database, retried } from './database.ts';
import { createSqlNotes } from './notes.ts';
import { createReading, type Reading } from './reading.ts';
import { migrate } from './schema.ts';
import { createSeeds } from './seeds.ts';
import {
  dropEntities,
  dropNotes,
  dropSnapshots,
  dropUnusedEntities,
  dropUnusedSeeds,
  dropWorld,
  lockWorld,
  worldNames,
} from './statements.ts';
import { createSqlStates } from './states.ts';
import { createSqlStore } from './store.ts';

/** Errors of statements and values that tell of tables or texts that are not ours (42501 is about permissions). */
const isDamage = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === undefined ? error instanceof Error : /^(22|23|3F|42(?!501)|XX)/.test(String(code));
};

/**
 * Worlds in a database, whose tables it makes or brings up to date. `where` names it in errors. A `StoreError` where its
 * tables are of a newer version, or what is in them cannot be read.
 */
export async function sqlBackend(database: Database, where: string): Promise<Backend> {
  const reading = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (error instanceof StoreError || !isDamage(error)) throw error;
      throw new StoreError(
        `the store at ${where} is damaged, or was made by another program; to begin anew, drop its schema console_conformance`,
      );
    });
  await reading(migrate(database, where));
  await reading(database.query(dropUnusedEntities));
  const seeds = createSeeds();
  // Who lets go of a world lets go of what is known of it; two that held the same one would not see each other's writes.
  const open = new Map<string, WeakRef<Reading>>();
  const gone = new FinalizationRegistry<string>(name => {
    if (open.get(name)?.deref() === undefined) open.delete(name);
  });

  const readingOf = (name: string, seed: Snapshot): Reading => {
    const known = open.get(name)?.deref();
    if (known !== undefined) return known;
    const reading = createReading(database, seeds, JSON.stringify(name), seed);
    open.set(name, new WeakRef(reading));
    gone.register(reading, name);
    return reading;
  };

  return {
    world: async (name, seed) => {
      const known = readingOf(name, seed);
      await reading(known.now());
      const text = JSON.stringify(name);
      const states = createSqlStates(database, seeds, text, known);
      const store = createSqlStore(database, seeds, text, known, states);
      return { name, store, states, notes: createSqlNotes(database, text, known) };
    },
    worlds: async () => (await database.query(worldNames)).map(row => JSON.parse(String(row.name)) as string).sort(),
    forget: async name => {
      const text = JSON.stringify(name);
      await retried(() =>
        database.transaction(async query => {
          const [row] = await query(lockWorld, [text]);
          await query(dropNotes, [text]);
          await query(dropWorld, [text]);
          await query(dropSnapshots, [text, null]);
          for (const generation of [row?.generation, row?.base]) await query(dropEntities, [generation ?? null]);
          await query(dropUnusedSeeds);
        }),
      );
      open.get(name)?.deref()?.forget();
    },
    check: async () => void (await database.query('SELECT 1')),
    close: database.close,
  };
}
