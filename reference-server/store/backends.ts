import { resolve } from 'node:path';
import { isAddress, isForeignAddress, shownAddress } from './address.ts';
import type { Backend } from './backend.ts';
import { createMemoryBackend } from './memory.ts';
import { StoreError } from './store-error.ts';

const shared = async (place: string): Promise<Backend> => {
  const { postgresDatabase, unusable } = await import('./sql/postgres.ts').catch((error: NodeJS.ErrnoException) => {
    const isMissing = /^(ERR_)?MODULE_NOT_FOUND$/.test(error.code ?? '') && error.message.includes("'pg'");
    throw isMissing ? new StoreError('a store in PostgreSQL needs the package pg: npm install pg') : error;
  });
  const { sqlBackend } = await import('./sql/backend.ts');
  const database = await postgresDatabase(place);
  return sqlBackend(database, shownAddress(place)).catch(async error => {
    await database.close();
    throw unusable(error, place);
  });
};

/**
 * Opens the storage of worlds: `memory`, which ends with the process; `postgres://…`, which instances may share; or a
 * folder, which one process may open. The last two are loaded on demand. Throws a `StoreError` of one line on failure.
 */
export const backendFor = async (place: string): Promise<Backend> => {
  if (place.trim() === '' || isForeignAddress(place))
    throw new StoreError('a store is memory, a folder, or an address that begins with postgres://');
  if (place === 'memory') return createMemoryBackend();
  return isAddress(place) ? shared(place) : (await import('./folder.ts')).folderBackend(resolve(place));
};
