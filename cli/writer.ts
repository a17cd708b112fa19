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
 * The one place through which anything leaves: files, and with `cli/streams.ts` the standard output and the standard
 * error. It takes what may be shown and nothing else. Nobody else writes (`tools/leaving.ts`).
 */

export { errors, output, print, type Stream, tell } from './streams.ts';

/** Does something with a file. Turns an error of the system into a `UsageError` of one line, with a hint at its end. */
export function withFile<T>(file: string, hint: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    refuse(`cannot write ${file} (${code ?? message})${hint}`);
  }
}

/** Throws an error where an open file does not stand in its place any more: what is written would be nowhere. */
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
 * Opens a file for writing and makes its folder. Throws a `UsageError` if it cannot be written: `flag` names another
 * place. `under` is the folder in which it has a name that nobody typed: it then leads nowhere else. Both methods of the
 * file throw one if the disk is full or gone.
 */
export function openFile(file: string, flag = '--out', under?: string) {
  const handle = opened(file, flag, under);
  return {
    /** Appends a whole text: a single system call may write only a part of it, as on a disk that is almost full. */
    write: (text: Shown<string | Uint8Array>): void => withFile(file, '', () => writeFileSync(handle, text)),
    close: () => closed(handle, file),
  };
}

/** The same for a file that ends with `end` after each text, so that it is whole whenever the process ends. */
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

/** Writes a text to a file and makes its folder. Throws a `UsageError` if it cannot be written. `under` as above. */
export function writeText(file: string, text: Shown, under?: string): void {
  const open = openFile(file, '--out', under);
  open.write(text);
  open.close();
}

/** Writes a text to a file that is not there yet, or over one with `force`. Throws a `UsageError` if it cannot. */
export function writeNew(file: string, text: Shown, force: boolean): void {
  withFile(file, '; choose another place with --out', () => writeFileSync(file, text, { flag: force ? 'w' : 'wx' }));
}

/** Appends a text to a file. Throws a `UsageError` if it cannot be written. */
export function appendText(file: string, text: Shown): void {
  withFile(file, '', () => appendFileSync(file, text));
}

/** Changes a file of the user in place: what stands in it stays there. Throws a `UsageError` if it cannot be written. */
export function editFile(file: string, edit: (text: string) => string): void {
  withFile(file, '', () => writeFileSync(file, edit(readFileSync(file, 'utf8'))));
}

/** Takes away a file that this process wrote. */
export function removeOwn(file: string): void {
  rmSync(file, { force: true });
}
