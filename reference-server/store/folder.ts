import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend } from './backend.ts';
import type { Change } from './contents.ts';
import { lockFolder, makeFolder } from './folder-lock.ts';
import { createLog, type LogFile, readLog } from './log-file.ts';
import { createMemoryBackend } from './memory.ts';
import { completed, type Recording, recorded, recording, usualLimit } from './records.ts';
import { StoreError, StoreOutage } from './store-error.ts';

/** A disk counts as usable again when this many bytes can be written at once. */
const room = 1024 * 1024;

/** Refuses the store of an older version, which embedded PostgreSQL. */
function refuseOlder(folder: string): void {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'PG_VERSION')))
    throw new StoreError(
      `the store in ${folder} is of an older version of this program, and cannot be read; to begin anew, move ${data} away`,
    );
}

/** Throws the system's error if the disk is full or the folder is not writable. */
function refuseFull(folder: string): void {
  const file = join(folder, 'room');
  try {
    writeFileSync(file, Buffer.alloc(room), { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Returns the code of a system error; undefined for any other error. */
const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('E') && !code.startsWith('ERR_') ? code : undefined;
};

const isFull = (code: string): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code);

/** Converts an error of opening a store. */
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
 * Stores worlds in a folder, which is created if missing, and locked for this process. Each change is appended to the
 * log `worlds.ndjson` before it is applied and answered. Acknowledged changes survive a crash of the process but not of
 * the machine, because nothing waits for the disk. Throws a `StoreError` if the folder is in use or cannot be opened,
 * later a `StoreOutage` if the disk is full or the lock is lost.
 */
export async function folderBackend(folder: string, limitOf = usualLimit): Promise<Backend> {
  const path = join(folder, 'worlds.ndjson');
  let unlock = (): void => undefined;
  try {
    refuseOlder(folder);
    makeFolder(folder, 0o700);
    const lock = await lockFolder(folder);
    unlock = lock.release;
    /** Changes of an earlier process, for worlds that have not been used yet. */
    const earlier = existsSync(path) ? recorded(readLog(path), folder) : new Map<string, readonly Change[]>();
    const taken = new StoreOutage(folder, 'another process has taken its folder over');
    const closed = new StoreOutage(folder, 'it is closed');
    let isClosed = false;
    let outage: StoreOutage | undefined;
    let log: LogFile | undefined;
    let limit = 0;
    let records: Recording;

    /**
     * Compacts the log. Each process starts a new file, so that a suspended process that lost its lock goes on in a
     * file that nobody reads.
     */
    const renew = (): void => {
      const unfinished = `${path}.new`;
      const next = createLog(unfinished);
      try {
        const into = recording(next.append);
        for (const [name, changes] of [...earlier, ...memory.changesNow()])
          for (const change of changes) into.keep(name, change);
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

    /** Runs work that writes. A system error becomes a `StoreOutage`, which lasts until a write succeeds. */
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
      // The process may have been suspended while it wrote.
      if (!lock.isHeld()) throw taken;
      outage = undefined;
    };

    const keep = (work: () => void): void =>
      writing(() => {
        if (Number(log?.size()) > limit)
          try {
            renew();
          } catch {
            // Compaction may fail: no acknowledged change depends on it.
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
        // Later records build on these completed states.
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
