/** A row of a result, by column. Integers may be texts or bigints, depending on the driver. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement with parameters `$1`, `$2` … atomically. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

/** A database with PostgreSQL's SQL, as far as the store needs it. */
export interface Database {
  readonly query: Query;
  /** Runs statements as one transaction. If `work` throws, it is rolled back and the error is passed on. */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/**
 * PostgreSQL's codes for conflicts with other transactions: serialisation failure, deadlock, and a seed deleted while a
 * world was created from it. A retry may succeed.
 */
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01', '23503']);

/** Thrown if data just read has been replaced by somebody else. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
  readonly code = '40001';
}

/** True if an error is a conflict with other transactions, so that a retry may succeed. */
export const isConflict = (error: unknown): boolean => conflicts.has((error as { code?: unknown } | null)?.code);

/** Maximum number of attempts in case of conflicts. */
const tries = 8;

/** Retries work that fails because of a conflict, with at most eight attempts in all. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isConflict(error)) throw error;
    }
  }
}
