import { newer } from '../store-error.ts';
import type { Database } from './database.ts';

/**
 * The tables, one migration after another: a store of an older format is brought to the newest when it is opened. A
 * migration that was released is never changed. Ids, keys and values are JSON text: that of PostgreSQL cannot hold U+0000,
 * nor a lone surrogate, and its `jsonb` would not keep them either.
 *
 * - `seeds`: what worlds were made from, whole and immutable, by the hash of its text.
 * - `worlds`: one row each. `generation` names the rows of a world in `entities` and is another one after each
 *   replacement of all there is; `revision` grows with every change of an entity, `notes` with every change of a note.
 *   `base` is the `generation` of the snapshot that was loaded, whose rows lie beneath those of the world; null where none
 *   was. They stay as long as a world stands on them, whatever becomes of the snapshot.
 * - `entities`: what differs from the seed, at which revision it was written; a value that is null was taken away.
 *   `position` says where an entity stands in its collection.
 * - `notes`: small values beside a world.
 * - `snapshots`: states of a world that were given a name: a seed, and rows of `entities` under a `generation` of their own.
 */
const migrations: readonly (readonly string[])[] = [
  [
    'CREATE SEQUENCE console_conformance.marks',
    `CREATE TABLE console_conformance.seeds (
      hash text PRIMARY KEY,
      body text NOT NULL
    )`,
    `CREATE TABLE console_conformance.worlds (
      name text PRIMARY KEY,
      generation bigint NOT NULL UNIQUE DEFAULT nextval('console_conformance.marks'),
      seed text NOT NULL REFERENCES console_conformance.seeds (hash),
      revision bigint NOT NULL DEFAULT 0,
      notes bigint NOT NULL DEFAULT nextval('console_conformance.marks')
    )`,
    `CREATE TABLE console_conformance.entities (
      generation bigint NOT NULL,
      collection text NOT NULL,
      id text NOT NULL,
      position bigint NOT NULL,
      revision bigint NOT NULL,
      value text,
      PRIMARY KEY (generation, collection, id)
    )`,
    'CREATE INDEX entities_by_revision ON console_conformance.entities (generation, revision)',
    `CREATE TABLE console_conformance.notes (
      world text NOT NULL,
      key text NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (world, key)
    )`,
  ],
  [
    `CREATE TABLE console_conformance.snapshots (
      world text NOT NULL,
      name text NOT NULL,
      about text NOT NULL,
      seed text NOT NULL REFERENCES console_conformance.seeds (hash),
      generation bigint NOT NULL UNIQUE DEFAULT nextval('console_conformance.marks'),
      PRIMARY KEY (world, name)
    )`,
    // Snapshots were pairs of notes, one that told of the state, and the whole of it.
    `INSERT INTO console_conformance.seeds (hash, body)
      SELECT DISTINCT encode(sha256(convert_to(value, 'UTF8')), 'hex'), value
      FROM console_conformance.notes WHERE starts_with(key, '"snapshot-state/')
      ON CONFLICT (hash) DO NOTHING`,
    `INSERT INTO console_conformance.snapshots (world, name, about, seed)
      SELECT told.world, '"' || substr(told.key, 11), told.value, encode(sha256(convert_to(held.value, 'UTF8')), 'hex')
      FROM console_conformance.notes AS told JOIN console_conformance.notes AS held
        ON held.world = told.world AND held.key = '"snapshot-state/' || substr(told.key, 11)
      WHERE starts_with(told.key, '"snapshot/')`,
    `DELETE FROM console_conformance.notes
      WHERE starts_with(key, '"snapshot/') OR starts_with(key, '"snapshot-state/')`,
  ],
  ['ALTER TABLE console_conformance.worlds ADD COLUMN base bigint'],
];

/** The newest format that this program knows. */
export const format = migrations.length;

/** Any number will do: it keeps two instances from bringing the tables up to date at once. */
const migrationLock = 2_026_111_922;

const versionOf = async (query: Database['query']): Promise<number> => {
  // Read as any table is: what a connection remembers of names may be older than a lock that it has just been given.
  const tables = await query(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'console_conformance' AND tablename = 'version'`,
  );
  if (tables.length === 0) return 0;
  const [row] = await query('SELECT version FROM console_conformance.version');
  return Number(row?.version ?? 0);
};

/** Brings the tables to the newest format, or makes them. A `StoreError` where they are of a newer one; `where` names the store. */
export async function migrate(database: Database, where: string): Promise<void> {
  const found = await versionOf(database.query);
  if (found > format) throw newer(where, found, format);
  if (found === format) return;
  await database.transaction(async query => {
    await query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const version = await versionOf(query);
    if (version === 0) {
      await query('CREATE SCHEMA IF NOT EXISTS console_conformance');
      await query('CREATE TABLE console_conformance.version (version integer NOT NULL)');
      await query('INSERT INTO console_conformance.version VALUES (0)');
    }
    for (const statement of migrations.slice(version).flat()) await query(statement);
    await query('UPDATE console_conformance.version SET version = $1', [format]);
  });
}
