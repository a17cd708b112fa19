import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { lockFolder } from '../folder-lock.ts';
import { StoreError, StoreOutage } from '../store-error.ts';
import type { Database, Row } from './database.ts';
import { GuardedFiles } from './guarded-files.ts';
import { failingFast } from './outage.ts';

/**
 * After so many statements the log of the database is worked off and its dead rows are swept up: the embedded one has no
 * process beside it that would, and would take longer to open with each write.
 */
const usualUpkeep = 2000;

/** A page of memory that the database sets up costs time with each opening, and the store needs few. */
const memory = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=5'];

/** A disk is not full any more when so many bytes can be written at once. */
const room = 1024 * 1024;

/** Opens a database of which this process holds the lock. */
const open = async (folder: string, mayWrite: () => boolean): Promise<PGlite> => {
  // The database has a lock file of its own, refuses one that is empty, and leaves it so when it dies while it opens.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  return PGlite.create({
    fs: new GuardedFiles(folder, mayWrite),
    startParams: [...PGlite.defaultStartParams, ...memory],
  });
};

/**
 * Makes a folder with those above it. Step by step: in a place where nothing can be made, such as /proc, Node tries for
 * ever to make the folder that is there already.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Refuses a folder in which something else than a store has the name that its files would have. */
function refuseForeign(folder: string, data: string): void {
  if (existsSync(data) && !existsSync(join(data, 'PG_VERSION')))
    throw new StoreError(`${folder} is no store: what is called data there is something else; choose another folder`);
}

/** Makes the files of a database; a process that dies meanwhile leaves none that would be taken for whole ones. */
async function makeFiles(data: string, mayWrite: () => boolean): Promise<void> {
  const unfinished = `${data}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  await (await open(unfinished, mayWrite)).close();
  renameSync(unfinished, data);
}

/** Throws the error of the system where the disk of a folder is full, or cannot be written. */
function refuseFull(folder: string): void {
  const file = join(folder, 'room');
  try {
    writeFileSync(file, Buffer.alloc(room), { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/** What the system says of a folder that cannot be written, in a few words; undefined where it can be. */
const faultOf = (folder: string): string | undefined => {
  try {
    refuseFull(folder);
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? 'its disk is full' : `its folder cannot be written (${code})`;
  }
};

/** Why the files of a store cannot be opened. PGlite tells nothing of it but that it was aborted. */
const unopened = (error: unknown, folder: string, anew: string): StoreError => {
  if (error instanceof StoreError) return error;
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  const fault = typeof code === 'string' && code.startsWith('E') ? message : faultOf(folder);
  return new StoreError(
    fault === undefined
      ? `the store in ${folder} is damaged, or was made by another program; to begin anew, ${anew}`
      : `cannot open the store in ${folder}: ${fault.split('\n')[0]}`,
  );
};

/** An error of a statement, after which the database works on: SQLSTATE, and none of a full disk or of the inside. */
const isOfStatement = (error: unknown): boolean =>
  /^(?!53|58|XX)[0-9A-Z]{5}$/.test(String((error as { code?: unknown } | null)?.code));

/**
 * The embedded database in a folder, which it makes where there is none and locks for this process. What was
 * acknowledged outlives the death of the process, not that of the machine: nothing waits for the disk. A `StoreError`
 * where another process has the folder, or it cannot be opened, and later a `StoreOutage` where its disk is full, or the
 * lock was lost.
 */
export async function embeddedDatabase(folder: string, upkeepEvery = usualUpkeep): Promise<Database> {
  const data = join(folder, 'data');
  const anew = `move ${data} away`;
  let unlock = (): void => undefined;
  /** Opened anew after each failure; an instance before the last never writes again. */
  let instance = 0;
  try {
    refuseForeign(folder, data);
    makeFolder(folder);
    const lock = await lockFolder(folder);
    unlock = lock.release;
    const openNext = (): Promise<PGlite> => {
      instance += 1;
      const own = instance;
      return open(data, () => own === instance && lock.isHeld());
    };
    if (!existsSync(data)) await makeFiles(data, lock.isHeld);
    chmodSync(data, 0o700);
    let pglite = await openNext();
    const taken = new StoreOutage(folder, 'another process has taken its folder over');

    /** Does what needs the database; where that is the trouble, the error is a `StoreOutage`. */
    const asking = async <T>(work: () => Promise<T>): Promise<T> => {
      if (!lock.isHeld()) throw taken;
      try {
        return await work();
      } catch (error) {
        if (error instanceof StoreOutage || isOfStatement(error)) throw error;
        const [line = ''] = String((error as Error | null)?.message ?? error).split('\n');
        throw lock.isHeld() ? new StoreOutage(folder, faultOf(folder) ?? `its database failed (${line})`) : taken;
      }
    };
    const run = (on: PGlite | Transaction, sql: string, parameters: readonly unknown[] = []) =>
      asking(async () => (await on.query<Row>(sql, [...parameters])).rows);
    let statements = 0;
    const upkeep = async (): Promise<void> => {
      statements += 1;
      if (statements % upkeepEvery !== 0) return;
      // What was acknowledged does not depend on it; where it fails, the next statement that fails too will tell why.
      await pglite.exec('VACUUM').catch(() => undefined);
      await pglite.exec('CHECKPOINT').catch(() => undefined);
    };
    return failingFast({
      isExclusive: true,
      anew,
      lost: lock.lost.then(() => taken),
      query: async (sql, parameters) => {
        const rows = await run(pglite, sql, parameters);
        await upkeep();
        return rows;
      },
      transaction: async work => {
        const outcome = await asking(() =>
          pglite.transaction(async transaction => {
            try {
              return { result: await work((sql, parameters) => run(transaction, sql, parameters)) };
            } catch (error) {
              // What the work throws is no failure of the database.
              await transaction.rollback();
              return { error };
            }
          }),
        );
        if ('error' in outcome) throw outcome.error;
        return outcome.result;
      },
      recover: async () => {
        if (!lock.isHeld()) throw taken;
        refuseFull(folder);
        pglite = await openNext();
      },
      close: async () => {
        try {
          if (lock.isHeld()) await pglite.close();
        } finally {
          unlock();
        }
      },
    });
  } catch (error) {
    unlock();
    throw unopened(error, folder, anew);
  }
}
