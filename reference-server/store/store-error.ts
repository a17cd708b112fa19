/**
 * Why a store cannot be opened, in one line for whoever asked for it: a folder in use, a server that cannot be reached,
 * a format that is newer than this program. It never holds a password.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** That a store is of a newer format than this program knows. */
export const newer = (where: string, found: number, known: number): StoreError =>
  new StoreError(
    `the store at ${where} is of a newer version of this program (format ${found}; this one knows ${known})`,
  );

/** Why a store that was opened cannot be used for now. One object stands for one outage, whoever meets it. */
export class StoreOutage extends StoreError {
  /** The same without the place, for clients. */
  readonly reason: string;
  constructor(where: string, reason: string) {
    super(`cannot use the store at ${where}: ${reason}`);
    this.reason = reason;
  }
}
