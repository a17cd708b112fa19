import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory, and by what the system knows it (`TMPFS_MAGIC`). */
const memory = { path: '/dev/shm', type: 0x0102_1994 } as const;

/** So many bytes have to be free there: containers often have some megabytes, which no database fits into. */
const plenty = 4 * 1024 ** 3;

function hasPlenty(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memory.path);
    return type === memory.type && bavail * bsize >= plenty;
  } catch {
    return false;
  }
}

/**
 * A new folder for the files of databases, which are a thousand each: in memory where there is plenty of it, so that no
 * test waits for a disk.
 */
export const quickFolder = (prefix: string): string => mkdtempSync(join(hasPlenty() ? memory.path : tmpdir(), prefix));
