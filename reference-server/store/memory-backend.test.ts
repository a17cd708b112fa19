import { describe, expect, it } from 'vitest';
import { specificationNaming } from '../../contracts/target.ts';
import { collectionNames } from '../entities.ts';
import { fixtures } from '../fixtures/index.ts';
import { createMemoryBackend } from './memory-backend.ts';

const seed = fixtures(specificationNaming);

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
