import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../reference-server/store/folder-lock.ts';
import { withFile } from './writer.ts';

/**
 * Makes the folder of a file that is written after all requests. Throws a `UsageError`, which suggests `flag` for another
 * place, if the file will not be writable.
 */
export function refuseUnwritable(file: string, flag: string): void {
  withFile(file, `; choose another place with ${flag}`, () => {
    makeFolder(dirname(file));
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new Error('it is a folder');
    accessSync(stats ? file : dirname(file), constants.W_OK);
  });
}
