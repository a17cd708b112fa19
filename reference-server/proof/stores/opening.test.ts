import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { specificationNaming } from '../../../contracts/target.ts';
import type { CollectionName } from '../../entities.ts';
import { fixtures } from '../../fixtures/index.ts';
import { createReferenceServer } from '../../server.ts';
import type { Backend } from '../../store/backend.ts';
import { backendFor } from '../../store/backends.ts';
import { folderBackend } from '../../store/folder.ts';
import { createLog, readLog } from '../../store/log-file.ts';
import { sqlBackend } from '../../store/sql/backend.ts';
import { postgresDatabase } from '../../store/sql/postgres.ts';
import type { Snapshot } from '../../store/store.ts';
import { describeStore, places } from './places.fixture.ts';

const seed = fixtures(specificationNaming);

/** The lines of a log. */
const linesOf = (folder: string): string[] => readFileSync(join(folder, 'worlds.ndjson'), 'utf8').trimEnd().split('\n');

/** Writes a log of these records. */
const writeLog = (folder: string, records: readonly unknown[]): void => {
  mkdirSync(folder, { recursive: true });
  const log = createLog(join(folder, 'worlds.ndjson'));
  for (const record of records) log.append(record as object);
  log.close();
};

/** Writes, saves, loads, puts back, forgets and takes away, until one world differs from its seed in one entity. */
const replacing = async (backend: Backend): Promise<void> => {
  const { store, states, notes } = await backend.world('default', seed);
  const write = (count: number) => store.put('segments', 'n', { id: 'n', count });
  const other = await backend.world('other', { ...seed, gates: [] });
  await other.store.put('segments', 'n', { id: 'n' });
  await other.states.save('of the other', () => null);
  await other.notes.put('k', 1);
  await backend.forget('other');
  for (const count of [1, 2, 3]) {
    await write(count);
    await states.save('s', () => count);
    await states.put('other', null, { ...seed, gates: [], segments: [] });
    await store.restore((await states.get('other'))?.state ?? seed);
    await store.restore((await states.get('s'))?.state ?? seed);
  }
  await store.restore({ ...seed, gates: [] });
  await states.remove('s');
  await states.remove('other');
  await store.restore(seed);
  await notes.put('k', 1);
  await notes.put('k', undefined);
  await write(4);
  await write(5);
};

describeStore(places.folder, make => {
  it('is refused while a process has it, and when it is of a newer version, in one line', async () => {
    const folder = await make();
    const backend = await backendFor(folder);
    await expect(backendFor(folder)).rejects.toThrow(
      `the store in ${folder} is in use by the process ${process.pid}; one process at a time may open it`,
    );
    await backend.close();
    writeLog(folder, [{ format: 99 }]);
    const newer = `the store at ${folder} is of a newer version of this program (format 99; this one knows 1)`;
    await expect(backendFor(folder)).rejects.toThrow(newer);
    // Refused again for the same reason: the first refusal has let go of it.
    await expect(backendFor(folder)).rejects.toThrow(newer);
  });

  it('is refused in one line where the folder cannot be made, or an older version has kept a database in it', async () => {
    const folder = await make();
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(`${folder}-file`, '');
    await expect(backendFor(join(`${folder}-file`, 'x'))).rejects.toThrow(/^cannot open the store in .*ENOTDIR.*$/);
    if (existsSync('/proc/self'))
      await expect(backendFor('/proc/conform')).rejects.toThrow(/^cannot open the store in \/proc\/conform: /);
    writeFileSync(join(folder, 'data', 'PG_VERSION'), '17\n');
    await expect(backendFor(folder)).rejects.toThrow(
      `the store in ${folder} is of an older version of this program, and cannot be read; to begin anew, move ${join(folder, 'data')} away`,
    );
    expect(readdirSync(folder)).toEqual(['data']);
    // What others have there is left alone.
    rmSync(join(folder, 'data', 'PG_VERSION'));
    await (await backendFor(folder)).close();
    expect(readdirSync(folder)).toEqual(['data', 'worlds.ndjson']);
  });

  it('is made anew where a process died while it was made, or while its log was written anew', async () => {
    const folder = await make();
    mkdirSync(folder);
    for (const count of [1, 2]) {
      writeFileSync(join(folder, 'worlds.ndjson.new'), '["');
      const backend = await backendFor(folder);
      const { store } = await backend.world('default', seed);
      if (count === 1) expect(await store.snapshot()).toEqual(seed);
      if (count === 2) expect((await store.get('segments', 'n'))?.count).toBe(1);
      await store.put('segments', 'n', { id: 'n', count });
      await backend.close();
      expect(readdirSync(folder)).toEqual(['worlds.ndjson']);
    }
  });

  it('tells that it is closed, and answers what was read of it', async () => {
    const folder = await make();
    const backend = await backendFor(folder);
    const errors: unknown[] = [];
    const server = createReferenceServer({ backend, onError: error => errors.push(error) });
    const { url } = await server.listen();
    const list = () => fetch(`${url}/console/v1/segments`, { headers: { 'SERVICE-API-KEY': server.apiKey } });
    expect((await list()).status).toBe(200);
    await backend.close();
    const before = linesOf(folder);
    const write = await fetch(`${url}/console/v1/gates/dark_mode/disable`, {
      method: 'PUT',
      headers: { 'SERVICE-API-KEY': server.apiKey },
    });
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await list()).status).toBe(200);
    expect(String(errors)).toBe(`StoreError: cannot use the store at ${folder}: it is closed`);
    // What cannot be kept is not done.
    const { store, states, notes } = await backend.world('default', seed);
    for (const attempt of [
      notes.put('k', 1),
      notes.change('k', () => 1),
      states.save('s', () => null),
      states.put('s', null, seed),
      store.put('segments', 'n', { id: 'n' }),
      store.restore({ ...seed, gates: [] }),
      backend.forget('default'),
    ])
      await expect(attempt).rejects.toThrow('it is closed');
    expect([await notes.list(''), await states.list()]).toEqual([[], []]);
    expect(await store.snapshot()).toEqual(seed);
    expect(linesOf(folder)).toEqual(before);
    await server.close();
  });

  it('takes a collection from the seed that a store of an older version does not have, in named states too', async () => {
    const folder = await make();
    const { segments: _, ...older } = seed;
    const gate = { id: 'new', isEnabled: true };
    writeLog(folder, [
      { format: 1 },
      { number: 1, whole: older },
      { world: 'older', do: 'begin', state: 1 },
      { world: 'older', do: 'write', entities: [['gates', 'new', gate]] },
      { number: 2, of: 1, entities: [['gates', 'new', gate]] },
      { world: 'older', do: 'save', name: 'kept', about: null, state: 2 },
    ]);
    const base: Snapshot = { ...seed, gates: [], segments: seed.segments.slice(0, 3) };
    const [first, ...rest] = base.segments;
    const gates = [...seed.gates, ['new', gate]];
    for (const [round, segments] of [base.segments, rest, rest].entries()) {
      // From the second time on it is of this version; the last time it was written anew meanwhile.
      const backend = await folderBackend(folder, size => (round < 2 ? 10 * size : 0));
      const world = await backend.world('older', round === 0 ? base : seed);
      expect(await world.store.snapshot()).toEqual({ ...seed, gates, segments });
      expect((await world.states.get('kept'))?.state).toEqual({ ...seed, gates, segments: base.segments });
      await world.store.remove('segments', first?.[0] ?? '');
      await backend.close();
    }
  });

  it('keeps nothing of what was replaced, forgotten or taken away', async () => {
    const folder = await make();
    // Written anew with each change.
    const backend = await folderBackend(folder, () => 0);
    await replacing(backend);
    await backend.close();
    const records = readLog(join(folder, 'worlds.ndjson'));
    expect(records).toEqual([
      { format: 1 },
      { number: 1, whole: seed },
      { world: 'default', do: 'begin', state: 1 },
      { world: 'default', do: 'write', entities: [['segments', 'n', { id: 'n', count: 4 }]] },
      { world: 'default', do: 'write', entities: [['segments', 'n', { id: 'n', count: 5 }]] },
    ]);
  });

  it('grows no further than to twice what it holds, over any number of processes', async () => {
    const folder = await make();
    const sizes: number[] = [];
    for (let opening = 1; opening <= 12; opening += 1) {
      const backend = await backendFor(folder);
      const { store, states } = await backend.world('default', seed);
      for (let count = 0; count < 60; count += 1) {
        await store.put('segments', 'n', { id: 'n', count, description: 'x'.repeat(4000) });
        if (count % 20 !== 0) continue;
        // Each state is made of the one before.
        await states.save('s', () => count);
        await store.restore((await states.get('s'))?.state ?? seed);
      }
      await backend.close();
      sizes.push(statSync(join(folder, 'worlds.ndjson')).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(2_000_000);
    expect(Math.max(...sizes)).toBeGreaterThan(500_000);
    // Of the states that were made of each other, no more are kept than somebody can come to.
    const backend = await folderBackend(folder, () => 0);
    await (await backend.world('default', seed)).store.put('segments', 'n', { id: 'n' });
    await (await backend.world('default', seed)).store.put('segments', 'n', { id: 'n' });
    await backend.close();
    const states = readLog(join(folder, 'worlds.ndjson')).filter(record => Object.hasOwn(record as object, 'number'));
    expect(states.length).toBeLessThan(4);
  });

  it('lets nobody change a state that it was given', async () => {
    const backend = await backendFor(await make());
    const given = structuredClone(seed) as { gates: unknown[] } & Snapshot;
    await (await backend.world('default', seed)).store.restore(given);
    expect(() => given.gates.pop()).toThrow(TypeError);
    await backend.close();
  });

  it('can be copied while nobody has it', async () => {
    const folder = await make();
    const backend = await backendFor(folder);
    await (await backend.world('default', seed)).store.put('segments', 'n', { id: 'n', count: 1 });
    await backend.close();
    cpSync(folder, `${folder}-copy`, { recursive: true });
    const copy = await backendFor(`${folder}-copy`);
    expect((await (await copy.world('default', seed)).store.get('segments', 'n'))?.count).toBe(1);
    await copy.close();
  });

  it('is not written by a process from which it was taken over, whether that one knows it or not', async () => {
    const folder = await make();
    const stopped = await backendFor(folder);
    const { store } = await stopped.world('default', seed);
    await store.put('segments', 'n', { id: 'n', count: 1 });
    const file = join(folder, 'process.id');
    const lock = readFileSync(file);
    // Another process finds no heartbeat, and goes on.
    rmSync(file);
    const next = await backendFor(folder);
    const other = readFileSync(file);
    // This one looks for its lock just before it was taken over, and is stopped until after that.
    writeFileSync(file, lock);
    const takenOver = () => {
      writeFileSync(file, other);
      return { id: 'n', count: 2 };
    };
    const late = { id: 'n', count: 2, toJSON: takenOver };
    await expect(store.put('segments', 'n', late)).rejects.toThrow('another process has taken its folder over');
    await expect(store.put('segments', 'n', { id: 'n', count: 3 })).rejects.toThrow('another process has taken');
    expect((await store.get('segments', 'n'))?.count).toBe(1);
    await next.close();
    await stopped.close();
    const again = await backendFor(folder);
    expect((await (await again.world('default', seed)).store.get('segments', 'n'))?.count).toBe(1);
    await again.close();
  });
});

describeStore(places.shared, make => {
  const opened = async () => {
    const address = await make();
    await (await backendFor(address)).close();
    return { address, database: await postgresDatabase(address) };
  };

  it('is refused when it is of a newer version', async () => {
    const { address, database } = await opened();
    await database.query('UPDATE console_conformance.version SET version = 99');
    await database.close();
    await expect(backendFor(address)).rejects.toThrow(
      / is of a newer version of this program \(format 99; this one knows \d+\)$/,
    );
  });

  it('takes a collection from the seed that a store of an older version does not have', async () => {
    const { address, database } = await opened();
    const backend = await backendFor(address);
    const { segments: _, ...older } = seed;
    // As it was made when there were no segments.
    await backend.world('older', seed);
    await backend.close();
    await database.query('UPDATE console_conformance.seeds SET body = $1', [JSON.stringify(older)]);
    await database.close();
    const again = await backendFor(address);
    const base: Snapshot = { ...seed, gates: [], segments: seed.segments.slice(0, 3) };
    const world = await again.world('older', base);
    const count = async (name: CollectionName) => (await world.store.list(name)).length;
    expect([await count('gates'), await count('segments')]).toEqual([seed.gates.length, 3]);
    await again.close();
  });

  it.each([1, 2, 3])('is refused where it is of an older version, and left as it is: format %i', async version => {
    const { address, database } = await opened();
    await database.query('UPDATE console_conformance.version SET version = $1', [version]);
    await expect(backendFor(address)).rejects.toThrow(
      / is of an older version of this program, and cannot be read; to begin anew, drop its schema console_conformance$/,
    );
    expect(await database.query('SELECT version FROM console_conformance.version')).toEqual([{ version }]);
    await database.query('DROP SCHEMA console_conformance CASCADE');
    await database.close();
    await (await backendFor(address)).close();
  });

  it('keeps nothing of what was replaced, forgotten or taken away', async () => {
    const address = await make();
    // Written anew with each change.
    const backend = await sqlBackend(await postgresDatabase(address), address, () => 0);
    await replacing(backend);
    await backend.close();
    const database = await postgresDatabase(address);
    const counts = ['worlds', 'records', 'seeds'].map(async table => [
      table,
      (await database.query(`SELECT FROM console_conformance.${table}`)).length,
    ]);
    const found = Object.fromEntries(await Promise.all(counts));
    await database.close();
    expect(found).toEqual({ worlds: 1, records: 2, seeds: 1 });
  });
});
