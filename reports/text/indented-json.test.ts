import { describe, expect, test } from 'vitest';
import { indentedJson } from './folded-json.ts';

describe('indented JSON', () => {
  test.each([
    { a: [1, { b: 'x, [y] {z} "q" \\' }], c: {}, d: [], e: null, f: true },
    [[[]], {}, [{}]],
    { text: 'ends in a backslash \\', n: -1.5e3 },
  ])('JSON is indented as JSON.stringify would: %j', value => {
    expect(indentedJson(JSON.stringify(value), 1_000).join('\n')).toBe(JSON.stringify(value, null, 2));
    expect(indentedJson(JSON.stringify(value, null, 7), 1_000).join('\n')).toBe(JSON.stringify(value, null, 2));
  });

  test('what is on the wire stays as it is: numbers, duplicates, escapes', () => {
    expect(indentedJson('{"a":1.0,"a":1e400,"b":"\\u0041"}', 10)).toEqual([
      '{',
      '  "a": 1.0,',
      '  "a": 1e400,',
      '  "b": "\\u0041"',
      '}',
    ]);
  });

  test('what is no JSON stays one line, and JSON that is cut off is indented as far as it goes', () => {
    expect(indentedJson('<html>{}</html>', 10)).toEqual(['<html>{}</html>']);
    expect(indentedJson('{"a":[1,"unfinis', 10)).toEqual(['{', '  "a": [', '    1,', '    "unfinis']);
    expect(indentedJson(']]}}{', 10).length).toBeLessThanOrEqual(10);
  });

  test('height and depth are bounded', () => {
    const deep = indentedJson(`${'['.repeat(100_000)}1`, 50);
    expect(deep).toHaveLength(50);
    expect(deep.every(line => line.length < 50)).toBe(true);
    expect(indentedJson('{"a":1}', 2)).toEqual(['{', '  "a": 1']);
  });
});
