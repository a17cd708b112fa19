/**
 * Says in one line why a store cannot be opened: a folder in use, an unreachable server, a format newer than this
 * program. Never contains a password.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Returns the error for a store of a newer format. */
export const newer = (where: string, found: number, known: number): StoreError =>
  new StoreError(
    `the store at ${where} is of a newer version of this program (format ${found}; this one knows ${known})`,
  );

/** Says why an open store is unusable for now. One object serves for a whole outage. */
export class StoreOutage extends StoreError {
  /** The cause without the place, for clients. */
  readonly reason: string;
  constructor(where: string, reason: string) {
    super(`cannot use the store at ${where}: ${reason}`);
    this.reason = reason;
  }
}
