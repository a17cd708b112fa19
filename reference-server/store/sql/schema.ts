import { newer, StoreError } from '../store-error.ts';
import type { Database } from './database.ts';

/** The format of the tables. Up to 3, a world was stored as rows that differ from its seed. */
const format = 4;

/**
 * The tables. Ids, keys and values are JSON text, because neither `text` nor `jsonb` can hold U+0000 or a lone
 * surrogate.
 *
 * - `seeds`: immutable whole states that records refer to, by the hash of their text.
 * - `worlds`: one row each. `generation` identifies the records of its log, and changes when the log is compacted.
 *   `length` is their number, `size` their bytes, and `renewed` the size after the last compaction.
 * - `records`: the changes of a world, in order. The state of a change is its `seed`, or follows from earlier records.
 */
const tables = [
  'CREATE SCHEMA IF NOT EXISTS console_conformance',
  'CREATE TABLE console_conformance.version (version integer NOT NULL)',
  `INSERT INTO console_conformance.version VALUES (${format})`,
  'CREATE SEQUENCE console_conformance.generations',
  `CREATE TABLE console_conformance.seeds (
    hash text PRIMARY KEY,
    body text NOT NULL
  )`,
  `CREATE TABLE console_conformance.worlds (
    name text PRIMARY KEY,
    generation bigint NOT NULL UNIQUE DEFAULT nextval('console_conformance.generations'),
    length bigint NOT NULL,
    size bigint NOT NULL DEFAULT 0,
    renewed bigint NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE console_conformance.records (
    generation bigint NOT NULL,
    position bigint NOT NULL,
    seed text REFERENCES console_conformance.seeds (hash),
    body text NOT NULL,
    PRIMARY KEY (generation, position)
  )`,
  'CREATE INDEX records_by_seed ON console_conformance.records (seed)',
];

/** An arbitrary id; the lock keeps two instances from creating the tables at once. */
const makingLock = 2_026_111_922;

/** Returns the format of the existing tables; undefined if there are none. */
const versionOf = async (query: Database['query']): Promise<number | undefined> => {
  // Queries the catalogue as an ordinary table, because a connection's cached names may predate the lock.
  const found = await query(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'console_conformance' AND tablename = 'version'`,
  );
  if (found.length === 0) return undefined;
  const [row] = await query('SELECT version FROM console_conformance.version');
  return Number(row?.version);
};

/** Creates missing tables. Throws a `StoreError` if they have another format; `where` names the store. */
export async function makeTables(database: Database, where: string): Promise<void> {
  const found =
    (await versionOf(database.query)) ??
    (await database.transaction(async query => {
      await query('SELECT pg_advisory_xact_lock($1)', [makingLock]);
      const version = await versionOf(query);
      if (version === undefined) for (const statement of tables) await query(statement);
      return version ?? format;
    }));
  if (found > format) throw newer(where, found, format);
  if (found >= 1 && found < format)
    throw new StoreError(
      `the store at ${where} is of an older version of this program, and cannot be read; to begin anew, drop its schema console_conformance`,
    );
  if (found !== format) throw new Error('no format');
}
