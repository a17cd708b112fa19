import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { specificationNaming } from '../../../contracts/target.ts';
import { fixtures } from '../../fixtures/index.ts';
import { backendFor } from '../../store/backends.ts';
import { embeddedDatabase } from '../../store/sql/embedded.ts';
import { postgresDatabase } from '../../store/sql/postgres.ts';
import { StoreError } from '../../store/store-error.ts';
import { describeStore, places } from './places.fixture.ts';

const seed = fixtures(specificationNaming);

/** Opens a store and reads it, as `serve` does before it tells its address. */
const opened = async (place: string): Promise<string> => {
  const backend = await backendFor(place);
  try {
    return await backend.world('default', seed).then(() => 'opened');
  } finally {
    await backend.close();
  }
};

/** What of its own files a database does not open without, and how each may be damaged. */
// biome-ignore format: a table
const damages: readonly (readonly [string, (data: string) => void])[] = [
  ['an empty control file',    data => truncateSync(join(data, 'global/pg_control'))],
  ['a control file of others', data => writeFileSync(join(data, 'global/pg_control'), Buffer.alloc(8192, 7))],
  ['no log',                   data => rmSync(join(data, 'pg_wal/000000010000000000000001'))],
  ['another version',          data => writeFileSync(join(data, 'PG_VERSION'), '15\n')],
  ['an empty version',         data => truncateSync(join(data, 'PG_VERSION'))],
  ['settings that are none',   data => writeFileSync(join(data, 'postgresql.conf'), Buffer.alloc(500, 1))],
  ['no tables',                data => rmSync(join(data, 'base'), { recursive: true })],
];

describeStore(places.embedded, make => {
  it.each(damages)('with %s is told in one line that says how to begin anew', async (_what, damage) => {
    const folder = await make();
    const data = join(folder, 'data');
    damage(data);
    const error = await opened(folder).catch(caught => caught);
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toBe(
      `the store in ${folder} is damaged, or was made by another program; to begin anew, move ${data} away`,
    );
    // An empty folder is where a store begins.
    rmSync(data, { recursive: true });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps its files from everybody else, whatever the process would let them', async () => {
    const folder = join(dirname(await make()), 'above', 'closed');
    const before = process.umask(0);
    try {
      const database = await embeddedDatabase(folder, 1);
      await database.query('CREATE TABLE t AS SELECT generate_series(1, 1000) AS n');
      const modes = readdirSync(dirname(folder), { recursive: true }).map(name => {
        const status = statSync(join(dirname(folder), String(name)));
        return [name, status.isDirectory(), (status.mode & 0o777).toString(8)];
      });
      expect(modes.length).toBeGreaterThan(900);
      expect(modes.filter(([, isFolder, mode]) => mode !== (isFolder === true ? '700' : '600'))).toEqual([]);
      await database.close();
    } finally {
      process.umask(before);
    }
  });
});

/** What may be found under the names of the tables. */
// biome-ignore format: a table
const strange: readonly (readonly [string, readonly string[]])[] = [
  ['a version that is none',     ["ALTER TABLE console_conformance.version ALTER version TYPE text", "UPDATE console_conformance.version SET version = 'x'"]],
  ['no version',                 ['DELETE FROM console_conformance.version']],
  ['other columns',              ['ALTER TABLE console_conformance.worlds RENAME generation TO other']],
  ['a table that is gone',       ['DROP TABLE console_conformance.entities']],
  ['a seed that is no JSON',     ["UPDATE console_conformance.seeds SET body = 'x'"]],
  ['an entity that is no JSON',  ["UPDATE console_conformance.entities SET value = '{'"]],
  ['a schema of somebody else',  ['DROP SCHEMA console_conformance CASCADE', 'CREATE SCHEMA console_conformance', 'CREATE TABLE console_conformance.version (v text)']],
];

describeStore(places.shared, make => {
  it.each(strange)('with %s is told in one line that says how to begin anew', async (_what, statements) => {
    const place = await make();
    const first = await backendFor(place);
    await (await first.world('default', seed)).store.put('segments', 'n', { id: 'n', count: 1 });
    await first.close();
    const database = await postgresDatabase(place);
    for (const statement of statements) await database.query(statement);
    const error = await opened(place).catch(caught => caught);
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toMatch(
      /^the store at postgres:\/\/tester@localhost\/d\d+ is damaged, or was made by another program; to begin anew, drop its schema console_conformance$/,
    );
    await database.query('DROP SCHEMA console_conformance CASCADE');
    await database.close();
    await expect(opened(place)).resolves.toBe('opened');
  });
});
