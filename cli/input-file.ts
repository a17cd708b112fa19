import { readFileSync } from 'node:fs';
import { UsageError } from './input.ts';

/** Reads a file that the caller named. Throws a `UsageError`: `cannot read the config a.json (ENOENT)`. */
export function readBytes(file: string, kind: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read the ${kind} ${file} (${code ?? message})`);
  }
}

/** Reads the text of a file that the caller named. Throws the same. */
export const readInput = (file: string, kind: string): string =>
  readBytes(file, kind)
    .toString('utf8')
    // A byte order mark, which editors of Windows write.
    .replace(/^\uFEFF/, '');
