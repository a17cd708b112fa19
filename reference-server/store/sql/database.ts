/** One row of a result, by its columns. Whole numbers may be texts or bigints, as the driver has them. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement with its parameters `$1`, `$2` … by itself: it is carried out whole or not at all. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

/** A database that speaks the SQL of PostgreSQL: as much of it as the store needs. */
export interface Database {
  readonly query: Query;
  /**
   * Runs several statements as one. When `work` throws, nothing of them is kept and the error is passed on.
   */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/**
 * What PostgreSQL calls a conflict with somebody else's transaction: not serialisable, a deadlock, and a seed that was
 * taken away while a world was made of it. The same work may succeed when it is done again.
 */
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01', '23503']);

/** What was just read is gone already, for somebody replaced it. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
  readonly code = '40001';
}

/** Whether an error is a conflict with others, after which the work may be done again. */
export const isConflict = (error: unknown): boolean => conflicts.has((error as { code?: unknown } | null)?.code);

/** How often work is done that meets conflicts, before its error is passed on. */
const tries = 8;

/** Does work again while it fails for a conflict with others; at most eight times in all. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isConflict(error)) throw error;
    }
  }
}
