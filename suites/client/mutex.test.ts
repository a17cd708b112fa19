import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMutex } from './exchange.ts';

test('one at a time has its turn, in order', async () => {
  const enter = createMutex();
  const went: string[] = [];
  const [a, b, c] = [enter(), enter(), enter()];
  expect(a.take(() => went.push('a'))).toBe(true);
  expect(b.take(() => went.push('b'))).toBe(false);
  expect(c.take(() => went.push('c'))).toBe(false);
  a.leave();
  await nextTurn();
  expect(went).toEqual(['b']);
  b.leave();
  await nextTurn();
  expect(went).toEqual(['b', 'c']);
  c.leave();
  expect(enter().take(() => {})).toBe(true);
});

test('who leaves while waiting is not called, and keeps nobody waiting', async () => {
  const enter = createMutex();
  const went: string[] = [];
  const [a, b, c] = [enter(), enter(), enter()];
  a.take(() => {});
  b.take(() => went.push('b'));
  c.take(() => went.push('c'));
  b.leave();
  a.leave();
  a.leave();
  await nextTurn();
  expect(went).toEqual(['c']);
});

test('who comes between two turns does not pass those who wait', async () => {
  const enter = createMutex();
  const went: string[] = [];
  const [a, b, c] = [enter(), enter(), enter()];
  a.take(() => {});
  b.take(() => went.push('b'));
  a.leave();
  expect(c.take(() => went.push('c'))).toBe(false);
  await nextTurn();
  b.leave();
  await nextTurn();
  expect(went).toEqual(['b', 'c']);
});
