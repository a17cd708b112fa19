import { describe, expect, it } from 'vitest';
import { deeperThan } from './depth.ts';

describe('the depth of a text', () => {
  it.each([
    ['{}', 1],
    ['[[{}],[]]', 3],
    ['{"a":"[[[[","b":"\\"[[","c\\\\":[1]}', 2],
    ['[][][]', 1],
    ['1', 0],
  ])('of %s is %i', (text, depth) => {
    expect(deeperThan(text, depth)).toBe(false);
    if (depth > 0) expect(deeperThan(text, depth - 1)).toBe(true);
  });

  it('is scanned without recursion', () => {
    expect(deeperThan('['.repeat(1_000_000), 200)).toBe(true);
  });
});
