import { afterAll, beforeAll, expect, it } from 'vitest';
import { specificationNaming } from '../../../contracts/target.ts';
import { fixtures } from '../../fixtures/index.ts';
import type { Backend, World } from '../../store/backend.ts';
import { backendFor } from '../../store/backends.ts';
import { sqlBackend } from '../../store/sql/backend.ts';
import type { Query } from '../../store/sql/database.ts';
import { postgresDatabase } from '../../store/sql/postgres.ts';
import { appendRecord, lockWorld, recordsSince } from '../../store/sql/statements.ts';
import type { Store } from '../../store/store.ts';
import { describeStore, places, sharedCluster } from './places.fixture.ts';

const seed = fixtures(specificationNaming);

/** Adds one to a number in a store, as a transaction that reads it before. */
const increment = (store: Store): Promise<void> =>
  store.transaction(async transaction => {
    const count = (await transaction.get('segments', 'n'))?.count ?? 0;
    await transaction.put('segments', 'n', { id: 'n', count: count + 1 });
  });

/** Whether somebody waits for a lock. Each time as it is now, also within a transaction. */
const isSomebodyWaiting = async (query: Query): Promise<boolean> => {
  await query('SELECT pg_stat_clear_snapshot()');
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await query(waiting)).length > 0;
};

describeStore(places.shared, make => {
  let place: string;
  let backends: Backend[] = [];
  beforeAll(async () => {
    place = await make();
    // At once: neither finds tables.
    backends = await Promise.all([backendFor(place), backendFor(place), backendFor(place)]);
  });
  afterAll(() => Promise.all(backends.map(backend => backend.close())));
  const worlds = (name: string): Promise<World[]> => Promise.all(backends.map(backend => backend.world(name, seed)));

  it('loses no write of several instances that change the same entity at once', async () => {
    const instances = await worlds('increments');
    await Promise.all(instances.flatMap(({ store }) => Array.from({ length: 40 }, () => increment(store))));
    for (const { store } of instances) expect((await store.get('segments', 'n'))?.count).toBe(120);
  });

  it('shows the write of one instance to the next reading of another, and lists by one array until then', async () => {
    const [one, other] = (await worlds('readings')) as [World, World];
    for (let count = 1; count <= 20; count += 1) {
      const list = await other.store.list('segments');
      expect(await other.store.list('segments')).toBe(list);
      await one.store.put('segments', 'n', { id: 'n', count });
      const [read, listed] = await Promise.all([other.store.get('segments', 'n'), other.store.list('segments')]);
      expect(read?.count).toBe(count);
      expect(listed).toContainEqual({ id: 'n', count });
    }
  });

  it('does a transaction again that met the write of another instance, on what is there then', async () => {
    const [one, other] = (await worlds('meeting')) as [World, World];
    const found: (number | undefined)[] = [];
    await one.store.put('segments', 'n', { id: 'n', count: 1 });
    await one.store.transaction(async transaction => {
      found.push((await transaction.get('segments', 'n'))?.count);
      if (found.length === 1) await other.store.put('segments', 'n', { id: 'n', count: 2 });
      await transaction.put('segments', 'mine', { id: 'mine', count: found.length });
    });
    expect(found).toEqual([1, 2]);
    expect((await other.store.get('segments', 'mine'))?.count).toBe(2);
  });

  it('does a transaction for the second time while the world is locked, so that nobody is quicker again', async () => {
    const [one, other] = (await worlds('locked')) as [World, World];
    const looking = await postgresDatabase(place);
    let turns = 0;
    let second: Promise<void> | undefined;
    let isDone = false;
    await one.store.transaction(async transaction => {
      turns += 1;
      if (turns === 1) await other.store.put('segments', 'n', { id: 'n', count: 1 });
      if (turns === 2) {
        second = other.store.put('segments', 'n', { id: 'n', count: 2 }).then(() => {
          isDone = true;
        });
        // Until the other one has to wait, or need not.
        while (!isDone && !(await isSomebodyWaiting(looking.query)));
      }
      await transaction.put('segments', 'mine', { id: 'mine', count: turns });
    });
    await second;
    await looking.close();
    expect([turns, (await one.store.get('segments', 'n'))?.count]).toEqual([2, 2]);
  });

  it('loads a state whole that somebody takes away meanwhile', async () => {
    const [one, other] = (await worlds('taken away')) as [World, World];
    await one.store.put('segments', 'n', { id: 'n', count: 1 });
    await one.states.save('kept', () => null);
    const kept = await other.states.get('kept');
    await one.store.put('segments', 'n', { id: 'n', count: 2 });
    const taking = await postgresDatabase(place);
    let loaded: Promise<void> | undefined;
    await taking.transaction(async query => {
      const name = JSON.stringify('taken away');
      await query(lockWorld, [name]);
      const { generation, position } = (await query(recordsSince, [name, 0, 0])).at(-1) ?? {};
      const taken = { do: 'remove', name: 'kept' };
      await query(appendRecord, [name, generation, position, null, JSON.stringify(taken)]);
      if (kept !== undefined) loaded = other.store.restore(kept.state);
      while (!(await isSomebodyWaiting(query)));
    });
    await loaded;
    await taking.close();
    expect(await one.states.list()).toEqual([]);
    expect((await one.store.get('segments', 'n'))?.count).toBe(1);
  });

  it('goes on from one log, however often instances write it anew meanwhile', async () => {
    const renewing = await Promise.all([1, 2].map(async () => sqlBackend(await postgresDatabase(place), '', () => 0)));
    const instances = await Promise.all([...renewing, ...backends].map(backend => backend.world('anew', seed)));
    const [first, ...others] = instances as [World, ...World[]];
    await first.states.save('begun', () => 'about');
    await Promise.all(instances.flatMap(({ store }) => Array.from({ length: 10 }, () => increment(store))));
    for (const { store } of instances) expect((await store.get('segments', 'n'))?.count).toBe(10 * instances.length);
    for (const { states } of instances) expect(await states.get('begun')).toEqual({ about: 'about', state: seed });
    await first.store.restore((await first.states.get('begun'))?.state ?? seed);
    for (const { store } of others) expect(await store.snapshot()).toEqual(seed);
    await Promise.all(renewing.map(backend => backend.close()));
  });

  it('takes no part of two states for one, where a transaction refuses', async () => {
    const [one, other] = (await worlds('refusal')) as [World, World];
    const both = (count: number) =>
      other.store.transaction(async transaction => {
        await transaction.put('segments', 'a', { id: 'a', count });
        await transaction.put('segments', 'b', { id: 'b', count });
      });
    await both(1);
    let turns = 0;
    await one.store.transaction(async transaction => {
      const a = await transaction.get('segments', 'a');
      turns += 1;
      if (turns === 1) {
        await both(2);
        // Somebody else of this instance reads meanwhile.
        await one.store.get('segments', 'a');
      }
      if ((await transaction.get('segments', 'b'))?.count !== a?.count) throw new Error('two states at once');
    });
    expect(turns).toBe(2);
  });

  it('lets one instance restore and forget what another works on', async () => {
    const [one, other] = (await worlds('renewed')) as [World, World];
    await other.store.put('segments', 'n', { id: 'n', count: 1 });
    const small = { ...seed, gates: seed.gates.slice(0, 2) };
    await one.store.restore(small);
    expect(await other.store.list('gates')).toHaveLength(2);
    await Promise.all([
      ...Array.from({ length: 20 }, () => increment(other.store)),
      ...Array.from({ length: 5 }, () => one.store.restore(small)),
    ]);
    expect(await other.store.snapshot()).toEqual(await one.store.snapshot());
    await backends[0]?.forget('renewed');
    expect(await other.store.snapshot()).toEqual(seed);
    await increment(other.store);
    expect((await one.store.get('segments', 'n'))?.count).toBe(1);
  });

  it('saves whole states while others write, and loads them for all', async () => {
    const [one, other] = (await worlds('saving')) as [World, World];
    const both = (count: number) =>
      other.store.transaction(async transaction => {
        await transaction.put('segments', 'a', { id: 'a', count });
        await transaction.put('segments', 'b', { id: 'b', count });
      });
    await both(0);
    const writing = Promise.all(Array.from({ length: 20 }, (_, index) => both(index + 1)));
    for (let turn = 0; turn < 5; turn++) {
      const counts = await one.states.save('s', ({ segments }) =>
        segments.flatMap(([id, { count = 0 }]) => (id === 'a' || id === 'b' ? [count] : [])),
      );
      const { about, state } = (await other.states.get('s')) ?? {};
      const saved = state?.segments.flatMap(([id, { count }]) => (id === 'a' || id === 'b' ? [count] : []));
      expect(saved).toEqual(counts);
      expect([about, new Set(saved).size]).toEqual([counts, 1]);
    }
    await writing;
    await other.store.restore((await other.states.get('s'))?.state ?? seed);
    expect(await one.store.snapshot()).toEqual((await one.states.get('s'))?.state);
  });

  it('shares notes, and tells every instance at once that they changed', async () => {
    const [one, other] = (await worlds('notes')) as [World, World];
    const before = await other.notes.revision();
    await one.notes.put('k', { a: 1 });
    expect(await other.notes.revision()).not.toBe(before);
    expect(await other.notes.get('k')).toEqual({ a: 1 });
    const count = ({ notes }: World) => notes.change('n', before => Number(before ?? 0) + 1);
    await Promise.all(Array.from({ length: 30 }, (_, index) => count(index % 2 === 0 ? one : other)));
    expect(await one.notes.get('n')).toBe(30);
    // Nor does a number come again after the world was forgotten.
    const seen = [before, await other.notes.revision()];
    await backends[2]?.forget('notes');
    expect(seen).not.toContain(await other.notes.revision());
    expect(await other.notes.get('k')).toBeUndefined();
  });

  it('does a transaction again on a new world where that was forgotten meanwhile', async () => {
    const [one, other] = (await worlds('forgotten')) as [World, World];
    await one.store.put('segments', 'n', { id: 'n', count: 1 });
    const found: (number | undefined)[] = [];
    await one.store.transaction(async transaction => {
      found.push((await transaction.get('segments', 'n'))?.count);
      if (found.length === 1) await backends[1]?.forget('forgotten');
      await transaction.put('segments', 'n', { id: 'n', count: 7 });
    });
    expect([found, (await other.store.get('segments', 'n'))?.count]).toEqual([[1, undefined], 7]);
  });

  it('keeps different worlds of different instances going side by side, more of them than it has connections', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `side ${index}`);
    const all = (await Promise.all(names.map(worlds))).flat();
    await Promise.all(all.flatMap(({ store }) => Array.from({ length: 5 }, () => increment(store))));
    for (const { store } of all) expect((await store.get('segments', 'n'))?.count).toBe(15);
  });

  it('refuses in one line what it cannot open, and never says the password', async () => {
    const { guarded } = await sharedCluster();
    await (await backendFor(guarded('secret'))).close();
    await expect(backendFor(guarded('gu:ess/@'))).rejects.toThrow(
      /^cannot use the store at postgres:\/\/guarded@localhost\/postgres: the password is wrong$/,
    );
    const nowhere = new URL(place);
    nowhere.pathname = '/nowhere';
    await expect(backendFor(nowhere.href)).rejects.toThrow(/there is no such database$/);
    await expect(backendFor('postgres://u:guess@127.0.0.1:1/x')).rejects.toThrow(
      /^cannot use the store at postgres:\/\/u@127\.0\.0\.1:1\/x: no server answers there$/,
    );
  });
});
