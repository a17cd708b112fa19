import { createReferenceServer } from '../server.ts';

/** A reference server in a process of its own, which tells its parent how it is. Started by `child.fixture.ts`. */

const errors: string[] = [];
process.on('warning', warning => errors.push(String(warning)));
const server = createReferenceServer({ onError: error => errors.push(String((error as Error)?.stack ?? error)) });
const { url } = await server.listen();

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve));
};

const questions: Readonly<Record<string, () => Promise<unknown>>> = {
  async health() {
    // What a collection sets free may hold other things that the next one does.
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
