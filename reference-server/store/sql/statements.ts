/** The statements of the store, in the SQL of PostgreSQL. Names of worlds and keys are JSON texts. */

/** `$1` name, `$2` generation and `$3` position that are known: the world, once for each record behind them, and at least once. */
export const recordsSince = `
  SELECT worlds.generation, worlds.size, worlds.renewed, worlds.notes, records.position, records.seed, records.body
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
  UPDATE console_conformance.worlds SET generation = nextval('console_conformance.marks'), length = 0, size = 0
  WHERE name = $1
  RETURNING generation`;

/** `$1` name: what its log holds now is what it holds at least. */
export const noteSize = 'UPDATE console_conformance.worlds SET renewed = size WHERE name = $1';

/** `$1` generation. */
export const dropRecords = 'DELETE FROM console_conformance.records WHERE generation = $1::bigint';

/** `$1` name, with its notes and its records. */
export const dropWorld = `
  WITH gone AS (
    DELETE FROM console_conformance.worlds WHERE name = $1 RETURNING generation
  ), noted AS (
    DELETE FROM console_conformance.notes WHERE world = $1
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
