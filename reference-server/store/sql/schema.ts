import type { Snapshot } from '../store.ts';
import { newer } from '../store-error.ts';
import type { Database, Query, Row } from './database.ts';
import { createSeeds } from './seeds.ts';
import { dropUnusedSeeds } from './statements.ts';

/**
 * The tables, one migration after another: a store of an older format is brought to the newest when it is opened. A
 * migration that was released is never changed. Ids, keys and values are JSON text: that of PostgreSQL cannot hold U+0000,
 * nor a lone surrogate, and its `jsonb` would not keep them either.
 *
 * - `seeds`: whole states that records name, immutable, by the hash of their text.
 * - `worlds`: one row each. `generation` names the records of its log, and is another one when it is written anew; `length`
 *   counts them, `size` is their bytes, `renewed` what these were when it was last written anew. `notes` grows with every
 *   change of a note.
 * - `records`: the changes of a world, one behind the other. A state that one is about is its `seed`, or follows from the
 *   records before it.
 * - `notes`: small values beside a world.
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
  [
    `CREATE TABLE console_conformance.records (
      generation bigint NOT NULL,
      position bigint NOT NULL,
      seed text REFERENCES console_conformance.seeds (hash),
      body text NOT NULL,
      PRIMARY KEY (generation, position)
    )`,
    'CREATE INDEX records_by_seed ON console_conformance.records (seed)',
    `ALTER TABLE console_conformance.worlds
      ADD COLUMN length bigint NOT NULL DEFAULT 0, ADD COLUMN size bigint NOT NULL DEFAULT 0,
      ADD COLUMN renewed bigint NOT NULL DEFAULT 0`,
  ],
];

/** The last format in which a world was rows that differ from its seed, and its states such rows too. */
const formatOfRows = 3;

/** What rows make of a seed: what is there keeps its place, what was put later stands later. */
function stateOf(
  seed: Readonly<Record<string, readonly (readonly [string, unknown])[]>>,
  rows: readonly Row[],
): Snapshot {
  const tables = Object.entries(seed).map(([name, entities]) => {
    const all = new Map(entities.map(([id, value], position) => [id, { position, value }]));
    for (const { collection, id, position, value } of rows)
      if (collection === name)
        all.set(JSON.parse(String(id)) as string, { position: Number(position), value: JSON.parse(String(value)) });
    const inOrder = [...all].filter(([, { value }]) => value !== null).sort(([, a], [, b]) => a.position - b.position);
    return [name, inOrder.map(([id, { value }]) => [id, value])];
  });
  return Object.fromEntries(tables) as Snapshot;
}

/** Makes logs of the worlds and the states that were rows. */
async function toLogs(query: Query): Promise<void> {
  const { keep } = createSeeds();
  const append = async (generation: unknown, position: number, state: Snapshot, body: object): Promise<void> => {
    const record = [generation, position, await keep(query, state), JSON.stringify(body)];
    await query('INSERT INTO console_conformance.records VALUES ($1, $2, $3, $4)', record);
  };
  const rowsOf = (generation: unknown) =>
    query('SELECT * FROM console_conformance.entities WHERE generation = $1::bigint', [generation]);
  const seedOf = async ({ seed }: Row) => {
    const [row] = await query('SELECT body FROM console_conformance.seeds WHERE hash = $1', [seed]);
    return JSON.parse(String(row?.body));
  };
  for (const world of await query('SELECT * FROM console_conformance.worlds')) {
    const { name, generation, base } = world;
    const rows = [...(await rowsOf(base)), ...(await rowsOf(generation))];
    await append(generation, 1, stateOf(await seedOf(world), rows), { do: 'begin' });
    const states = await query('SELECT * FROM console_conformance.snapshots WHERE world = $1', [name]);
    for (const [index, state] of states.entries()) {
      const body = { do: 'save', name: JSON.parse(String(state.name)), about: JSON.parse(String(state.about)) };
      await append(generation, index + 2, stateOf(await seedOf(state), await rowsOf(state.generation)), body);
    }
    const length = [states.length + 1, name];
    await query('UPDATE console_conformance.worlds SET length = $1 WHERE name = $2', length);
  }
  for (const column of ['seed', 'revision', 'base'])
    await query(`ALTER TABLE console_conformance.worlds DROP COLUMN ${column}`);
  for (const table of ['entities', 'snapshots']) await query(`DROP TABLE console_conformance.${table}`);
  await query(dropUnusedSeeds);
}

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
    if (version <= formatOfRows) await toLogs(query);
    await query('UPDATE console_conformance.version SET version = $1', [format]);
  });
}
