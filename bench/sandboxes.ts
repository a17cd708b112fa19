import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request } from 'undici';
import { createReferenceServer } from '../reference-server/index.ts';
import { median, percentile } from './measure.ts';

/** Number of sandboxes, and of those that warm the server up. */
const count = 2000;
const warmUp = 300;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const heap = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

/** Milliseconds from a request to the end of its answer. */
async function taken(url: string, key: string, path: string, method: 'GET' | 'PUT' = 'GET'): Promise<number> {
  const begun = performance.now();
  const { statusCode, body } = await request(url + path, { method, headers: { 'SERVICE-API-KEY': key } });
  await body.text();
  if (statusCode !== 200) throw new Error(`${method} ${path} was answered with ${statusCode}`);
  return performance.now() - begun;
}

/** Prints the cost of a sandbox's first request beside that of a later one, and the memory that a sandbox takes. */
export async function sandboxes(print: (line: string) => void): Promise<void> {
  const server = createReferenceServer({ sandboxes: { most: count + warmUp } });
  const { url } = await server.listen();
  const segments = '/console/v1/segments?limit=2';
  const asked = async (name: string, many: number) => {
    const times: { first: number; later: number }[] = [];
    for (let index = 0; index < many; index += 1) {
      const key = `sandbox_${name}_${index}`;
      times.push({ first: await taken(url, key, segments), later: await taken(url, key, segments) });
    }
    return times;
  };
  try {
    await asked('warm', warmUp);
    const before = heap();
    const times = await asked('one', count);
    const made = heap();
    for (let index = 0; index < count; index += 1)
      await taken(url, `sandbox_one_${index}`, '/console/v1/gates/dark_mode/disable', 'PUT');
    const changed = heap();
    const [firsts, laters] = [times.map(({ first }) => first), times.map(({ later }) => later)];
    const added = median(times.map(({ first, later }) => first - later));
    const inWords = (values: readonly number[]) =>
      `${median(values).toFixed(2)} ms (${percentile(values, 95).toFixed(2)} ms at most for 95 %)`;
    const each = (bytes: number) => `${(bytes / count / 1024).toFixed(1)} KB`;
    print(
      `${'first request of a sandbox'.padEnd(36)} ${inWords(firsts)}, which is ${added.toFixed(2)} ms more than the next`,
    );
    print(`  a later one: ${inWords(laters)}; ${count} sandboxes, one request after another`);
    print(`${'memory of a sandbox'.padEnd(36)} ${each(made - before)} with the two requests in its log`);
    print(`  ${each(changed - made)} more for one changed gate and the log of the request that changed it`);
  } finally {
    await server.close();
  }
}
