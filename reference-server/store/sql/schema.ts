import { newer, StoreError } from '../store-error.ts';
import type { Database } from './database.ts';

/** The format of the tables. Up to 3 a world was rows that differ from its seed. */
const format = 4;

/**
 * The tables. Ids, keys and values are JSON text: that of PostgreSQL cannot hold U+0000, nor a lone surrogate, and its
 * `jsonb` would not keep them either.
 *
 * - `seeds`: whole states that records name, immutable, by the hash of their text.
 * - `worlds`: one row each. `generation` names the records of its log, and is another one when it is written anew; `length`
 *   counts them, `size` is their bytes, `renewed` what these were when it was last written anew.
 * - `records`: the changes of a world, one behind the other. A state that one is about is its `seed`, or follows from the
 *   records before it.
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

/** Any number will do: it keeps two instances from making the tables at once. */
const makingLock = 2_026_111_922;

/** The format of the tables that are there; undefined where there are none. */
const versionOf = async (query: Database['query']): Promise<number | undefined> => {
  // Read as any table is: what a connection remembers of names may be older than a lock that it has just been given.
  const found = await query(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'console_conformance' AND tablename = 'version'`,
  );
  if (found.length === 0) return undefined;
  const [row] = await query('SELECT version FROM console_conformance.version');
  return Number(row?.version);
};

/** Makes the tables where there are none. A `StoreError` where they are of another format; `where` names the store. */
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
