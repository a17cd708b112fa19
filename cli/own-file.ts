import { closeSync, constants, lstatSync, mkdirSync, openSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** What something is, in words, that is not what is due. */
function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFile()) return 'a file';
  return stats.isFIFO() ? 'a FIFO' : 'no file';
}

/** Throws an error that says what stands in the place of a file of ours, if it is no file. */
export function refuseNoFile(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw new Error(`it is ${kindOf(stats)} and no file of a run`);
  return stats;
}

/** Throws an error that says what stands in the place of a folder, if it is none. */
export function refuseNoFolder(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw new Error(`${path} is ${kindOf(stats)} and no folder`);
  return stats;
}

/**
 * Makes a folder and those on the way to it, where they are not there yet. In the file systems of the kernel, that of
 * Node (`recursive`) tries for ever.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/**
 * Opens for writing what somebody named. A FIFO that nobody reads is not waited for: it throws an error (ENXIO). Returns
 * its handle.
 */
export function openNamed(path: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return openSync(path, 'w');
  // Open until the file itself is: its reader would see the end if nobody held it.
  const probe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return openSync(path, 'w');
  } finally {
    closeSync(probe);
  }
}

/**
 * Opens a file for writing that stands under a folder by a name that nobody typed, and makes the folders on the way. It
 * leads nowhere else: what is a link, a FIFO or a folder is left alone, with an error that says what it is, and a file
 * that has another name elsewhere is made anew. Returns its handle.
 */
export function openUnder(folder: string, file: string): number {
  makeFolder(folder);
  let way = folder;
  for (const part of relative(folder, dirname(file)).split(sep).filter(Boolean)) {
    way = join(way, part);
    if (refuseNoFolder(way) === undefined) mkdirSync(way);
  }
  const stats = refuseNoFile(file);
  if (stats !== undefined && stats.nlink > 1) rmSync(file);
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Where something else took its place meanwhile, it is neither followed nor waited for.
  return openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK);
}
