import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { withFile } from './writer.ts';

/**
 * Throws a `UsageError`, which suggests `flag` for another place, if a file that is written after all requests will not
 * be writable. Makes nothing: the folders that it lacks come with it.
 */
export function refuseUnwritable(file: string, flag: string): void {
  withFile(file, `; choose another place with ${flag}`, () => {
    let place = file;
    while (!existsSync(place)) place = dirname(place);
    if (statSync(place).isDirectory() === (place === file))
      throw new Error(place === file ? 'it is a folder' : `${place} is no folder`);
    accessSync(place, constants.W_OK);
  });
}
