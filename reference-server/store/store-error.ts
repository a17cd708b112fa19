/**
 * Why a store cannot be opened, in one line for whoever asked for it: a folder in use, a server that cannot be reached,
 * a format that is newer than this program. It never holds a password.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
