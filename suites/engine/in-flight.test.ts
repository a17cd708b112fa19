import { expect, test } from 'vitest';
import { allEnded, inFlight } from './in-flight.ts';

const never = () => false;
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

test.each([
  [10, 3, 3],
  [2, 8, 2],
  [5, 1, 1],
])('of %i inputs and a window of %i, %i are under way at most', async (count, window, expected) => {
  let now = 0;
  let most = 0;
  const done: number[] = [];
  await inFlight(
    Array.from({ length: count }, (_, index) => index),
    window,
    never,
    async (input, index) => {
      expect(input).toBe(index);
      now += 1;
      most = Math.max(most, now);
      await turn();
      now -= 1;
      done.push(input);
    },
  );
  expect(most).toBe(expected);
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
});

test('inputs are begun in their order', async () => {
  const begun: number[] = [];
  await inFlight([0, 1, 2, 3, 4], 2, never, async input => {
    begun.push(input);
    for (let turns = input; turns >= 0; turns -= 1) await turn();
  });
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('nothing to do is done at once', async () => {
  await expect(inFlight([], 4, never, async () => {})).resolves.toBe(0);
});

test('an error begins nothing further, waits for what is under way, and is thrown', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const running = inFlight([0, 1, 2, 3, 4], 2, never, async input => {
    begun.push(input);
    if (input === 0) throw new Error('the first one');
    await turn();
    ended.push(input);
  });
  await expect(running).rejects.toThrow('the first one');
  expect(begun).toEqual([0, 1]);
  expect(ended).toEqual([1]);
});

test('even an undefined error is an error', async () => {
  const running = inFlight([0], 1, never, () => Promise.reject(undefined));
  await expect(running).rejects.toBeUndefined();
});

test('nothing further is begun once it is over, and those begun are counted', async () => {
  const begun: number[] = [];
  const count = await inFlight(
    [0, 1, 2, 3, 4],
    2,
    () => begun.length === 3,
    async input => {
      begun.push(input);
      await turn();
    },
  );
  expect(begun).toEqual([0, 1, 2]);
  expect(count).toBe(3);
});

test('what failed is told when all the rest has ended', async () => {
  let ended = 0;
  const slow = turn()
    .then(turn)
    .then(() => {
      ended += 1;
    });
  await expect(allEnded([slow, Promise.reject(new Error('one failed'))])).rejects.toThrow('one failed');
  expect(ended).toBe(1);
  await expect(allEnded([Promise.resolve(1), Promise.resolve(2)])).resolves.toEqual([1, 2]);
});
