import { expect, test } from 'vitest';
import { createUnderWay, type UnderWay } from './under-way.ts';

const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** Returns work that ends on demand. */
function held() {
  let end = (): void => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  return { work: () => ended, end };
}

/** Counts a request of a check as in flight during some work. */
function during(underWay: UnderWay, check: string, work: () => Promise<void>): Promise<void> {
  underWay.begin(check);
  return work().finally(() => underWay.end(check));
}

test('a check is quiet at once where nothing is under way', async () => {
  await expect(createUnderWay().quiet('a/b')).resolves.toBeUndefined();
});

test('a check is quiet when its last request has ended, whatever others send', async () => {
  const underWay = createUnderWay();
  const [one, two, other] = [held(), held(), held()];
  for (const { work } of [one, two]) void during(underWay, 'a/b', work);
  void during(underWay, 'a/c', other.work);
  let quiet = 0;
  for (let waiter = 0; waiter < 2; waiter += 1) void underWay.quiet('a/b').then(() => (quiet += 1));
  one.end();
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(quiet).toBe(0);
  two.end();
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(quiet).toBe(2);
});

test('a request that follows an answer at once is waited for', async () => {
  const underWay = createUnderWay();
  const [first, next] = [held(), held()];
  const chain = during(underWay, 'a/b', first.work).then(() => during(underWay, 'a/b', next.work));
  let quiet = false;
  void underWay.quiet('a/b').then(() => {
    quiet = true;
  });
  first.end();
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(quiet).toBe(false);
  next.end();
  await chain;
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(quiet).toBe(true);
});

test('a request that fails is over too, and its error is passed on', async () => {
  const underWay = createUnderWay();
  await expect(during(underWay, 'a/b', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  await underWay.quiet('a/b');
});
