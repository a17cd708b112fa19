/** The statements of the store, in the SQL of PostgreSQL. Names of worlds and keys are JSON texts. */

/** `$1` name, `$2` generation and `$3` position that are known: the world, once for each record behind them, and at least once. */
export const recordsSince = `
  SELECT worlds.generation, worlds.size, worlds.renewed, records.position, records.seed, records.body
  FROM console_conformance.worlds LEFT JOIN console_conformance.records
    ON records.generation = worlds.generation
    AND records.position > CASE WHEN worlds.generation = $2::bigint THEN $3::bigint ELSE 0 END
  WHERE worlds.name = $1
  ORDER BY records.position`;

/**
 * `$1` name, `$2` generation and `$3` length of the log on which a record rests, `$4` hash of the seed that it names or null,
 * `$5` its text. No row, and no record, where the world has moved on.
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

/** `$1` name: its row, which nobody else changes until the transaction ends. */
export const lockWorld = 'SELECT 1 AS locked FROM console_conformance.worlds WHERE name = $1 FOR UPDATE';

/** `$1` name, `$2` hash of a seed that is kept. */
export const makeWorld = `
  WITH world AS (
    INSERT INTO console_conformance.worlds (name, length) VALUES ($1, 1) ON CONFLICT (name) DO NOTHING
    RETURNING generation
  )
  INSERT INTO console_conformance.records (generation, position, seed, body)
  SELECT generation, 1, $2, '{"do":"begin"}' FROM world`;

/** `$1` name: an empty log takes the place of the one there is. */
export const emptyWorld = `
  UPDATE console_conformance.worlds SET generation = nextval('console_conformance.generations'), length = 0, size = 0
  WHERE name = $1
  RETURNING generation`;

/** `$1` name: what its log holds now is what it holds at least. */
export const noteSize = 'UPDATE console_conformance.worlds SET renewed = size WHERE name = $1';

/** `$1` generation. */
export const dropRecords = 'DELETE FROM console_conformance.records WHERE generation = $1::bigint';

/** `$1` name, with its records. */
export const dropWorld = `
  WITH gone AS (
    DELETE FROM console_conformance.worlds WHERE name = $1 RETURNING generation
  )
  DELETE FROM console_conformance.records USING gone WHERE records.generation = gone.generation`;

export const worldNames = 'SELECT name FROM console_conformance.worlds';

/** `$1` hash. */
export const readSeed = 'SELECT body FROM console_conformance.seeds WHERE hash = $1';

/** `$1` hash: a row where it is kept, which nobody takes away until the transaction ends. */
export const holdSeed = 'SELECT 1 AS kept FROM console_conformance.seeds WHERE hash = $1 FOR KEY SHARE';

/** `$1` hash, `$2` text. */
export const keepSeed = `
  INSERT INTO console_conformance.seeds (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`;

/** Takes away the seeds that no record names any more. */
export const dropUnusedSeeds = `
  DELETE FROM console_conformance.seeds
  WHERE NOT EXISTS (SELECT FROM console_conformance.records WHERE records.seed = seeds.hash)`;
