import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreError } from './store-error.ts';

/** The locks that this process holds, by the path of their file. */
const held = new Set<string>();

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * When a process began, in ticks since the machine did, where the system tells (Linux does): another process that was
 * given the same id began at another time. Empty where it is not told.
 */
const beginOf = (pid: number): string => {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may hold anything; the time is the twentieth field after it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** The process that holds a lock, by its text; undefined where it is gone. */
const holderOf = (text: string, path: string): number | undefined => {
  const [id = '', begin = ''] = text.trim().split(' ');
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const now = beginOf(pid);
  if (begin !== '' && now !== '' && begin !== now) return undefined;
  return pid === process.pid && !held.has(path) ? undefined : pid;
};

const exists = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** Puts a file in the place of none, whole or not at all; false where there is one. */
const placed = (own: string, path: string): boolean => {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (exists(error)) return false;
    throw error;
  }
};

/**
 * Locks a folder for this process by a file that names it, and returns what lets go of it. The lock of a process that is
 * gone is taken over. A `StoreError` that names the process where there is one. The folder must be on a local disk:
 * processes of another machine are not known here.
 */
export function lockFolder(folder: string): () => void {
  const path = resolve(folder, 'process.id');
  const own = `${path}.${process.pid}`;
  const text = `${process.pid} ${beginOf(process.pid)}\n`;
  writeFileSync(own, text);
  try {
    while (!placed(own, path)) {
      const found = textOf(path);
      const holder = found === undefined ? undefined : holderOf(found, path);
      if (holder !== undefined)
        throw new StoreError(
          `the store in ${folder} is in use by the process ${holder}; one process at a time may open it`,
        );
      if (found !== undefined) discard(path, own, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
  held.add(path);
  return () => {
    held.delete(path);
    if (textOf(path) === text) rmSync(path, { force: true });
  };
}

/** Takes away a lock that was found to be nobody's, unless another process has taken it over in between. */
function discard(path: string, own: string, found: string): void {
  const aside = `${own}.old`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (textOf(aside) !== found) placed(aside, path);
  rmSync(aside, { force: true });
}
