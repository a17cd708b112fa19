import { resolve } from 'node:path';
import { isAddress, isForeignAddress, shownAddress } from './address.ts';
import type { Backend } from './backend.ts';
import { createMemoryBackend } from './memory-backend.ts';
import { StoreError } from './store-error.ts';

/** Loads a store. A `StoreError` that tells what to install where the package that it needs is not there. */
async function loaded<Module>(loading: Promise<Module>, what: string, name: string): Promise<Module> {
  return loading.catch((error: NodeJS.ErrnoException) => {
    const isMissing = /^(ERR_)?MODULE_NOT_FOUND$/.test(error.code ?? '') && error.message.includes(`'${name}'`);
    throw isMissing ? new StoreError(`${what} needs the package ${name}: npm install ${name}`) : error;
  });
}

const shared = async (place: string): Promise<Backend> => {
  const [{ postgresDatabase, unusable }, { sqlBackend }] = await Promise.all([
    loaded(import('./sql/postgres.ts'), 'a store in PostgreSQL', 'pg'),
    import('./sql/backend.ts'),
  ]);
  const database = await postgresDatabase(place);
  return sqlBackend(database, shownAddress(place)).catch(async error => {
    await database.close();
    throw unusable(error, place);
  });
};

/**
 * Opens the place where worlds are kept: `memory`, which ends with the process, `postgres://…`, which several instances
 * may share, or else a folder, which one process at a time may open. What the last two need is loaded when it is asked
 * for. A `StoreError`, in one line, where it cannot be opened.
 */
export const backendFor = async (place: string): Promise<Backend> => {
  if (place.trim() === '' || isForeignAddress(place))
    throw new StoreError('a store is memory, a folder, or an address that begins with postgres://');
  if (place === 'memory') return createMemoryBackend();
  return isAddress(place) ? shared(place) : (await import('./folder.ts')).folderBackend(resolve(place));
};
