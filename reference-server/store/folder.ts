import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Backend } from './backend.ts';
import type { Change } from './contents.ts';
import { lockFolder } from './folder-lock.ts';
import { createLog, type LogFile, readLog } from './log-file.ts';
import { createMemoryBackend } from './memory-backend.ts';
import { completed, type Recording, recorded, recording, usualLimit } from './records.ts';
import { StoreError, StoreOutage } from './store-error.ts';

/** A disk is not full any more when so many bytes can be written at once. */
const room = 1024 * 1024;

/**
 * Makes a folder with those above it. Step by step: in a place where nothing can be made, such as /proc, Node tries for
 * ever to make the folder that is there already.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Refuses the store of a version that kept a PostgreSQL embedded in the process. */
function refuseOlder(folder: string): void {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'PG_VERSION')))
    throw new StoreError(
      `the store in ${folder} is of an older version of this program, and cannot be read; to begin anew, move ${data} away`,
    );
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

/** The code of an error of the system; undefined for any other. */
const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('E') && !code.startsWith('ERR_') ? code : undefined;
};

const isFull = (code: string): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code);

/** Why a store cannot be opened. */
const unopened = (error: unknown, folder: string, path: string): StoreError => {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  if (code === undefined)
    return new StoreError(
      `the store in ${folder} is damaged, or was made by another program; to begin anew, move ${path} away`,
    );
  const [line] = (error as Error).message.split('\n');
  return new StoreError(`cannot open the store in ${folder}: ${isFull(code) ? 'its disk is full' : line}`);
};

/**
 * Worlds in memory whose changes are kept in a folder, which is made where there is none and locked for this process: each
 * is a record behind the others in the log `worlds.ndjson`, written before it is made and answered. What was acknowledged
 * outlives the death of the process, not that of the machine: nothing waits for the disk. A `StoreError` where another
 * process has the folder, or it cannot be opened, and later a `StoreOutage` where its disk is full, or the lock was lost.
 */
export async function folderBackend(folder: string, limitOf = usualLimit): Promise<Backend> {
  const path = join(folder, 'worlds.ndjson');
  let unlock = (): void => undefined;
  try {
    refuseOlder(folder);
    makeFolder(folder);
    const lock = await lockFolder(folder);
    unlock = lock.release;
    /** What an earlier process kept, of the worlds that were not asked for yet. */
    const earlier = existsSync(path) ? recorded(readLog(path), folder) : new Map<string, readonly Change[]>();
    const taken = new StoreOutage(folder, 'another process has taken its folder over');
    const closed = new StoreOutage(folder, 'it is closed');
    let isClosed = false;
    let outage: StoreOutage | undefined;
    let log: LogFile | undefined;
    let limit = 0;
    let records: Recording;

    /**
     * Writes the log anew, without what counts no more. Each process begins with a file of its own: one that was stopped,
     * and whose lock was taken over meanwhile, goes on with a file that nobody reads.
     */
    const renew = (): void => {
      const unfinished = `${path}.new`;
      const next = createLog(unfinished);
      try {
        const into = recording(next.append);
        for (const [name, changes] of earlier) for (const change of changes) into.keep(name, change);
        for (const world of memory.worldsNow()) for (const change of world.changes()) into.keep(world.name, change);
        if (!lock.isHeld()) throw taken;
        renameSync(unfinished, path);
        log?.close();
        [log, records, limit] = [next, into, limitOf(next.size())];
      } catch (error) {
        next.close();
        if (lock.isHeld()) rmSync(unfinished, { force: true });
        throw error;
      }
    };

    /** Does what writes; where that is the trouble, the error is the `StoreOutage` that lasts until it succeeds again. */
    const writing = (work: () => void): void => {
      if (isClosed) throw closed;
      if (!lock.isHeld()) throw taken;
      try {
        work();
      } catch (error) {
        const code = codeOf(error);
        if (code === undefined) throw error;
        outage ??= new StoreOutage(
          folder,
          isFull(code) ? 'its disk is full' : `its folder cannot be written (${code})`,
        );
        throw outage;
      }
      // The process may have been stopped for long in the midst of it.
      if (!lock.isHeld()) throw taken;
      outage = undefined;
    };

    const keep = (work: () => void): void =>
      writing(() => {
        if (Number(log?.size()) > limit)
          try {
            renew();
          } catch {
            // What is acknowledged does not depend on it.
            limit *= 2;
          }
        work();
      });

    const memory = createMemoryBackend({
      keep: (world, change) => keep(() => records.keep(world, change)),
      forget: world => {
        keep(() => records.forget(world));
        earlier.delete(world);
      },
      recall: (world, seed) => {
        const changes = earlier.get(world);
        if (changes === undefined) return undefined;
        const complete = completed(seed);
        const whole = changes.map(change => {
          if (!('state' in change)) return change;
          const state = complete(change.state);
          return state === change.state ? change : { ...change, state };
        });
        // What is written from now on is written over these states.
        if (whole.some((change, index) => change !== changes[index]))
          keep(() => {
            for (const change of whole) records.keep(world, change);
          });
        earlier.delete(world);
        return whole;
      },
    });
    renew();
    return {
      world: memory.world,
      forget: memory.forget,
      worlds: async () => [...(await memory.worlds()), ...earlier.keys()].sort(),
      check: async () => writing(() => outage === undefined || refuseFull(folder)),
      lost: lock.lost.then(() => taken),
      close: async () => {
        if (isClosed) return;
        isClosed = true;
        log?.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw unopened(error, folder, path);
  }
}
