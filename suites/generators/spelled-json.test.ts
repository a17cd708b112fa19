import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../contracts/json.ts';
import { spelledJson } from './spelled-json.ts';

const all = { space: true, turned: true, escaped: true, trailing: true, numbers: true } as const;

/** Any character of Unicode. Drawn by its code, because fast-check would build a table otherwise. */
const character = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(code => String.fromCodePoint(code));

test('JSON in another spelling says the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: character }), value => {
      const written = spelledJson(value as Json, all);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('each way to write is another text', () => {
  const value = { b: 'a/b', a: [1, 12.5, 100], c: {} };
  expect(spelledJson(value, {})).toBe(JSON.stringify(value));
  expect(spelledJson(value, { turned: true })).toBe('{"c":{},"a":[1,12.5,100],"b":"a/b"}');
  expect(spelledJson(value, { numbers: true })).toContain('[1.0,1.25e+1,1e+2]');
  expect(spelledJson(value, { escaped: true })).toContain('"\\u0062":"\\u0061/\\u0062"');
  expect(spelledJson('a🧭b', { escaped: true })).toBe('"\\u0061\\ud83e\\udded\\u0062"');
  expect(spelledJson(value, { trailing: true }).endsWith('}\r\n')).toBe(true);
  expect(spelledJson(value, { space: true })).toMatch(/^\s+\{\s+"b"\s+:/);
});
