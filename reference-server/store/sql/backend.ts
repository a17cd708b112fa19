import type { Backend, World } from '../backend.ts';
import { usualLimit } from '../records.ts';
import { StoreError } from '../store-error.ts';
import { type Database, retried } from './database.ts';
import { followedWorld } from './followed-world.ts';
import { makeTables } from './schema.ts';
import { createSeeds } from './seeds.ts';
import { dropUnusedSeeds, dropWorld, lockWorld, worldNames } from './statements.ts';

/** True for errors that suggest foreign or damaged tables or texts (42501 concerns permissions). */
const isDamage = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === undefined ? error instanceof Error : /^(22|23|3F|42(?!501)|XX)/.test(String(code));
};

/**
 * Stores worlds in a database, and creates its tables. Each world is held in memory and follows a log shared by all
 * instances. `where` names the store in errors. Throws a `StoreError` if the tables have another version or are
 * unreadable. A log is compacted when it exceeds `limitOf` of its compacted size, in bytes.
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
  /** Worlds that are still referenced. */
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
