import {
  appendFileSync,
  closeSync,
  fstatSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Shown } from '../contracts/redaction/shown.ts';
import { refuse } from './input.ts';
import { makeFolder, openNamed, openUnder } from './own-file.ts';

/**
 * The only place that writes: to files, and with `cli/streams.ts` to the standard output and the standard error. It
 * takes only redacted values. `tools/leaving.ts` finds other writers.
 */

export { errors, output, print, type Stream, tell } from './streams.ts';

/** Runs a function on a file. Turns a system error into a `UsageError` of one line that ends with a hint. */
export function withFile<T>(file: string, hint: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    refuse(`cannot write ${file} (${code ?? message})${hint}`);
  }
}

/** Throws an error if an open file is no longer in its place: what is written would be lost. */
function refuseGone(handle: number, file: string): void {
  const [open, there] = [fstatSync(handle), statSync(file, { throwIfNoEntry: false })];
  if (open.isFile() && (there?.ino !== open.ino || there.dev !== open.dev))
    throw new Error('what was written there is gone');
}

function opened(file: string, flag: string, under: string | undefined): number {
  return withFile(file, `; choose another place with ${flag}`, () => {
    if (under !== undefined) return openUnder(under, file);
    makeFolder(dirname(file));
    return openNamed(file);
  });
}

const closed = (handle: number, file: string): void =>
  withFile(file, '', () => {
    refuseGone(handle, file);
    closeSync(handle);
  });

/**
 * Opens a file for writing and makes its folder. Throws a `UsageError` if it cannot be written; the message suggests
 * `flag` for another place. `under`: the folder of a file with a generated name, which then never leads elsewhere. Both
 * methods of the file throw one if the disk is full or gone.
 */
export function openFile(file: string, flag = '--out', under?: string) {
  const handle = opened(file, flag, under);
  return {
    /** Appends a whole text. A single system call may write only a part of it, for example on an almost full disk. */
    write: (text: Shown<string | Uint8Array>): void => withFile(file, '', () => writeFileSync(handle, text)),
    close: () => closed(handle, file),
  };
}

/** Opens a file that ends with `end` after each text, so that it is always complete. Throws as `openFile` does. */
export function openEnded(file: string, flag: string, end: string): ReturnType<typeof openFile> {
  const handle = opened(file, flag, undefined);
  let at = 0;
  return {
    write(text) {
      // The next text overwrites the end.
      const bytes = Buffer.concat([Buffer.from(text), Buffer.from(end)]);
      withFile(file, '', () => {
        for (let written = 0; written < bytes.length; )
          written += writeSync(handle, bytes, written, bytes.length - written, at + written);
      });
      at += bytes.length - Buffer.byteLength(end);
    },
    close: () => closed(handle, file),
  };
}

/** Writes a text to a file and makes its folder. Throws a `UsageError` if it cannot. `under` as for `openFile`. */
export function writeText(file: string, text: Shown, under?: string): void {
  const open = openFile(file, '--out', under);
  open.write(text);
  open.close();
}

/** Writes a text to a new file, or replaces an existing one with `force`. Throws a `UsageError` if it cannot. */
export function writeNew(file: string, text: Shown, force: boolean): void {
  withFile(file, '; choose another place with --out', () => writeFileSync(file, text, { flag: force ? 'w' : 'wx' }));
}

/** Appends a text to a file. Throws a `UsageError` if it cannot be written. */
export function appendText(file: string, text: Shown): void {
  withFile(file, '', () => appendFileSync(file, text));
}

/** Edits a file of the user in place. Throws a `UsageError` if it cannot be written. */
export function editFile(file: string, edit: (text: string) => string): void {
  withFile(file, '', () => writeFileSync(file, edit(readFileSync(file, 'utf8'))));
}

/** Removes a file that this process opened and has written nothing into. */
export function removeUnwritten(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) removeOwn(file);
}

/** Removes a file that this process wrote. */
export function removeOwn(file: string): void {
  rmSync(file, { force: true });
}
