import { expect, test } from 'vitest';
import { attackWall } from './testing/message-attack.fixture.ts';
import { attackPaths } from './testing/path-attack.fixture.ts';

test('a wall lets nothing through that it cannot judge, and all that is right', async () => {
  const { wrong, asked, answered, count } = await attackWall(24, 150);
  expect(wrong).toEqual([]);
  // Some of both kinds must occur: a wall that lets everything or nothing through would prove nothing.
  expect([asked > count / 20, answered > count / 40, asked < count / 2]).toEqual([true, true, true]);
});

test('a wall lets no broken request through to a path that some server may read as one of the API', async () => {
  const { wrong, asked, ours } = await attackPaths(24, 500);
  expect(wrong).toEqual([]);
  expect([asked > 50, ours > 50]).toEqual([true, true]);
});
