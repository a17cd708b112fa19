import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { specificationNaming } from '../../../contracts/target.ts';
import { fixtures } from '../../fixtures/index.ts';
import { backendFor } from '../../store/backends.ts';
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

/** A log with a gate that was written, and a state that was saved. */
const written = async (make: () => Promise<string>): Promise<{ folder: string; log: string }> => {
  const folder = await make();
  const backend = await backendFor(folder);
  const { store, states } = await backend.world('default', seed);
  await store.put('segments', 'n', { id: 'n', count: 1 });
  await states.save('s', () => null);
  await backend.close();
  return { folder, log: join(folder, 'worlds.ndjson') };
};

const changed = (log: string, change: (lines: string[]) => string[]): void =>
  writeFileSync(log, change(readFileSync(log, 'utf8').split('\n')).join('\n'));

/** A line as the log has it, whatever it says. */
const lineOf = (record: unknown): string => {
  const text = JSON.stringify(record);
  return `["${crc32(text).toString(16).padStart(8, '0')}",${text}]`;
};

/** How a log may be damaged. */
// biome-ignore format: a table
const damages: readonly (readonly [string, (log: string) => void])[] = [
  ['nothing in it',             log => truncateSync(log)],
  ['something of others',       log => writeFileSync(log, Buffer.alloc(8192, 7))],
  ['lines of others',           log => writeFileSync(log, '{"a":1}\n{"a":2}\n')],
  ['one sign that is another',  log => changed(log, lines => lines.map(line => line.replace('"count":1', '"count":2')))],
  ['a blank too many',          log => changed(log, lines => lines.map(line => line.replace('"count":1', '"count": 1')))],
  ['half a line in its midst',  log => changed(log, ([head = '', one = '', ...rest]) => [head, one.slice(0, 9), ...rest])],
  ['no format',                 log => changed(log, lines => lines.slice(1))],
  ['a state that is not there', log => changed(log, lines => lines.filter(line => !line.includes('"whole"')))],
  ['a record of no kind',       log => changed(log, ([head = '', ...rest]) => [head, lineOf({ what: 1 }), ...rest])],
];

describeStore(places.folder, make => {
  it.each(damages)('with %s is told in one line that says how to begin anew', async (_what, damage) => {
    const { folder, log } = await written(make);
    damage(log);
    const before = readFileSync(log);
    const error = await opened(folder).catch(caught => caught);
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toBe(
      `the store in ${folder} is damaged, or was made by another program; to begin anew, move ${log} away`,
    );
    // It is left as it is, and nothing is beside it.
    expect([readdirSync(folder), readFileSync(log).equals(before)]).toEqual([['worlds.ndjson'], true]);
    rmSync(log);
    await expect(opened(folder)).resolves.toBe('opened');
  });

  it('leaves what was written to the last byte where the line behind it was not', async () => {
    const { folder, log } = await written(make);
    for (const torn of ['[', lineOf({ world: 'default', do: 'write', entities: [['segments', 'n']] })]) {
      appendFileSync(log, torn);
      const backend = await backendFor(folder);
      const { store, states } = await backend.world('default', seed);
      expect((await store.get('segments', 'n'))?.count).toBe(1);
      expect((await states.list()).length).toBe(1);
      await backend.close();
    }
  });

  it('keeps its files from everybody else, whatever the process would let them', async () => {
    const folder = join(dirname(await make()), 'above', 'closed');
    const before = process.umask(0);
    try {
      const backend = await backendFor(folder);
      await backend.world('default', seed);
      const modes = readdirSync(dirname(folder), { recursive: true }).map(name => {
        const status = statSync(join(dirname(folder), String(name)));
        return [name, status.isDirectory() ? 'folder' : 'file', (status.mode & 0o777).toString(8)];
      });
      expect(modes.sort()).toEqual([
        ['closed', 'folder', '700'],
        [join('closed', 'process.id'), 'file', '600'],
        [join('closed', 'worlds.ndjson'), 'file', '600'],
      ]);
      await backend.close();
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
  ['a table that is gone',       ['DROP TABLE console_conformance.records']],
  ['a seed that is no JSON',     ["UPDATE console_conformance.seeds SET body = 'x'"]],
  ['a record that is no JSON',   ["UPDATE console_conformance.records SET body = '{'"]],
  ['a record of no kind',        ["UPDATE console_conformance.records SET body = '{}'"]],
  ['a state that is not there',  ['UPDATE console_conformance.records SET seed = NULL']],
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
