import { describe, expect, test } from 'vitest';
import { type JsonNode, jsonTree } from './json-tree.ts';

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
