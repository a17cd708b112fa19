import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { lockFolder } from '../folder-lock.ts';
import { StoreError } from '../store-error.ts';
import type { Database, Row } from './database.ts';

/**
 * After so many statements the log of the database is worked off and its dead rows are swept up: the embedded one has no
 * process beside it that would, and would take longer to open with each write.
 */
const usualUpkeep = 2000;

/** A page of memory that the database sets up costs time with each opening, and the store needs few. */
const memory = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=5'];

/** Opens a database of which this process holds the lock. */
const open = async (folder: string): Promise<PGlite> => {
  // The database has a lock file of its own, refuses one that is empty, and leaves it so when it dies while it opens.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  return PGlite.create({ dataDir: folder, startParams: [...PGlite.defaultStartParams, ...memory] });
};

/**
 * Makes a folder with those above it. Step by step: in a place where nothing can be made, such as /proc, Node tries for
 * ever to make the folder that is there already.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Refuses a folder in which something else than a store has the name that its files would have. */
function refuseForeign(folder: string, data: string): void {
  if (existsSync(data) && !existsSync(join(data, 'PG_VERSION')))
    throw new StoreError(`${folder} is no store: what is called data there is something else; choose another folder`);
}

/** Makes the files of a database; a process that dies meanwhile leaves none that would be taken for whole ones. */
async function makeFiles(data: string): Promise<void> {
  const unfinished = `${data}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await (await open(unfinished)).close();
  renameSync(unfinished, data);
}

/**
 * The embedded database in a folder, which it makes where there is none and locks for this process. What was
 * acknowledged outlives the death of the process, not that of the machine: nothing waits for the disk. A `StoreError`
 * where another process has the folder, or it cannot be opened.
 */
export async function embeddedDatabase(folder: string, upkeepEvery = usualUpkeep): Promise<Database> {
  const data = join(folder, 'data');
  let unlock: (() => void) | undefined;
  let pglite: PGlite;
  try {
    refuseForeign(folder, data);
    makeFolder(folder);
    unlock = lockFolder(folder);
    if (!existsSync(data)) await makeFiles(data);
    pglite = await open(data);
  } catch (error) {
    unlock?.();
    if (error instanceof StoreError) throw error;
    const [line] = String((error as Error | null)?.message ?? error).split('\n');
    throw new StoreError(`cannot open the store in ${folder}: ${line}`);
  }
  const run = async (on: PGlite | Transaction, sql: string, parameters: readonly unknown[] = []) =>
    (await on.query<Row>(sql, [...parameters])).rows;
  let statements = 0;
  const upkeep = async (): Promise<void> => {
    statements += 1;
    if (statements % upkeepEvery !== 0) return;
    // What was acknowledged does not depend on it; where it fails, the next statement that fails too will tell why.
    await pglite.exec('VACUUM').catch(() => undefined);
    await pglite.exec('CHECKPOINT').catch(() => undefined);
  };
  return {
    isExclusive: true,
    query: async (sql, parameters) => {
      const rows = await run(pglite, sql, parameters);
      await upkeep();
      return rows;
    },
    transaction: work =>
      pglite.transaction(transaction => work((sql, parameters) => run(transaction, sql, parameters))),
    close: async () => {
      await pglite.close();
      unlock?.();
    },
  };
}
