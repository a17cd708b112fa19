import { expect, test } from 'vitest';
import { createPhases } from './phases.ts';

test('all go on when the last has come and the work is done, which is done once', async () => {
  const { meet } = createPhases(2);
  const told: string[] = [];
  const come = (who: string) =>
    meet('lanes', async () => void told.push('work')).then(() => void told.push(`${who} goes on`));
  const first = come('A');
  await Promise.resolve();
  expect(told).toEqual([]);
  await Promise.all([first, come('B')]);
  expect(told).toEqual(['work', 'A goes on', 'B goes on']);
});

test('an error of the work is thrown to all', async () => {
  const { meet } = createPhases(2);
  const work = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([meet('lanes', work), meet('lanes', work)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('nobody waits for a run that has ended, and what needs it is not done: now, or at a later phase', async () => {
  const { meet, leave } = createPhases(2);
  let works = 0;
  const work = async () => {
    works += 1;
  };
  const waiting = meet('lanes', work);
  leave();
  await waiting;
  await meet('restore', work);
  expect(works).toBe(0);
});

test('one run alone waits for nobody', async () => {
  let works = 0;
  await createPhases(1).meet('restore', async () => {
    works += 1;
  });
  expect(works).toBe(1);
});
