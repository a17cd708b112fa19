import { expect, test } from 'vitest';
import { givenAnswer } from '../proof/testing/answers.ts';
import { clipped } from './clipped.ts';

test('an answer of ordinary length is judged as it is, whatever lists its entity has', () => {
  const ones = (length: number) => Array.from({ length }, () => 1);
  for (const data of [ones(200), { tags: ones(5_000) }]) {
    const answer = givenAnswer({ value: { message: 'm', data } });
    expect(clipped(answer)).toBe(answer);
  }
});

test('of a long page the first items are judged, whole', () => {
  const items = Array.from({ length: 201 }, (_, index) => ({ index, tags: Array.from({ length: 10 }, () => 't') }));
  const value = JSON.parse(JSON.stringify({ message: 'm', pagination: {}, data: items }));
  const judged = clipped(givenAnswer({ value }));
  expect(judged.data).toEqual(items.slice(0, 200));
  expect(judged.value).toEqual({ ...value, data: items.slice(0, 200) });
  expect(judged.isCut).toBe(true);
  expect(value.data).toHaveLength(201);
});

test('of a very long one the first items of every list are judged, at their own places', () => {
  const items = Array.from({ length: 500_000 }, (_, index) => index);
  const value = JSON.parse(`{"message":"m","__proto__":{"a":1},"data":[${items}]}`);
  const judged = clipped(givenAnswer({ value }));
  expect(judged.data).toEqual(items.slice(0, 200));
  expect(Object.keys(judged.value as object)).toEqual(['message', '__proto__', 'data']);
  expect((value as { data: unknown[] }).data).toHaveLength(500_000);
});

test('lists of lists are bounded all together', () => {
  const data = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => 1));
  const judged = clipped(givenAnswer({ value: { message: 'm', data } })).data as unknown[][];
  expect(judged).toHaveLength(200);
  expect(judged.flat()).toHaveLength(4_800);
});
