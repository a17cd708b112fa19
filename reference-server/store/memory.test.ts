import { describe, expect, it } from 'vitest';
import { specificationNaming } from '../../contracts/target.ts';
import { collectionNames } from '../entities.ts';
import { fixtures } from '../fixtures/index.ts';
import { createMemoryBackend } from './memory.ts';

const seed = fixtures(specificationNaming);
const made = () => createMemoryBackend().worldNow('', seed).store;
const segment = (id: string, count: number) => ({ id, count });

describe('a transaction', () => {
  it('keeps all of its writes, or none when it throws', async () => {
    const store = made();
    await store.transaction(async transaction => {
      await transaction.put('segments', 'a', segment('a', 1));
      await transaction.put('segments', 'b', segment('b', 1));
    });
    const before = await store.snapshot();
    const failed = store.transaction(async transaction => {
      await transaction.put('segments', 'a', segment('a', 2));
      await transaction.put('gates', 'new', { id: 'new', isEnabled: true, version: 1 });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await store.snapshot()).toEqual(before);
    expect((await store.get('segments', 'b'))?.count).toBe(1);
  });

  it('sees its own writes, and nobody else does before it ends', async () => {
    const store = made();
    const { length } = await store.list('segments');
    await store.transaction(async transaction => {
      await transaction.put('segments', 'a', segment('a', 1));
      await transaction.put('segments', 'beta_testers_europe', segment('beta_testers_europe', 7));
      expect(await transaction.get('segments', 'a')).toEqual(segment('a', 1));
      const seen = await transaction.list('segments');
      expect(seen).toHaveLength(length + 1);
      expect(seen[0]).toEqual(segment('beta_testers_europe', 7));
      expect(await store.get('segments', 'a')).toBeUndefined();
      expect(await store.list('segments')).toHaveLength(length);
    });
    expect(await store.list('segments')).toHaveLength(length + 1);
  });

  it('takes away, and puts back at the end', async () => {
    const store = made();
    const before = await store.list('segments');
    const [first, second] = before;
    const gone = first?.id ?? '';
    await store.transaction(async transaction => {
      await transaction.remove('segments', gone);
      await transaction.remove('segments', 'nobody');
      expect(await transaction.get('segments', gone)).toBeUndefined();
      expect((await transaction.list('segments'))[0]).toEqual(second);
      expect(await store.get('segments', gone)).toEqual(first);
    });
    expect(await store.get('segments', gone)).toBeUndefined();
    expect(await store.list('segments')).toEqual(before.slice(1));
    await store.put('segments', gone, segment(gone, 3));
    expect((await store.list('segments')).at(-1)).toEqual(segment(gone, 3));
    await store.remove('segments', gone);
    expect(await store.list('segments')).toHaveLength(before.length - 1);
  });

  it('puts what it has taken away at the end', async () => {
    const store = made();
    const [first] = (await store.list('segments')).map(({ id }) => String(id));
    await store.transaction(async transaction => {
      const entity = await transaction.get('segments', first as string);
      await transaction.remove('segments', first as string);
      await transaction.put('segments', first as string, entity as never);
    });
    expect((await store.list('segments')).at(-1)?.id).toBe(first);
  });

  it('runs alone, also after one that failed', async () => {
    const store = made();
    await store.put('segments', 'n', segment('n', 0));
    const increments = Array.from({ length: 20 }, (_, index) =>
      store.transaction(async transaction => {
        const now = await transaction.get('segments', 'n');
        await Promise.resolve();
        if (index === 5) throw new Error('no');
        await transaction.put('segments', 'n', segment('n', (now?.count ?? 0) + 1));
      }),
    );
    const results = await Promise.allSettled(increments);
    expect(results.filter(result => result.status === 'rejected')).toHaveLength(1);
    expect((await store.get('segments', 'n'))?.count).toBe(19);
  });
});

describe('stored values', () => {
  it('cannot be changed from outside', async () => {
    const store = made();
    const gate = await store.get('gates', 'dark_mode');
    expect(() => gate?.tags?.push('x')).toThrow(TypeError);
  });

  it('are listed by one array until something changes', async () => {
    const store = made();
    const list = await store.list('segments');
    expect(await store.list('segments')).toBe(list);
    await store.put('gates', 'new', { id: 'new', isEnabled: true, version: 1 });
    expect(await store.list('segments')).toBe(list);
    await store.put('segments', 'a', segment('a', 1));
    expect(await store.list('segments')).not.toBe(list);
  });

  it('come back with a snapshot', async () => {
    const store = made();
    const before = await store.snapshot();
    await store.put('segments', 'a', segment('a', 1));
    await store.restore(before);
    expect(await store.get('segments', 'a')).toBeUndefined();
    expect(await store.snapshot()).toEqual(before);
  });
});

describe('worlds in memory', () => {
  it('share every list and every entity of their seed until they change it, and then all but what changed', async () => {
    const backend = createMemoryBackend();
    const [one, other] = await Promise.all([backend.world('one', seed), backend.world('other', seed)]);
    for (const name of collectionNames) expect(await one.store.list(name)).toBe(await other.store.list(name));
    await one.store.put('gates', 'dark_mode', { id: 'dark_mode', isEnabled: false, version: 1 });
    const [changed, untouched] = [await one.store.list('gates'), await other.store.list('gates')];
    expect(changed.filter((gate, index) => gate !== untouched[index])).toEqual([
      { id: 'dark_mode', isEnabled: false, version: 1 },
    ]);
    for (const name of collectionNames.filter(collection => collection !== 'gates'))
      expect(await one.store.list(name)).toBe(await other.store.list(name));
    expect(await other.store.get('gates', 'dark_mode')).toMatchObject({ isEnabled: true });
  });

  it('share their seed again after they were put back to it', async () => {
    const { store } = await createMemoryBackend().world('one', seed);
    const before = await store.list('gates');
    await store.remove('gates', 'dark_mode');
    await store.restore(seed);
    expect(await store.list('gates')).toBe(before);
  });

  it('are the same under the same name, and made anew once they were forgotten', async () => {
    const backend = createMemoryBackend();
    const world = await backend.world('one', seed);
    await world.store.remove('gates', 'dark_mode');
    await world.notes.put('a', 1);
    expect(await backend.world('one', seed)).toBe(world);
    expect(await backend.worlds()).toEqual(['one']);
    await backend.forget('one');
    const anew = await backend.world('one', seed);
    expect(await anew.store.get('gates', 'dark_mode')).toBeDefined();
    expect(await anew.notes.get('a')).toBeUndefined();
  });

  it('keep notes whose revision changes with each of them, and with nothing else', async () => {
    const { notes, store } = await createMemoryBackend().world('one', seed);
    const revisions = [await notes.revision()];
    await store.remove('gates', 'dark_mode');
    expect(await notes.revision()).toBe(revisions[0]);
    for (const [key, value] of [
      ['b/2', 2],
      ['b/1', { one: true }],
      ['a', null],
      ['b/2', undefined],
    ] as const) {
      await notes.put(key, value);
      revisions.push(await notes.revision());
    }
    expect(new Set(revisions).size).toBe(5);
    expect(await notes.list('b/')).toEqual([['b/1', { one: true }]]);
    expect(await notes.get('a')).toBeNull();
  });
});
