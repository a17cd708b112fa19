import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type BehaviourRequest, behavioursIn } from '../../contracts/behaviour.ts';
import { createReferenceServer } from '../server.ts';

const folder = fileURLToPath(new URL('../../examples/behaviours/', import.meta.url));

/** Sends patches, then reads of a list, under a recipe. Returns what each got: a status or `lost`. */
const met = async (recipe: string, patches: number, reads = 0) => {
  const waits: number[] = [];
  const server = createReferenceServer({ now: () => 0, wait: async ms => void waits.push(ms) });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  const given = JSON.parse(readFileSync(`${folder}${recipe}.json`, 'utf8')) as BehaviourRequest;
  for (const behaviour of behavioursIn(given)) await server.control.behaviours.add(behaviour);
  const ask = async (path: string, init: RequestInit = {}): Promise<Response | undefined> => {
    const headers = { 'SERVICE-API-KEY': server.apiKey, 'content-type': 'application/json' };
    const response = await fetch(url + path, { ...init, headers }).catch(() => undefined);
    await response?.arrayBuffer();
    return response;
  };
  const seen: (Response | undefined)[] = [];
  for (let sent = 0; sent < patches; sent += 1)
    seen.push(await ask('/console/v1/gates/dark_mode', { method: 'PATCH', body: `{"description":"${sent}"}` }));
  const lists: (number | undefined)[] = [];
  for (let sent = 0; sent < reads; sent += 1) lists.push((await ask('/console/v1/segments'))?.status);
  const gate = async () => (await server.control.state.get('gates', 'dark_mode')).description;
  return { seen, statuses: seen.map(one => one?.status ?? 'lost'), lists, gate, waits, server };
};

/** Asserts the promise of each recipe in the folder. */
const recipes: Readonly<Record<string, () => Promise<void>>> = {
  'retry-with-backoff': async () =>
    expect((await met('retry-with-backoff', 5)).statuses).toEqual([500, 503, 429, 200, 200]),
  'retry-after': async () => {
    const { seen, statuses } = await met('retry-after', 3);
    expect(statuses).toEqual([429, 503, 200]);
    const [seconds, date] = seen.map(one => one?.headers.get('retry-after') ?? '');
    expect([seconds, new Date(date ?? '').getUTCFullYear()]).toEqual(['2', 2031]);
  },
  'token-expired': async () => expect((await met('token-expired', 4)).statuses).toEqual([401, 401, 401, 200]),
  'quota-used-up': async () => {
    const { statuses, seen } = await met('quota-used-up', 6);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(seen[5]?.headers.get('retry-after')).toBe('86400');
  },
  'read-only-maintenance': async () => {
    const { statuses, lists } = await met('read-only-maintenance', 2, 2);
    expect([statuses, lists]).toEqual([
      [503, 503],
      [200, 200],
    ]);
  },
  'eventually-consistent': async () => {
    const { statuses, gate } = await met('eventually-consistent', 2);
    expect(statuses).toEqual([202, 202]);
    await expect.poll(gate).toBe('1');
  },
  'brown-out': async () => {
    const { lists, waits } = await met('brown-out', 0, 400);
    expect(waits.length).toBeGreaterThan(20);
    expect(waits.length).toBeLessThan(60);
    const failed = lists.filter(status => status === 503).length;
    expect([failed > 0, failed < 20]).toEqual([true, true]);
  },
  'version-conflict': async () => expect((await met('version-conflict', 3)).statuses).toEqual([409, 412, 200]),
  'one-bad-node-of-three': async () =>
    expect((await met('one-bad-node-of-three', 6)).statuses).toEqual([200, 200, 'lost', 200, 200, 'lost']),
  'lost-answer': async () => {
    const { statuses, gate } = await met('lost-answer', 1);
    expect([statuses, await gate()]).toEqual([['lost'], '0']);
  },
};

test('every recipe is tried', () => {
  const files = readdirSync(folder).filter(name => name.endsWith('.json'));
  expect(files.map(name => name.replace('.json', '')).sort()).toEqual(Object.keys(recipes).sort());
});

test.each(Object.entries(recipes))('%s', async (_name, isKept) => {
  await isKept();
});
