import { createReferenceServer } from '../../server.ts';
import type { Store } from '../../store/store.ts';

/**
 * A reference server in a process of its own, which reports its health to its parent. Started by `child.fixture.ts`.
 */

const errors: string[] = [];
process.on('warning', warning => errors.push(String(warning)));

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/**
 * A store whose reads take time, as those of a database would, so that requests interleave wherever nothing prevents
 * it.
 */
const unhurried = (store: Store): Store => ({
  ...store,
  transaction: work =>
    store.transaction(inner =>
      work({
        ...inner,
        async get(collection, id) {
          const value = await inner.get(collection, id);
          await turn();
          return value;
        },
        async list(collection) {
          const values = await inner.list(collection);
          await turn();
          return values;
        },
      }),
    ),
});

const server = createReferenceServer({
  decorateStore: unhurried,
  onError: error => errors.push(String((error as Error)?.stack ?? error)),
});
const { url } = await server.listen();

const turns = async (count: number): Promise<void> => {
  for (let taken = 0; taken < count; taken++) await turn();
};

const questions: Readonly<Record<string, () => Promise<unknown>>> = {
  async health() {
    // What one collection frees may keep alive what only the next one frees.
    for (let round = 0; round < 4; round++) {
      globalThis.gc?.();
      await turns(5);
    }
    return { heap: process.memoryUsage().heapUsed, resources: process.getActiveResourcesInfo(), errors };
  },
  async reset() {
    await server.reset();
  },
  async close() {
    await server.close();
    await turns(5);
    return process.getActiveResourcesInfo();
  },
};

process.on('message', async (question: string) => process.send?.((await questions[question]?.()) ?? null));
process.on('disconnect', () => process.exit(0));
process.send?.({ url });
