import { expect, it } from 'vitest';
import { inTurn, sharedTurn } from './in-turn.ts';

it('runs one piece of work after another, whatever became of the one before', async () => {
  const queued = inTurn();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'a') throw new Error('no');
  };
  await Promise.allSettled([queued(work('a')), queued(work('b'))]);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

it('shares work among all who asked before it began, and gives nobody what began before he asked', async () => {
  let begun = 0;
  const ends: (() => void)[] = [];
  const ask = sharedTurn(async () => {
    const number = ++begun;
    await new Promise<void>(resolve => ends.push(resolve));
    return number;
  });
  const first = [ask(), ask()];
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toBe(1);
  const later = [ask(), ask()];
  ends[0]?.();
  expect(await Promise.all(first)).toEqual([1, 1]);
  await Promise.resolve();
  ends[1]?.();
  expect(await Promise.all(later)).toEqual([2, 2]);
});
