/** The store's statements in PostgreSQL's SQL. Names of worlds and keys are JSON texts. */

/**
 * `$1` name; `$2` known generation; `$3` known position. Returns the world joined with each later record, in at least
 * one row.
 */
export const recordsSince = `
  SELECT worlds.generation, worlds.size, worlds.renewed, records.position, records.seed, records.body
  FROM console_conformance.worlds LEFT JOIN console_conformance.records
    ON records.generation = worlds.generation
    AND records.position > CASE WHEN worlds.generation = $2::bigint THEN $3::bigint ELSE 0 END
  WHERE worlds.name = $1
  ORDER BY records.position`;

/**
 * `$1` name; `$2` expected generation; `$3` expected length; `$4` hash of the record's seed, or null; `$5` its text. If
 * the world has moved on, returns no row and writes nothing.
 */
export const appendRecord = `
  WITH world AS (
    UPDATE console_conformance.worlds SET length = length + 1, size = size + octet_length($5::text)
    WHERE name = $1 AND generation = $2::bigint AND length = $3::bigint
    RETURNING generation, length
  )
  INSERT INTO console_conformance.records (generation, position, seed, body)
  SELECT generation, length, $4, $5::text FROM world
  RETURNING 1 AS written`;

/** `$1` name. Locks the world's row until the transaction ends. */
export const lockWorld = 'SELECT 1 AS locked FROM console_conformance.worlds WHERE name = $1 FOR UPDATE';

/** `$1` name; `$2` hash of a stored seed. */
export const makeWorld = `
  WITH world AS (
    INSERT INTO console_conformance.worlds (name, length) VALUES ($1, 1) ON CONFLICT (name) DO NOTHING
    RETURNING generation
  )
  INSERT INTO console_conformance.records (generation, position, seed, body)
  SELECT generation, 1, $2, '{"do":"begin"}' FROM world`;

/** `$1` name. Replaces the log by an empty one. */
export const emptyWorld = `
  UPDATE console_conformance.worlds SET generation = nextval('console_conformance.generations'), length = 0, size = 0
  WHERE name = $1
  RETURNING generation`;

/** `$1` name. Records the present log size as its compacted size. */
export const noteSize = 'UPDATE console_conformance.worlds SET renewed = size WHERE name = $1';

/** `$1` generation. */
export const dropRecords = 'DELETE FROM console_conformance.records WHERE generation = $1::bigint';

/** `$1` name. Deletes the world with its records. */
export const dropWorld = `
  WITH gone AS (
    DELETE FROM console_conformance.worlds WHERE name = $1 RETURNING generation
  )
  DELETE FROM console_conformance.records USING gone WHERE records.generation = gone.generation`;

export const worldNames = 'SELECT name FROM console_conformance.worlds';

/** `$1` hash. */
export const readSeed = 'SELECT body FROM console_conformance.seeds WHERE hash = $1';

/** `$1` hash. Returns a row if the seed exists, and prevents its deletion until the transaction ends. */
export const holdSeed = 'SELECT 1 AS kept FROM console_conformance.seeds WHERE hash = $1 FOR KEY SHARE';

/** `$1` hash; `$2` text. */
export const keepSeed = `
  INSERT INTO console_conformance.seeds (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`;

/** Deletes the seeds that no record refers to. */
export const dropUnusedSeeds = `
  DELETE FROM console_conformance.seeds
  WHERE NOT EXISTS (SELECT FROM console_conformance.records WHERE records.seed = seeds.hash)`;
