import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { type Input, intervalFor, type Key, keyOf, nextChange, openKeys, type Waited } from './commands/run.ts';

/** Returns a wait on a target that answers looks in this way, the last one for ever; pauses end at once. */
function waited(answers: readonly (string | null)[], more: Partial<Waited> = {}) {
  const looks: number[] = [];
  const wait: Waited = {
    gone: false,
    signal: new AbortController().signal,
    interval: count => count,
    pause: async milliseconds => void looks.push(milliseconds),
    look: async () => answers[Math.min(looks.length, answers.length - 1)] ?? null,
    ...more,
  };
  return { wait, looks };
}

const key = (pressed: Promise<Key>) => ({ pressed, close() {} });

describe('a wait between two runs', () => {
  test('ends when the target was gone and answers again, and not before', async () => {
    const gone: string[] = [];
    const { wait, looks } = waited([null, null, 'nobody listens', 'nobody listens', null], {
      onGone: why => void gone.push(why),
    });
    expect(await nextChange(wait)).toBe('restart');
    expect(gone).toEqual(['nobody listens']);
    expect(looks).toHaveLength(4);
  });

  test('ends at the first answer of a target that was gone from the beginning', async () => {
    const { wait, looks } = waited([null], { gone: true });
    expect(await nextChange(wait)).toBe('restart');
    expect(looks).toEqual([]);
  });

  test('does not end by itself while the target answers: only a key ends it', async () => {
    let press: (key: Key) => void = () => {};
    const pressed = new Promise<Key>(resolve => {
      press = resolve;
    });
    let count = 0;
    const { wait } = waited([null], {
      keys: key(pressed),
      pause: async () => {
        count += 1;
        if (count === 50) press('key');
        await Promise.resolve();
      },
    });
    expect(await nextChange(wait)).toBe('key');
    expect(count).toBeGreaterThanOrEqual(50);
  });

  test('ends when it is interrupted, even while a look is under way, and looks no more', async () => {
    const controller = new AbortController();
    let looks = 0;
    const wait = nextChange({
      ...waited([null]).wait,
      signal: controller.signal,
      look: () => {
        looks += 1;
        controller.abort();
        return new Promise(() => {});
      },
    });
    expect(await wait).toBe('interrupted');
    expect(looks).toBe(1);
    expect(await nextChange({ ...waited([null]).wait, signal: AbortSignal.abort() })).toBe('interrupted');
  });

  test('without a target to look at waits for a key alone', async () => {
    const { wait } = waited([], { look: undefined, keys: key(Promise.resolve('quit')) });
    expect(await nextChange(wait)).toBe('quit');
  });

  test('never looks without a pause, and rarely after some time', () => {
    const near = intervalFor(new URL('http://127.0.0.1:8080'));
    const far = intervalFor(new URL('https://staging.example.test'));
    for (const looks of [0, 1, 100, 2_999]) {
      expect(near(looks)).toBe(200);
      expect(far(looks)).toBe(1_000);
    }
    expect(near(3_000)).toBe(5_000);
    expect(far(1_000_000)).toBe(5_000);
  });
});

describe('keys', () => {
  // biome-ignore format: a table
  test.each<[string, Key | null]>([
    ['r',         'key'],
    ['\r',        'key'],
    [' ',         'key'],
    ['q',         'quit'],
    ['\u0004',    'quit'],
    ['\u0003',    'interrupted'],
    ['ab\u0003',  'interrupted'],
    ['\u001b[A',  null],
    ['\u001a',    null],
    ['',          null],
  ])('%j means %s', (text, meant) => {
    expect(keyOf(text)).toBe(meant);
  });

  /** A terminal that records what is done to it. */
  function terminal(isTTY: boolean) {
    const done: string[] = [];
    const events = new EventEmitter();
    const input = Object.assign(events, {
      isTTY,
      setRawMode: (raw: boolean) => void done.push(`raw ${raw}`),
      resume: () => void done.push('resume'),
      pause: () => void done.push('pause'),
    });
    return { input: input as unknown as Input, events, done };
  }

  test('are read one by one from a terminal, which is given back', async () => {
    const { input, events, done } = terminal(true);
    const keys = openKeys(input);
    events.emit('data', Buffer.from('\u001b[A'));
    events.emit('data', Buffer.from('r'));
    expect(await keys?.pressed).toBe('key');
    keys?.close();
    expect(done).toEqual(['raw true', 'resume', 'raw false', 'pause']);
    expect(events.listenerCount('data')).toBe(0);
  });

  test('are not read where there is no terminal', () => {
    const { input, done } = terminal(false);
    expect(openKeys(input)).toBeUndefined();
    expect(done).toEqual([]);
  });
});
