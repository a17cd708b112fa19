import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { specificationNaming } from '../../../contracts/target.ts';
import type { CollectionName } from '../../entities.ts';
import { fixtures } from '../../fixtures/index.ts';
import { createReferenceServer } from '../../server.ts';
import { backendFor } from '../../store/backends.ts';
import { embeddedDatabase } from '../../store/sql/embedded.ts';
import { format } from '../../store/sql/schema.ts';
import type { Snapshot } from '../../store/store.ts';
import { describeStore, places } from './places.fixture.ts';

const seed = fixtures(specificationNaming);

describeStore(places.embedded, make => {
  it('is refused while a process has it, and when it is of a newer version, in one line', async () => {
    const folder = await make();
    await (await backendFor(folder)).close();
    const database = await embeddedDatabase(folder);
    await expect(backendFor(folder)).rejects.toThrow(
      `the store in ${folder} is in use by the process ${process.pid}; one process at a time may open it`,
    );
    await database.query('UPDATE console_conformance.version SET version = 99');
    await database.close();
    const newer = `the store at ${folder} is of a newer version of this program (format 99; this one knows ${format})`;
    await expect(backendFor(folder)).rejects.toThrow(newer);
    // Refused again for the same reason: the first refusal has let go of it.
    await expect(backendFor(folder)).rejects.toThrow(newer);
  });

  it('is refused in one line where the folder cannot be made, or holds no database', async () => {
    const folder = await make();
    writeFileSync(`${folder}-file`, '');
    await expect(backendFor(join(`${folder}-file`, 'x'))).rejects.toThrow(/^cannot open the store in .*ENOTDIR.*$/);
    const taken = join(dirname(folder), 'taken');
    mkdirSync(join(taken, 'data'), { recursive: true });
    await expect(backendFor(taken)).rejects.toThrow(
      `${taken} is no store: what is called data there is something else`,
    );
    expect(existsSync(join(taken, 'process.id'))).toBe(false);
    if (existsSync('/proc/self'))
      await expect(backendFor('/proc/conform')).rejects.toThrow(/^cannot open the store in \/proc\/conform: /);
    rmSync(join(folder, 'data', 'global'), { recursive: true });
    await expect(backendFor(folder)).rejects.toThrow(
      `the store in ${folder} is damaged, or was made by another program; to begin anew, move ${join(folder, 'data')} away`,
    );
    expect(existsSync(join(folder, 'process.id'))).toBe(false);
  });

  it('is made anew where a process died while it was made', async () => {
    const folder = await make();
    const half = join(dirname(folder), 'half');
    mkdirSync(half);
    renameSync(join(folder, 'data'), join(half, 'data.unfinished'));
    rmSync(join(half, 'data.unfinished', 'global'), { recursive: true });
    const backend = await backendFor(half);
    expect(await (await backend.world('default', seed)).store.snapshot()).toEqual(seed);
    await backend.close();
    expect(existsSync(join(half, 'data.unfinished'))).toBe(false);
  });

  it('is opened where a process died before it had written the lock file of the database', async () => {
    const folder = await make();
    const first = await backendFor(folder);
    await (await first.world('default', seed)).store.put('segments', 'n', { id: 'n', count: 1 });
    await first.close();
    for (const text of ['', 'x']) {
      writeFileSync(join(folder, 'data', 'postmaster.pid'), text);
      const backend = await backendFor(folder);
      expect((await (await backend.world('default', seed)).store.get('segments', 'n'))?.count).toBe(1);
      await backend.close();
    }
  });

  it('is told of when it cannot be read, and not taken for an empty one', async () => {
    const folder = await make();
    const backend = await backendFor(folder);
    const errors: unknown[] = [];
    const server = createReferenceServer({ backend, onError: error => errors.push(error) });
    const { url } = await server.listen();
    const list = () => fetch(`${url}/console/v1/segments`, { headers: { 'SERVICE-API-KEY': server.apiKey } });
    expect((await list()).status).toBe(200);
    await backend.close();
    const write = await fetch(`${url}/console/v1/gates/dark_mode/disable`, {
      method: 'PUT',
      headers: { 'SERVICE-API-KEY': server.apiKey },
    });
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await list()).status).toBe(503);
    expect(errors).toHaveLength(2);
    await server.close();
  });

  it('takes a collection from the seed that a store of an older version does not have', async () => {
    const folder = await make();
    const backend = await backendFor(folder);
    const { segments: _, ...older } = seed;
    // As it was made when there were no segments.
    const { store } = await backend.world('older', seed);
    await backend.close();
    expect(await store.snapshot()).toEqual(seed);
    const database = await embeddedDatabase(folder);
    await database.query('UPDATE console_conformance.seeds SET body = $1', [JSON.stringify(older)]);
    await database.close();
    const again = await backendFor(folder);
    const base: Snapshot = { ...seed, gates: [], segments: seed.segments.slice(0, 3) };
    const world = await again.world('older', base);
    const count = async (name: CollectionName) => (await world.store.list(name)).length;
    expect([await count('gates'), await count('segments')]).toEqual([seed.gates.length, 3]);
    await again.close();
  });

  it('is brought up to date where it is of an older version, with the snapshots that it had', async () => {
    const folder = await make();
    await (await backendFor(folder)).close();
    const database = await embeddedDatabase(folder);
    const notes = {
      'snapshot/a.b c': { name: 'a.b c', savedAt: 1, entities: 2 },
      'snapshot-state/a.b c': { ...seed, gates: seed.gates.slice(0, 1) },
      'snapshot/lost': { name: 'lost', savedAt: 1, entities: 2 },
      clock: { stoppedAt: 5 },
    };
    await database.query('DROP TABLE console_conformance.snapshots');
    await database.query('ALTER TABLE console_conformance.worlds DROP COLUMN base');
    for (const [key, value] of Object.entries(notes))
      await database.query('INSERT INTO console_conformance.notes VALUES ($1, $2, $3)', [
        '"default"',
        JSON.stringify(key),
        JSON.stringify(value),
      ]);
    await database.query('UPDATE console_conformance.version SET version = 1');
    await database.close();
    const backend = await backendFor(folder);
    const world = await backend.world('default', seed);
    expect(await world.states.list()).toEqual([['a.b c', notes['snapshot/a.b c']]]);
    expect(await world.states.get('a.b c')).toEqual({
      about: notes['snapshot/a.b c'],
      state: notes['snapshot-state/a.b c'],
    });
    expect(await world.notes.list('')).toEqual([['clock', { stoppedAt: 5 }]]);
    await backend.close();
  });

  it('keeps nothing of what was replaced, forgotten or taken away', async () => {
    const folder = await make();
    const backend = await backendFor(folder);
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
    await backend.close();
    const database = await embeddedDatabase(folder);
    const counts = ['worlds', 'entities', 'seeds', 'snapshots', 'notes'].map(async table => [
      table,
      (await database.query(`SELECT FROM console_conformance.${table}`)).length,
    ]);
    const found = Object.fromEntries(await Promise.all(counts));
    await database.close();
    expect(found).toEqual({ worlds: 1, entities: 1, seeds: 1, snapshots: 0, notes: 0 });
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
});
