import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../reference-server/store/folder-lock.ts';
import { refuse } from './input.ts';

/** Describes a file that has the wrong kind. */
function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFile()) return 'a file';
  return stats.isFIFO() ? 'a FIFO' : 'no file';
}

/** Throws an error that names the kind of thing found where a file of a run is expected. */
export function refuseNoFile(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw new Error(`it is ${kindOf(stats)} and no file of a run`);
  return stats;
}

/** Throws an error that names the kind of thing found where a folder is expected. */
export function refuseNoFolder(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) throw new Error(`${path} is ${kindOf(stats)} and no folder`);
  return stats;
}

/**
 * Opens a file that the user named, for writing. Throws ENXIO instead of waiting for the reader of a FIFO. Returns the
 * handle.
 */
export function openNamed(path: string): number {
  if (!statSync(path, { throwIfNoEntry: false })?.isFIFO()) return openSync(path, 'w');
  // Keep this open until the file itself is, otherwise the reader would see the end of the FIFO.
  const probe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return openSync(path, 'w');
  } finally {
    closeSync(probe);
  }
}

/**
 * Opens a file for writing under a folder, by a generated name, and makes the folders on the way. Throws an error for a
 * link, FIFO or folder in its place, so that it never writes elsewhere. A file with another hard link is made anew.
 * Returns the handle.
 */
export function openUnder(folder: string, file: string): number {
  makeFolder(folder);
  let way = folder;
  for (const part of relative(folder, dirname(file)).split(sep).filter(Boolean)) {
    way = join(way, part);
    if (!refuseNoFolder(way)) mkdirSync(way);
  }
  const stats = refuseNoFile(file);
  if (stats && stats.nlink > 1) rmSync(file);
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Neither follow nor wait for something that replaced the file meanwhile.
  return openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK);
}

/** The errors of a file that nothing can take the place of: it is mounted by itself, or its folder is not writable. */
const irreplaceable: readonly (string | undefined)[] = ['EBUSY', 'EACCES', 'EPERM', 'EROFS'];

/**
 * Replaces the text of a file that the user named. It is written beside the file and then renamed, so that nothing is
 * lost halfway; rights and links are kept. A file that only its place keeps as it is (a link to nothing yet, a hard link,
 * a file of another user) is written where it is. Throws the error of the system.
 */
export function replaceNamed(path: string, text: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const isLinkToNothing = !stats && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const isForeign = stats !== undefined && process.getuid !== undefined && stats.uid !== process.getuid();
  if (isLinkToNothing || stats?.isFile() === false || isForeign || (stats?.nlink ?? 1) > 1) {
    const handle = openNamed(path);
    writeFileSync(handle, text);
    closeSync(handle);
    return;
  }
  const place = stats ? realpathSync(path) : path;
  const unfinished = `${place}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, '', { flag: 'wx' });
    if (stats) chmodSync(unfinished, stats.mode);
    writeFileSync(unfinished, text);
    renameSync(unfinished, place);
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (!stats || !irreplaceable.includes((error as NodeJS.ErrnoException).code)) throw error;
    writeFileSync(place, text);
  }
}

/** Returns the place of a file behind its links, so that one file under two names is recognised. */
function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It is not there yet, or is a pipe, such as that of `<(…)`.
    return resolve(file);
  }
}

/** Returns what two names of one file have in common, though they are hard links. */
function identityOf(file: string): string {
  try {
    const stats = statSync(file);
    if (stats.isFile()) return `${stats.dev} ${stats.ino}`;
  } catch {
    // It is not there yet, or cannot be: opening it says why.
  }
  return placeOf(file);
}

/**
 * Throws a `UsageError` if two files of a command are the same, or one of them is among those that it `read`: these may
 * be the same among themselves. Call it before the first is opened, and again once all are there that a dangling link
 * may lead to.
 */
export function refuseTwice(files: readonly string[], read: readonly string[] = []): void {
  const [written, sources] = [files, read].map(all => all.map(identityOf)) as [string[], string[]];
  const at = written.findIndex((one, index) => written.indexOf(one) < index || sources.includes(one));
  if (at >= 0) refuse(`${placeOf(files[at] as string)} is given twice; give one of them another path`);
}
