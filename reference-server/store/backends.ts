import { resolve } from 'node:path';
import { isAddress, isForeignAddress, shownAddress } from './address.ts';
import type { Backend } from './backend.ts';
import { createMemoryBackend } from './memory-backend.ts';
import { StoreError } from './store-error.ts';

const embedded = async (place: string): Promise<Backend> => {
  const [{ embeddedDatabase }, { sqlBackend }] = await Promise.all([
    import('./sql/embedded.ts'),
    import('./sql/backend.ts'),
  ]);
  const database = await embeddedDatabase(resolve(place));
  return sqlBackend(database, place).catch(async error => {
    await database.close();
    throw error;
  });
};

const shared = async (place: string): Promise<Backend> => {
  const [{ postgresDatabase, unusable }, { sqlBackend }] = await Promise.all([
    import('./sql/postgres.ts'),
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
  return isAddress(place) ? shared(place) : embedded(place);
};
