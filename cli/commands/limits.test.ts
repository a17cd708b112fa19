import { existsSync, readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { conform } from '../testing/command.fixture.ts';
import { scene } from '../testing/scene.fixture.ts';

const reads = ['--only', 'list-segments', '--read-only'];

afterEach(() => {
  vi.restoreAllMocks();
});

/** Calls back before the bytes of an answer leave, so the client cannot yet have sent another request because of it. */
function beforeEnd(response: ServerResponse, callback: () => void): void {
  const end = response.end;
  response.end = ((...words: Parameters<typeof end>) => {
    response.end = end;
    callback();
    return end.apply(response, words);
  }) as typeof end;
}

/** Paths of collections that get no request before the lanes begin. Each has a lane of its own. */
const fiveLanes = /v1\/(experiments\/(?!qualifying_events|\w+\/enable_groups)|metrics|prompts|dynamic_configs|events)/;

/** Yields often enough for requests in flight to arrive. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
}

/**
 * Starts a server that once holds requests of five lanes until `together` are in flight and everything else has
 * arrived. Returns the maximum number in flight.
 */
async function crowded(together: number) {
  let now = 0;
  let most = 0;
  let held: (() => void)[] | null = [];
  const meet =
    (_nth: number, listener: RequestListener): RequestListener =>
    (request, response) => {
      now += 1;
      most = Math.max(most, now);
      beforeEnd(response, () => {
        now -= 1;
      });
      if (held === null || !fiveLanes.test(request.url ?? '')) return listener(request, response);
      held.push(() => listener(request, response));
      if (held.length !== together) return;
      void turns().then(() => {
        const all = held ?? [];
        held = null;
        for (const answer of all) answer();
      });
    };
  const place = await scene(meet, { learn: false });
  return { ...place, most: () => most, waited: () => held === null };
}

describe('--concurrency', () => {
  test.each([1, 2, 5])('%i: so many requests are in flight, and never more', async count => {
    const { argv, most, waited } = await crowded(count);
    const ended = await conform([...argv, '--only', '*/accepts', '--concurrency', String(count)]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(waited()).toBe(true);
    expect(most()).toBe(count);
  });

  test('is 8 where nothing is said', async () => {
    const { argv, most, waited } = await crowded(5);
    expect((await conform([...argv, '--only', '*/accepts'])).code).toBe(0);
    expect(waited()).toBe(true);
    expect(most()).toBeGreaterThanOrEqual(5);
    expect(most()).toBeLessThanOrEqual(8);
  });
});

describe('--rate', () => {
  /** Milliseconds between requests: longer than any run takes, or waits for another reason. */
  const gap = 1_000_000;

  /** Skips long waits. Returns those that were requested. */
  function longWaits(): readonly number[] {
    const waits: number[] = [];
    const real = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, after = 0) => {
      const isLong = after > gap / 10;
      if (isLong) waits.push(after);
      return real(act, isLong ? 0 : after);
    }) as typeof setTimeout);
    return waits;
  }

  test('every request waits its turn: of a thousandth a second, one after another takes a thousand seconds more', async () => {
    const { argv, requests } = await scene();
    const waits = longWaits();
    const ended = await conform([...argv, ...reads, '--rate', String(1000 / gap), '--concurrency', '8']);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(requests()).toBeGreaterThan(10);
    // The first request is sent at once.
    const turns = waits.map(wait => Math.ceil(wait / gap)).sort((a, b) => a - b);
    expect(turns).toEqual(Array.from({ length: requests() - 1 }, (_, index) => index + 1));
  });

  test('so does what puts the target back', async () => {
    const { argv, requests } = await scene();
    const waits = longWaits();
    const gates = ['--only', 'patch-gate/sequences', '--max-requests', '40'];
    await conform([...argv, ...gates, '--rate', String(1000 / gap)]);
    expect(requests()).toBeGreaterThan(41);
    // The first request of the run is sent at once, and so is the first of the restoration.
    expect(waits).toHaveLength(requests() - 2);
  });

  test('nothing waits where none is asked for', async () => {
    const { argv } = await scene();
    const waits = longWaits();
    expect((await conform([...argv, ...reads])).code).toBe(0);
    expect(waits).toEqual([]);
  });
});

describe('--max-requests', () => {
  test('so many are sent, no more, and the report says what is left', async () => {
    const { argv, out, requests } = await scene();
    const ended = await conform([...argv, ...reads, '--max-requests', '7']);
    expect(ended).toMatchObject({ code: 3, err: '' });
    expect(ended.out.replace(/\s+/g, ' ')).toContain('beyond the 7 requests of the run');
    expect(ended.out).toContain('a higher --max-requests, or none');
    expect(requests()).toBeLessThanOrEqual(7);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ verdict: 'incomplete', stats: { requests: requests() } });
  });

  test('what was changed is put back over and above', async () => {
    const { argv, changed, requests, events } = await scene();
    const ended = await conform([...argv, '--only', 'patch-gate', '--max-requests', '30']);
    expect(ended).toMatchObject({ code: 3, err: '' });
    expect(requests()).toBeGreaterThan(30);
    const gates = events().filter(event => event.event === 'snapshot');
    expect(requests()).toBeLessThanOrEqual(30 + 2 * gates.length);
    expect(await changed()).toEqual([]);
  });

  test('as many as are needed leave nothing out, and with fewer the best of them are sent', async () => {
    const { argv, requests } = await scene();
    expect((await conform([...argv, ...reads])).code).toBe(0);
    const needed = requests();
    expect((await conform([...argv, ...reads, '--max-requests', String(2 * needed)])).code).toBe(0);
    const before = requests();
    await conform([...argv, ...reads, '--max-requests', String(needed - 1)]);
    expect(requests() - before).toBeLessThan(needed);
  });
});

describe('--timeout', () => {
  test('is how long an answer is waited for', async () => {
    const { argv } = await scene(() => () => {});
    const ended = await conform([...argv, ...reads, '--timeout', '30ms']);
    expect(ended).toMatchObject({ code: 3, err: '' });
    expect(ended.out.replace(/\s+/g, ' ')).toContain('no complete answer within 30 ms');
  });
});

// biome-ignore format: a table
describe.each<[flag: string, values: readonly string[], says: string]>([
  ['--concurrency',  ['0', '257', '-1', '1.5', 'many', ''],       'Give a whole number from 1 to 256.'],
  ['--rate',         ['0', '-1', 'fast', 'Infinity', ''],         'Give a number above 0.'],
  ['--max-requests', ['0', '-1', '1.5', 'all', '1e3', ''],        'Give a whole number from 1.'],
  ['--timeout',      ['0s', '-1s', '5', 's', 'forever', ''],      'Give a duration such as 500ms, 2s or 10m.'],
  ['--settle',       ['0s', '-1s', '5', 's', 'forever', ''],      'Give a duration such as 500ms, 2s or 10m.'],
])('%s', (flag, values, says) => {
  test.each(values)('%j is refused in one line, with exit code 2, and nothing is sent', async value => {
    const { argv, journal, requests } = await scene();
    const ended = await conform([...argv, `${flag}=${value}`]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    const [line, ...hint] = ended.err.trimEnd().split('\n');
    expect(line).toMatch(`error: option '${flag} <`);
    expect(line).toMatch(`argument '${value}' is invalid. ${says}`);
    expect(hint).toEqual(['(conform --help tells what there is)']);
    expect(requests()).toBe(0);
    expect(existsSync(journal)).toBe(false);
  });
});
