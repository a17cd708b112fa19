import { describe, expect, it } from 'vitest';
import { excessOf } from './read-body.ts';

const endless = Number.POSITIVE_INFINITY;

describe('the depth of a text', () => {
  it.each([
    ['{}', 1],
    ['[[{}],[]]', 3],
    ['{"a":"[[[[","b":"\\"[[","c\\\\":[1]}', 2],
    ['[][][]', 1],
    ['1', 0],
  ])('of %s is %i', (text, levels) => {
    expect(excessOf(text, { levels, parts: endless })).toBeUndefined();
    if (levels > 0) expect(excessOf(text, { levels: levels - 1, parts: endless })).toBe('levels');
  });

  it('is scanned without recursion', () => {
    expect(excessOf('['.repeat(1_000_000), { levels: 200, parts: endless })).toBe('levels');
  });
});

describe('the parts of a text', () => {
  it.each([
    ['[1,2,3]', 2],
    ['{"a":[1,2],"b,c":",,\\",","d":{}}', 3],
  ])('%s are parted by commas: %i', (text, parts) => {
    expect(excessOf(text, { levels: 200, parts })).toBeUndefined();
    expect(excessOf(text, { levels: 200, parts: parts - 1 })).toBe('parts');
  });
});
