/** The statements of the store: one dialect of SQL for the embedded database and the shared one. */

/**
 * `$1` name, `$2` generation and `$3` revision that are known: the world as it is now, once for each entity that was
 * changed since, and at least once. A generation that is not the known one is given whole.
 */
export const changesSince = `
  SELECT worlds.generation, worlds.seed, worlds.base, worlds.revision AS now, worlds.notes,
         entities.collection, entities.id, entities.position, entities.value
  FROM console_conformance.worlds LEFT JOIN console_conformance.entities
    ON entities.generation = worlds.generation
    AND entities.revision > CASE WHEN worlds.generation = $2::bigint THEN $3::bigint ELSE -1 END
  WHERE worlds.name = $1`;

/**
 * `$1` name, `$2` generation and `$3` revision on which the changes rest, `$4` the revision after them, then a list for each
 * column of the entities. No row, and no change, where the world has moved on.
 */
export const commit = `
  WITH world AS (
    UPDATE console_conformance.worlds SET revision = $4::bigint
    WHERE name = $1 AND generation = $2::bigint AND revision = $3::bigint
    RETURNING generation
  )
  INSERT INTO console_conformance.entities (generation, collection, id, position, revision, value)
  SELECT world.generation, changed.*
  FROM world, unnest($5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::text[]) AS changed
  ON CONFLICT (generation, collection, id)
  DO UPDATE SET position = excluded.position, revision = excluded.revision, value = excluded.value
  RETURNING 1 AS written`;

/** `$1` name: its row, which nobody else changes until the transaction ends. */
export const lockWorld = 'SELECT generation, base FROM console_conformance.worlds WHERE name = $1 FOR UPDATE';

/** `$1` name, `$2` hash of a seed that is kept. */
export const createWorld = `
  INSERT INTO console_conformance.worlds (name, seed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`;

/** `$1` name, `$2` hash of a seed: all there is becomes that of the seed. */
export const renewWorld = `
  UPDATE console_conformance.worlds
  SET seed = $2, base = NULL, generation = nextval('console_conformance.marks'), revision = revision + 1
  WHERE name = $1`;

/**
 * `$1` name, `$2` generation of a snapshot: the world stands on the snapshot, of which nothing is copied, and has no rows
 * of its own. No row, and no change, where there is no such snapshot, also where somebody takes it away meanwhile. A short
 * statement, as each costs the embedded database a millisecond, most of it to plan.
 */
export const loadSnapshot = `
  UPDATE console_conformance.worlds
  SET seed = held.seed, base = held.generation, generation = nextval('console_conformance.marks'),
      revision = worlds.revision + 1
  FROM (
    SELECT seed, generation FROM console_conformance.snapshots WHERE generation = $2::bigint FOR SHARE
  ) AS held
  WHERE worlds.name = $1
  RETURNING 1 AS loaded`;

/** `$1` name, `$2` generation on which it stands: the rows of that, at least one row where the world stands there. */
export const readBase = `
  SELECT entities.collection, entities.id, entities.position, entities.value
  FROM console_conformance.worlds LEFT JOIN console_conformance.entities ON entities.generation = worlds.base
  WHERE worlds.name = $1 AND worlds.base = $2::bigint`;

/** `$1` generation. */
export const readEntities = `
  SELECT collection, id, position, value FROM console_conformance.entities WHERE generation = $1::bigint`;

/** `$1` name of the world. */
export const listSnapshots = 'SELECT name, about FROM console_conformance.snapshots WHERE world = $1';

/** `$1` name of the world, `$2` name. */
export const readSnapshot = `
  SELECT about, seed, generation FROM console_conformance.snapshots WHERE world = $1 AND name = $2`;

/** The same, which nobody takes away until the transaction ends. */
export const holdSnapshot = `${readSnapshot} FOR SHARE`;

/** Whether no world stands on a generation. */
const standsNowhere = (snapshot: string): string =>
  `NOT EXISTS (SELECT FROM console_conformance.worlds WHERE worlds.base = ${snapshot}.generation)`;

/**
 * `$1` name of the world, which is locked, `$2` name, `$3` what tells of it, `$4` hash of a seed that is kept (that of the
 * world where it is null), `$5` generation whose entities are copied, or null, `$6` generation that lies beneath it, or null.
 */
export const saveSnapshot = `
  WITH before AS (
    SELECT generation FROM console_conformance.snapshots WHERE world = $1 AND name = $2
  ), saved AS (
    INSERT INTO console_conformance.snapshots (world, name, about, seed)
    SELECT name, $2, $3, coalesce($4, seed) FROM console_conformance.worlds WHERE name = $1
    ON CONFLICT (world, name)
    DO UPDATE SET about = excluded.about, seed = excluded.seed, generation = excluded.generation
    RETURNING generation
  ), gone AS (
    DELETE FROM console_conformance.entities USING before
    WHERE entities.generation = before.generation AND ${standsNowhere('before')}
  )
  INSERT INTO console_conformance.entities (generation, collection, id, position, revision, value)
  SELECT DISTINCT ON (collection, id) saved.generation, collection, id, position, revision, value
  FROM saved, console_conformance.entities WHERE entities.generation IN ($5::bigint, $6::bigint)
  ORDER BY collection, id, entities.generation DESC`;

/** `$1` name of the world, `$2` name; all of the world where it is null. */
export const dropSnapshots = `
  WITH gone AS (
    DELETE FROM console_conformance.snapshots WHERE world = $1 AND ($2::text IS NULL OR name = $2) RETURNING generation
  )
  DELETE FROM console_conformance.entities USING gone
  WHERE entities.generation = gone.generation AND ${standsNowhere('gone')}`;

/** `$1` generation. */
export const dropEntities = 'DELETE FROM console_conformance.entities WHERE generation = $1::bigint';

/** `$1` generation of a snapshot on which no world stands any more: its rows, where the snapshot is gone too. */
export const dropBase = `
  DELETE FROM console_conformance.entities WHERE generation = $1::bigint
    AND NOT EXISTS (SELECT FROM console_conformance.snapshots WHERE snapshots.generation = $1::bigint)
    AND NOT EXISTS (SELECT FROM console_conformance.worlds WHERE worlds.base = $1::bigint)`;

/** Takes away what was written while the world was replaced, and belongs to nothing any more. */
export const dropUnusedEntities = `
  DELETE FROM console_conformance.entities
  WHERE NOT EXISTS (SELECT FROM console_conformance.worlds WHERE worlds.generation = entities.generation)
    AND NOT EXISTS (SELECT FROM console_conformance.worlds WHERE worlds.base = entities.generation)
    AND NOT EXISTS (SELECT FROM console_conformance.snapshots WHERE snapshots.generation = entities.generation)`;

/** `$1` name. */
export const dropWorld = 'DELETE FROM console_conformance.worlds WHERE name = $1';

/** `$1` name. */
export const dropNotes = 'DELETE FROM console_conformance.notes WHERE world = $1';

/** The names of all worlds. */
export const worldNames = 'SELECT name FROM console_conformance.worlds';

/** `$1` hash. */
export const readSeed = 'SELECT body FROM console_conformance.seeds WHERE hash = $1';

/** `$1` hash: a row where it is kept, which nobody takes away until the transaction ends. */
export const holdSeed = 'SELECT 1 AS kept FROM console_conformance.seeds WHERE hash = $1 FOR KEY SHARE';

/** `$1` hash, `$2` text. */
export const keepSeed = `
  INSERT INTO console_conformance.seeds (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`;

/** Takes away the seeds of which no world and no snapshot is made any more. */
export const dropUnusedSeeds = `
  DELETE FROM console_conformance.seeds
  WHERE NOT EXISTS (SELECT FROM console_conformance.worlds WHERE worlds.seed = seeds.hash)
    AND NOT EXISTS (SELECT FROM console_conformance.snapshots WHERE snapshots.seed = seeds.hash)`;

/** `$1` name, `$2` key. */
export const readNote = 'SELECT value FROM console_conformance.notes WHERE world = $1 AND key = $2';

/** `$1` name, `$2` the beginning of the keys. */
export const listNotes = 'SELECT key, value FROM console_conformance.notes WHERE world = $1 AND starts_with(key, $2)';

const noteChanged = `
  WITH world AS (
    UPDATE console_conformance.worlds SET notes = nextval('console_conformance.marks') WHERE name = $1
    RETURNING name, notes
  )`;

/** `$1` name, `$2` key, `$3` value: the mark of the notes after it, or no row where there is no such world. */
export const putNote = `${noteChanged}, note AS (
    INSERT INTO console_conformance.notes (world, key, value) SELECT name, $2, $3 FROM world
    ON CONFLICT (world, key) DO UPDATE SET value = excluded.value
  )
  SELECT notes FROM world`;

/** `$1` name, `$2` key, `$3` value: no mark is changed. No row where there is no such world. */
export const setNote = `
  INSERT INTO console_conformance.notes (world, key, value)
  SELECT name, $2, $3 FROM console_conformance.worlds WHERE name = $1
  ON CONFLICT (world, key) DO UPDATE SET value = excluded.value
  RETURNING 1 AS written`;

/** `$1` any text: whoever asks for the same waits until the transaction ends. */
export const lockNote = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** `$1` name, `$2` key: the mark of the notes after it, or no row where there is no such world. */
export const dropNote = `${noteChanged}, note AS (
    DELETE FROM console_conformance.notes WHERE world = $1 AND key = $2
  )
  SELECT notes FROM world`;
