import { beforeAll, expect, it } from 'vitest';
import type { Json } from '../../../contracts/json.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import { collectionNames } from '../../entities.ts';
import { fixtures } from '../../fixtures/index.ts';
import type { Backend, World } from '../../store/backend.ts';
import { backendFor } from '../../store/backends.ts';
import { createMemoryBackend } from '../../store/memory.ts';
import type { Snapshot, Store } from '../../store/store.ts';
import { describeStore, type Place, places } from './places.fixture.ts';

const seed = fixtures(specificationNaming);
const segment = (id: string, count: number) => ({ id, count });
const gate = (id: string, more: object = {}) => ({ id, isEnabled: true, version: 1, ...more });

/** Writes of every kind: new, changed, taken away, put again, several at once, and some that are given up. */
async function written(store: Store): Promise<void> {
  await store.put('segments', 'b', segment('b', 1));
  await store.put('segments', 'a', segment('a', 1));
  await store.put('gates', 'dark_mode', gate('dark_mode', { description: 'a\u0000b \ud800 "\\u0000" 😀 {},NULL' }));
  await store.put('gates', 'NULL', gate('NULL'));
  await store.put('gates', 'a\u0000,"{}\\ \ud800', gate('a\u0000,"{}\\ \ud800'));
  await store.transaction(async transaction => {
    await transaction.remove('segments', 'beta_testers_europe');
    await transaction.remove('segments', 'nobody');
    await transaction.put('segments', 'c', segment('c', 1));
    await transaction.put('segments', 'b', segment('b', 2));
  });
  await store.put('segments', 'beta_testers_europe', segment('beta_testers_europe', 3));
  await store.remove('segments', 'c');
  await store.put('segments', 'c', segment('c', 4));
  await store
    .transaction(async transaction => {
      await transaction.put('segments', 'given-up', segment('given-up', 1));
      throw new Error('no');
    })
    .catch(() => undefined);
}

const promises = (make: Place['make'], isKept: boolean): void => {
  let place: string;
  let backend: Backend;
  beforeAll(async () => {
    place = await make();
    backend = await backendFor(place);
    return () => backend.close();
  });
  let worlds = 0;
  const world = (name = `world ${++worlds}`): Promise<World> => backend.world(name, seed);
  const reopen = async (): Promise<void> => {
    if (!isKept) return;
    await backend.close();
    backend = await backendFor(place);
  };

  it('holds what a store in memory holds after the same writes, at once and after it was opened again', async () => {
    const memory = createMemoryBackend().worldNow('', seed).store;
    const { name, store } = await world();
    await written(memory);
    await written(store);
    expect(await store.snapshot()).toEqual(await memory.snapshot());
    await reopen();
    const again = (await world(name)).store;
    expect(await again.snapshot()).toEqual(await memory.snapshot());
    for (const collection of collectionNames)
      expect(await again.list(collection)).toEqual(await memory.list(collection));
    expect(await again.get('gates', 'a\u0000,"{}\\ \ud800')).toEqual(gate('a\u0000,"{}\\ \ud800'));
    expect(await again.get('segments', 'given-up')).toBeUndefined();
  });

  it('keeps all of a transaction or nothing, runs one at a time, and shows it to nobody before it ends', async () => {
    const { store } = await world();
    await store.put('segments', 'n', segment('n', 0));
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        store.transaction(async transaction => {
          const now = (await transaction.get('segments', 'n'))?.count ?? 0;
          await transaction.put('segments', 'n', segment('n', now + 1));
          expect(await transaction.list('segments')).toContainEqual(segment('n', now + 1));
          expect((await store.get('segments', 'n'))?.count).toBe(now);
          if (index === 5) throw new Error('no');
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect((await store.get('segments', 'n'))?.count).toBe(19);
  });

  it('lists by one array until something changes, of values that nobody can change', async () => {
    const { store } = await world();
    const list = await store.list('segments');
    expect(await store.list('segments')).toBe(list);
    await store.put('gates', 'new', gate('new', { tags: ['a'] }));
    expect(await store.list('segments')).toBe(list);
    await store.put('segments', 'a', segment('a', 1));
    expect(await store.list('segments')).not.toBe(list);
    expect(() => list[0]?.tags?.push('x')).toThrow(TypeError);
    const kept = await store.get('gates', 'new');
    expect(() => kept?.tags?.push('x')).toThrow(TypeError);
  });

  it('restores a snapshot, also one of its own, and keeps the seed of each world', async () => {
    const { name, store } = await world();
    await written(store);
    const changed = await store.snapshot();
    await store.restore(seed);
    expect(await store.snapshot()).toEqual(seed);
    await store.restore(changed);
    expect(await store.snapshot()).toEqual(changed);
    await store.put('segments', 'z', segment('z', 1));
    const more = await store.snapshot();
    await reopen();
    expect(await (await world(name)).store.snapshot()).toEqual(more);
    const other = { ...seed, gates: seed.gates.slice(0, 1) };
    const small = await backend.world('small', other);
    await small.store.put('gates', 'x', gate('x'));
    await reopen();
    // What it was made of counts, and not what it would be made of today.
    expect((await (await world('small')).store.list('gates')).map(({ id }) => id)).toEqual([seed.gates[0]?.[0], 'x']);
  });

  it('keeps states under names, whole, and puts the world back to one', async () => {
    const { name, store, states } = await world();
    const about = (told: string) => (state: Snapshot) => ({ told, segments: state.segments.length });
    const many = seed.segments.length + 3;
    await written(store);
    const first = await store.snapshot();
    expect(await states.save('b "first"', about('first'))).toEqual({ told: 'first', segments: many });
    await store.put('gates', 'after', gate('after'));
    await states.save('a', about('second'));
    await states.put('other', 'from elsewhere', { ...seed, gates: [] });
    expect(await states.list()).toEqual([
      ['a', { told: 'second', segments: many }],
      ['b "first"', { told: 'first', segments: many }],
      ['other', 'from elsewhere'],
    ]);
    const load = async (one: string): Promise<Snapshot> => {
      await store.restore((await states.get(one))?.state as Snapshot);
      return store.snapshot();
    };
    expect(await load('b "first"')).toEqual(first);
    // What is put after a state was loaded comes last, and changes no state.
    await store.put('gates', 'later', gate('later'));
    await store.remove('gates', 'NULL');
    expect((await store.list('gates')).at(-1)?.id).toBe('later');
    expect(await load('b "first"')).toEqual(first);
    await reopen();
    const again = await world(name);
    expect(await again.store.snapshot()).toEqual(first);
    expect((await again.states.get('other'))?.state).toEqual({ ...seed, gates: [] });
    await again.store.restore((await again.states.get('a'))?.state as Snapshot);
    expect(await again.store.get('gates', 'after')).toEqual(gate('after'));
    await again.store.restore((await again.states.get('other'))?.state as Snapshot);
    expect(await again.store.list('gates')).toEqual([]);
    // Another state under the same name, while somebody still holds the one before.
    const held = (await again.states.get('a'))?.state as Snapshot;
    await again.states.save('a', () => null);
    expect(await again.states.get('a')).toMatchObject({ about: null, state: { gates: [] } });
    await again.store.restore(held);
    expect(await again.store.get('gates', 'after')).toEqual(gate('after'));
    await again.states.remove('a');
    await again.states.remove('nobody');
    expect((await again.states.list()).map(([one]) => one)).toEqual(['b "first"', 'other']);
    expect(await again.states.get('a')).toBeUndefined();
  });

  it('goes on from a state that was loaded, whatever becomes of that state, in the order of a store in memory', async () => {
    const memory = createMemoryBackend().worldNow('', seed).store;
    const { name, store, states } = await world();
    const both = async (work: (one: Store) => Promise<void>) => {
      await work(memory);
      await work(store);
      expect(await store.snapshot()).toEqual(await memory.snapshot());
    };
    const kept = new Map<string, Snapshot>();
    const save = async (as: string) => {
      kept.set(as, await memory.snapshot());
      await states.save(as, () => null);
    };
    const load = async (from: string, { store: into, states: of }: World) => {
      await memory.restore(kept.get(from) as Snapshot);
      await into.restore((await of.get(from))?.state as Snapshot);
      expect(await into.snapshot()).toEqual(await memory.snapshot());
    };
    await both(written);
    await save('a');
    await both(one => one.put('gates', 'past', gate('past')));
    await load('a', { name, store, states } as World);
    await both(async one => {
      await one.remove('segments', 'a');
      await one.put('segments', 'b', segment('b', 7));
      await one.put('segments', 'e', segment('e', 1));
      await one.put('segments', 'a', segment('a', 8));
      await one.remove('segments', 'c');
    });
    await save('b');
    // The world stands on both of them in turn, while their names are given to others or taken away.
    await load('a', { name, store, states } as World);
    await save('a');
    await states.remove('a');
    kept.delete('a');
    await both(one => one.put('gates', 'later', gate('later')));
    await reopen();
    const again = await world(name);
    expect(await again.store.snapshot()).toEqual(await memory.snapshot());
    await load('b', again);
    await again.store.put('segments', 'f', segment('f', 1));
    await memory.put('segments', 'f', segment('f', 1));
    await again.states.save('b', () => null);
    await reopen();
    const last = await world(name);
    expect(await last.store.snapshot()).toEqual(await memory.snapshot());
    expect((await last.states.get('b'))?.state).toEqual(await memory.snapshot());
    await last.store.restore((await last.states.get('b'))?.state as Snapshot);
    await last.states.remove('b');
    await reopen();
    const without = await world(name);
    expect(await without.states.list()).toEqual([]);
    expect(await without.store.snapshot()).toEqual(await memory.snapshot());
    await without.store.restore(seed);
    expect(await without.store.snapshot()).toEqual(seed);
    await backend.forget(name);
    expect(await (await world(name)).store.snapshot()).toEqual(seed);
  });

  it('finds in each world what was written there alone, at once and after it was opened again', async () => {
    const written = async () =>
      Promise.all(
        ['left', 'right'].map(async name =>
          (await (await world(name)).store.list('segments')).slice(seed.segments.length),
        ),
      );
    for (const [count, name] of [...'abc'].entries())
      for (const side of ['left', 'right'])
        await (await world(side)).store.put('segments', `${side} ${name}`, segment(`${side} ${name}`, count));
    const expected = ['left', 'right'].map(side => [...'abc'].map((name, count) => segment(`${side} ${name}`, count)));
    expect(await written()).toEqual(expected);
    await reopen();
    expect(await written()).toEqual(expected);
    if (!isKept) return;
    // Forgotten by a process that was never asked for it.
    await reopen();
    await backend.forget('left');
    expect(await backend.worlds()).not.toContain('left');
    expect(await written()).toEqual([[], expected[1]]);
    await reopen();
    expect(await written()).toEqual([[], expected[1]]);
  });

  it('keeps worlds apart, names them, and forgets one with all that is in it', async () => {
    const one = await world('one\u0000');
    const two = await world('two');
    await one.store.put('segments', 'n', segment('n', 1));
    await one.notes.put('k', 1);
    await one.states.save('s', () => 1);
    expect(await two.states.list()).toEqual([]);
    expect(await two.store.get('segments', 'n')).toBeUndefined();
    expect(await two.notes.get('k')).toBeUndefined();
    expect(await backend.worlds()).toEqual(expect.arrayContaining(['one\u0000', 'two']));
    await backend.forget('one\u0000');
    await backend.forget('nobody');
    expect(await backend.worlds()).not.toContain('one\u0000');
    if (!isKept) return;
    // Whoever still holds it has a new one.
    expect(await one.store.get('segments', 'n')).toBeUndefined();
    await one.store.put('segments', 'n', segment('n', 2));
    expect(await one.states.list()).toEqual([]);
    await one.notes.put('l', 2);
    expect(await one.notes.list('')).toEqual([['l', 2]]);
    expect((await (await world('one\u0000')).store.get('segments', 'n'))?.count).toBe(2);
  });

  it('keeps notes, with a number that is another one after each change', async () => {
    const { name, notes, store } = await world();
    const seen = [await notes.revision()];
    const changes: readonly (readonly [string, Json | undefined])[] = [
      ['b/2', { text: '\u0000 \ud800' }],
      ['b/1', [null]],
      ['a', 'x'],
      ['a', undefined],
      ['gone', undefined],
    ];
    for (const [key, value] of changes) {
      await notes.put(key, value);
      seen.push(await notes.revision());
    }
    expect(new Set(seen).size).toBe(changes.length + 1);
    // What is counted is told to nobody.
    const counts = await Promise.all(
      Array.from({ length: 10 }, () => notes.change('b/\u0000n', before => Number(before ?? 0) + 1)),
    );
    expect(counts.toSorted((one, other) => Number(one) - Number(other))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await notes.get('b/\u0000n')).toBe(10);
    expect(await notes.revision()).toBe(seen.at(-1));
    await notes.put('b/\u0000n', undefined);
    seen.push(await notes.revision());
    await store.put('segments', 'n', segment('n', 1));
    await store.restore(seed);
    expect(await notes.revision()).toBe(seen.at(-1));
    await reopen();
    const again = (await world(name)).notes;
    expect(await again.get('b/2')).toEqual({ text: '\u0000 \ud800' });
    expect(await again.get('a')).toBeUndefined();
    expect(await again.list('b/')).toEqual([
      ['b/1', [null]],
      ['b/2', { text: '\u0000 \ud800' }],
    ]);
    expect(await again.list('')).toHaveLength(2);
  });
};

for (const place of Object.values(places)) describeStore(place, make => promises(make, place.isKept));
