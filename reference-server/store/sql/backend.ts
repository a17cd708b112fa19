import type { Backend, World } from '../backend.ts';
import { usualLimit } from '../records.ts';
import { StoreError } from '../store-error.ts';
import { type Database, retried } from './database.ts';
import { followedWorld } from './followed-world.ts';
import { makeTables } from './schema.ts';
import { createSeeds } from './seeds.ts';
import { dropUnusedSeeds, dropWorld, lockWorld, worldNames } from './statements.ts';

/** Errors of statements and values that tell of tables or texts that are not ours (42501 is about permissions). */
const isDamage = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === undefined ? error instanceof Error : /^(22|23|3F|42(?!501)|XX)/.test(String(code));
};

/**
 * Worlds in a database, whose tables it makes: each is a world in memory, and a log that all instances follow. `where`
 * names it in errors. A `StoreError` where its tables are of another version, or what is in them cannot be read. A log is
 * written anew when it is longer than `limitOf` of what it held when it was last written so, in bytes.
 */
export async function sqlBackend(database: Database, where: string, limitOf = usualLimit): Promise<Backend> {
  const reading = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (error instanceof StoreError || !isDamage(error)) throw error;
      throw new StoreError(
        `the store at ${where} is damaged, or was made by another program; to begin anew, drop its schema console_conformance`,
      );
    });
  await reading(makeTables(database, where));
  const seeds = createSeeds();
  /** What is known of worlds that somebody holds. */
  const open = new Map<string, WeakRef<World>>();
  const gone = new FinalizationRegistry<string>(name => {
    if (open.get(name)?.deref() === undefined) open.delete(name);
  });
  return {
    world: async (name, seed) => {
      let world = open.get(name)?.deref();
      if (world === undefined) {
        world = followedWorld(database, seeds, name, seed, limitOf);
        open.set(name, new WeakRef(world));
        gone.register(world, name);
      }
      await reading(world.notes.revision());
      return world;
    },
    worlds: async () => (await database.query(worldNames)).map(row => JSON.parse(String(row.name)) as string).sort(),
    forget: name =>
      retried(() =>
        database.transaction(async query => {
          await query(lockWorld, [JSON.stringify(name)]);
          await query(dropWorld, [JSON.stringify(name)]);
          await query(dropUnusedSeeds);
        }),
      ),
    check: async () => void (await database.query('SELECT 1')),
    close: database.close,
  };
}
