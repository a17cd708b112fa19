import { beforeEach, describe, expect, it } from 'vitest';
import { started, testTime } from '../proof/testing/started.ts';
import { createMemoryBackend } from '../store/memory.ts';
import { draw, latencyOf } from './draw.ts';

const waits: number[] = [];
let time = testTime;
const backend = createMemoryBackend();
const options = { backend, now: () => time, wait: async (milliseconds: number) => void waits.push(milliseconds) };
const { server, call, send } = await started(options);
const { behaviours } = server.control;
beforeEach(async () => {
  await server.control.reset();
  waits.length = 0;
});

const patched = async (body: unknown = {}, gate = 'dark_mode') => (await call('patch-gate', gate, body)).status;
const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let done = 0; done < count; done++) results.push(await work());
  return results;
};

describe('a behaviour', () => {
  it('meets the operations, methods and ids that it names, and no other', async () => {
    await behaviours.add({
      operations: ['patch-gate', 'disable-gate'],
      methods: ['PATCH'],
      entity: 'dark_mode',
      error: { status: 418 },
    });
    expect([
      await patched(),
      await patched({}, 'new_checkout'),
      (await call('disable-gate', 'dark_mode')).status,
      (await call('list-segments')).status,
    ]).toEqual([418, 200, 200, 200]);
  });

  it('meets the next so many requests, and is shown as spent', async () => {
    const { id } = await behaviours.add({ next: 2, error: { status: 500 } });
    expect(await times(4, patched)).toEqual([500, 500, 200, 200]);
    expect(await behaviours.get(id)).toMatchObject({ left: 0, met: 2 });
  });

  it('meets the next two of many requests at once', async () => {
    await behaviours.add({ next: 2, error: { status: 500 } });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => patched()));
    expect(statuses.filter(status => status === 500)).toHaveLength(2);
  });

  it('meets a share of the requests, the same by the same seed and others by another', async () => {
    const metBy = async (seed: number) => {
      await behaviours.clear();
      await behaviours.add({ share: 0.3, seed, error: { status: 500 } });
      return times(60, patched);
    };
    const [one, again, other] = [await metBy(1), await metBy(1), await metBy(2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one.filter(status => status === 500).length).toBeGreaterThan(8);
    expect(one.filter(status => status === 500).length).toBeLessThan(30);
  });

  it('is switched off, on and away while the server runs', async () => {
    const { id } = await behaviours.add({ error: { status: 500 } });
    expect(await patched()).toBe(500);
    await behaviours.change(id, { on: false });
    expect(await patched()).toBe(200);
    await behaviours.change(id, { on: true, error: { status: 503 } });
    expect(await patched()).toBe(503);
    await behaviours.remove(id);
    expect(await patched()).toBe(200);
  });

  it('is seen by every instance that shares the store, and its next requests are counted together', async () => {
    const other = await started(options);
    await behaviours.add({ next: 3, error: { status: 500 } });
    const both = [
      await patched(),
      (await other.call('patch-gate', 'dark_mode', {})).status,
      await patched(),
      (await other.call('patch-gate', 'dark_mode', {})).status,
    ];
    expect(both).toEqual([500, 500, 500, 200]);
    await behaviours.add({ id: 'few', next: 5, error: { status: 503 } });
    const atOnce = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) => (await [call, other.call][index % 2]?.('patch-gate', 'dark_mode', {}))?.status,
      ),
    );
    expect(atOnce.filter(status => status === 503)).toHaveLength(5);
    expect(await other.server.control.behaviours.get('few')).toMatchObject({ left: 0 });
  });

  it('takes its share of the requests to all instances, and limits the rate of all of them together', async () => {
    const other = await started(options);
    const statuses = async (calls: readonly (typeof call)[], count: number) => {
      const found: number[] = [];
      for (let index = 0; index < count; index++)
        found.push((await calls[index % calls.length]?.('patch-gate', 'dark_mode', {}))?.status ?? 0);
      return found;
    };
    await behaviours.add({ id: 'share', share: 0.4, seed: 5, error: { status: 500 } });
    const alone = await statuses([call], 30);
    await behaviours.add({ id: 'share', share: 0.4, seed: 5, error: { status: 500 } });
    expect(await statuses([call, other.call], 30)).toEqual(alone);
    await behaviours.add({ id: 'share', rateLimit: { requests: 3, seconds: 60 } });
    expect(await statuses([call, other.call], 5)).toEqual([200, 200, 200, 429, 429]);
    time += 60_000;
    expect(await statuses([other.call, call], 4)).toEqual([200, 200, 200, 429]);
  });

  it('keeps nothing of what it counted when it is taken away, and begins anew when it is made anew', async () => {
    const { notes } = await backend.world('default', server.control.state as never);
    const before = await notes.list('');
    await behaviours.add({ id: 'n', next: 1, rateLimit: { requests: 1, seconds: 60 } });
    await patched();
    await behaviours.change('n', { next: 2 });
    expect(await behaviours.get('n')).toMatchObject({ left: 2, next: 2 });
    await patched();
    await behaviours.remove('n');
    expect((await notes.list('')).filter(([key]) => !before.some(([known]) => known === key))).toEqual([]);
  });

  it('is told by the log, with why a request was refused', async () => {
    await behaviours.add({ id: 'flaky', error: { status: 500 } });
    await patched();
    expect(server.control.requests.list({ limit: 1 })).toMatchObject([
      { status: 500, behaviours: ['flaky'], refused: { message: 'Made to fail by behaviour flaky.' } },
    ]);
  });
});

describe('what a behaviour does', () => {
  it('an error hides the answer, before the work or after it', async () => {
    await behaviours.add({ id: 'a', error: { status: 500, body: ['any'], headers: { 'X-Why': 'no' } } });
    const refused = await call('patch-gate', 'dark_mode', { description: 'not kept' });
    expect([refused.status, refused.json, refused.headers['x-why']]).toEqual([500, ['any'], 'no']);
    await behaviours.add({ id: 'a', error: { status: 502 }, afterWork: true });
    await patched({ description: 'kept' });
    expect((await server.control.state.get('gates', 'dark_mode')).description).toBe('kept');
  });

  it('a connection is dropped, or never answered, and the log has no status', async () => {
    await behaviours.add({ id: 'c', next: 1, connection: 'drop' });
    await expect(patched()).rejects.toThrow(/closed|ECONNRESET|other side/);
    expect(server.control.requests.list({ status: 'none' }).at(-1)).toMatchObject({ status: null, behaviours: ['c'] });
    const other = await started(options);
    await behaviours.add({ id: 'c', next: 1, connection: 'stall', afterWork: true });
    const stalled = expect(other.call('patch-gate', 'dark_mode', { description: 'done' })).rejects.toThrow();
    await other.server.control.requests.wait({ status: 'none', since: 0 });
    expect((await server.control.state.get('gates', 'dark_mode')).description).toBe('done');
    await other.server.close();
    await stalled;
  });

  it('latency is fixed or drawn, and the request is served then', async () => {
    await behaviours.add({ id: 'l', latency: { ms: 250 } });
    expect([await patched(), ...waits]).toEqual([200, 250]);
    await behaviours.add({ id: 'l', latency: { fromMs: 10, toMs: 20 }, seed: 3 });
    waits.length = 0;
    await times(20, patched);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...waits)).toBeLessThan(20);
    expect(new Set(waits).size).toBe(20);
  });

  it('a rate limit refuses what is too much, and says when to come back, by the clock of the world', async () => {
    await behaviours.add({ rateLimit: { requests: 2, seconds: 30 } });
    expect(await times(2, patched)).toEqual([200, 200]);
    time += 12_000;
    const refused = await call('list-segments');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '18']);
    await server.control.clock.change({ advance: 18_000 });
    expect(await times(3, patched)).toEqual([200, 200, 429]);
  });

  it('a fault and a dialect of the catalogue act as they do from the start', async () => {
    await behaviours.add({ id: 'f', fault: 'gate-description-accepts-1001-characters' });
    await behaviours.add({ id: 'd', dialect: 'refusals-422' });
    expect(await patched({ description: 'x'.repeat(1001) })).toBe(200);
    expect(await patched({ description: 7 })).toBe(422);
    await behaviours.remove('d');
    expect(await patched({ description: 7 })).toBe(400);
    await behaviours.remove('f');
    expect(await patched({ description: 'x'.repeat(1001) })).toBe(400);
  });

  it('a dialect of the raw HTTP acts on the requests that it is narrowed to', async () => {
    await behaviours.add({ dialect: 'always-packed', operations: ['list-segments'] });
    expect((await call('list-segments')).headers['content-encoding']).toBe('gzip');
    expect((await call('list-qualifying-events')).headers['content-encoding']).toBeUndefined();
  });

  it('a dialect of the whole store holds for all requests, also beside others', async () => {
    const before = (await call('list-segments')).json.data[0].id;
    await behaviours.add({ dialect: 'lists-newest-first' });
    await behaviours.add({ next: 1, latency: { ms: 1 } });
    const [first, second] = await times(2, async () => (await call('list-segments')).json.data[0].id);
    expect(first).not.toBe(before);
    expect(second).toBe(first);
  });
});

describe('what is no behaviour', () => {
  // biome-ignore format: a table
  it.each([
    ['nothing to do',                              { next: 1 },                                                     ['']],
    ['a fault that there is not',                  { fault: 'nothing' },                                            ['/fault']],
    ['a dialect that there is not',                { dialect: 'nothing' },                                          ['/dialect']],
    ['a fault of other operations than its own',   { fault: 'gate-description-accepts-1001-characters', operations: ['list-segments'] }, ['/operations']],
    ['a dialect with names of its own',            { dialect: 'key-in-authorization' },                             ['/dialect']],
    ['a dialect of the whole store for some',      { dialect: 'lists-newest-first', next: 2 },                            ['/dialect']],
    ['an operation that there is not',             { operations: ['patch'], error: { status: 500 } },               ['/operations/0']],
    ['an answer that is no refusal',               { error: { status: 200 } },                                      ['/error/status']],
    ['a header that HTTP cannot carry',            { error: { status: 500, headers: { 'a b': 'c' } } },             ['/error/headers']],
    ['a header that would break the answer',       { error: { status: 500, headers: { 'Content-Length': '3' } } },  ['/error/headers']],
    ['a latency that ends before it begins',       { latency: { fromMs: 20, toMs: 10 } },                           ['/latency/toMs']],
    ['a member that there is not',                 { error: { status: 500 }, often: true },                         ['/often']],
    ['a latency that is given in two ways',        { latency: { ms: 1, toMs: 10 } },                                ['/latency/toMs']],
    ['a method that none of the operations has',   { operations: ['patch-gate'], methods: ['GET'], error: { status: 500 } }, ['/methods']],
    ['a method that a fault does not touch',       { fault: 'gate-description-accepts-1001-characters', methods: ['POST'] }, ['/methods']],
    ['an entity of operations that name none',     { operations: ['create-metric'], entity: 'a', error: { status: 500 } }, ['/entity']],
    ['an answer on a connection that is lost',     { error: { status: 500 }, connection: 'drop' },                  ['/error']],
    ['work that nothing comes after',              { latency: { ms: 1 }, afterWork: true },                         ['/afterWork']],
    ['a name that no path can carry',              { id: '..', error: { status: 500 } },                            ['/id']],
    ['more than all requests',                     { share: 1.5, error: { status: 500 } },                          ['/share']],
  ])('is refused with a pointer: %s', async (_what, body, pointers) => {
    const { status, json } = await send('/_reference/v1/behaviours', { method: 'POST', body });
    expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, pointers]);
    expect(await behaviours.list()).toEqual([]);
  });
});

describe('what is drawn', () => {
  it('is even, and a log-normal latency has the median and the 95th percentile that it is given', () => {
    const numbers = Array.from({ length: 4000 }, (_, n) => draw(7, n));
    expect(numbers.every(number => number >= 0 && number < 1)).toBe(true);
    for (const part of [0, 0.25, 0.5, 0.75]) {
      const within = numbers.filter(number => number >= part && number < part + 0.25).length;
      expect(Math.abs(within - 1000)).toBeLessThan(120);
    }
    const latencies = Array.from({ length: 4000 }, (_, n) => latencyOf({ medianMs: 100, p95Ms: 400 }, 1, n)).sort(
      (a, b) => a - b,
    );
    expect(Math.abs((latencies[2000] ?? 0) - 100)).toBeLessThan(8);
    expect(Math.abs((latencies[3800] ?? 0) - 400)).toBeLessThan(40);
  });
});
