import { describe, expect, test } from 'vitest';
import { exactPointer, type JsonNode, jsonAt, jsonTree } from './json-tree.ts';

const shape = (text: string, node: JsonNode | undefined = jsonTree(text)): unknown =>
  node === undefined
    ? undefined
    : node.children.length === 0
      ? [node.kind, text.slice(node.start, node.end)]
      : [node.kind, Object.fromEntries(node.children.map(one => [one.name, shape(text, one.node)]))];

describe('the parts of a JSON text', () => {
  test('keep every value as it was written', () => {
    expect(shape('{"a": 1.0, "b\\n": [ 1e2 , "x, ]" ], "c":{} }')).toEqual([
      'object',
      {
        a: ['scalar', '1.0'],
        'b\n': ['array', { 0: ['scalar', '1e2'], 1: ['scalar', '"x, ]"'] }],
        c: ['object', '{}'],
      },
    ]);
  });

  test('of a text that was cut off are those that it has', () => {
    expect(shape('{"a":1,"b":{"c":[1,"no en')).toEqual([
      'cut',
      { a: ['scalar', '1'], b: ['cut', { c: ['cut', { 0: ['scalar', '1'] }] }] },
    ]);
    expect(shape('{"a"')).toEqual(['cut', '{"a"']);
  });

  test.each(['', 'plain text', '"a"', '{]', '{"a" 1}', '{a:1}', '[1 2]', `${'['.repeat(9_000)}`])(
    'there are none of %j',
    text => {
      expect(jsonTree(text)).toBeUndefined();
    },
  );
});

describe('a value is found by its pointer', () => {
  const list = '{"data":[{"id":1,"a/b":"x"},{"id":2, "a/b": "y" }]}';

  test('as it was written', () => {
    expect(jsonAt('{"a":{"b":1.0}}', '/a/b')).toBe('1.0');
    expect(jsonAt(list, '/data/1/a~1b')).toBe('"y"');
    expect(jsonAt(list, '/data/2/id')).toBeUndefined();
    expect(jsonAt('{"a":{"b":"cut', '/a/b')).toBeUndefined();
  });

  test('of any item, that which has the wanted value, else the first', () => {
    expect(exactPointer(list, '/data/*/id', '2')).toBe('/data/1/id');
    expect(exactPointer(list, '/data/*/id', '3')).toBe('/data/0/id');
    expect(exactPointer(list, '/data/*/none', '3')).toBe('/data/*/none');
  });
});
