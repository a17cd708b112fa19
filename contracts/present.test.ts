import { expect, test } from 'vitest';
import { present } from './present.ts';

test('what is undefined is left out, and nothing else', () => {
  const members = { a: undefined, b: null, c: 0, d: '', e: false, f: { g: undefined } };
  expect(Object.keys(present(members))).toEqual(['b', 'c', 'd', 'e', 'f']);
  expect(present(members)).toStrictEqual({ b: null, c: 0, d: '', e: false, f: { g: undefined } });
});

test('a member that is called like a setter stays one', () => {
  expect(Object.keys(present(JSON.parse('{"__proto__": 1}')))).toEqual(['__proto__']);
});
